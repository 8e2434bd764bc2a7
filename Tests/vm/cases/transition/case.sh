# An access point that offers wpa2 beside wpa3 may talk a station down. A list that names wpa3 accepts it only where the
# supplicant says that wpa3 it was.
access_point wlan0 transition Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'

join wlan1 wpa2 Corp-Staff
expect security-too-weak
expect_sudo code-needed

join wlan1 wpa3 Corp-Staff ieee80211w=1
expect trusted-network
expect_json evidence protected
expect_sudo password-only
onsite status | grep -q 'wpa2-personal wpa3-personal' || fail "status does not show what is offered"

# Nobody to ask: all that is offered counts.
supplicant_control=/run/elsewhere
join wlan1 wpa3 Corp-Staff ieee80211w=1
expect security-too-weak
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa2-personal", "wpa3-personal"]'
expect trusted-network
