# Keys that the name of the network goes into prove the name: SAE's by hash-to-element, and those of fast transition.
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'

access_point wlan0 wpa3 Corp-Staff $hq sae_pwe=1
supplicant_settings=(sae_pwe=1)
join wlan1 wpa3 Corp-Staff
expect trusted-network
expect_json evidence verified

# The same by hunting and pecking.
stop_access_point wlan0
access_point wlan0 wpa3 Corp-Staff $hq sae_pwe=0
supplicant_settings=(sae_pwe=0)
join wlan1 wpa3 Corp-Staff
expect evidence-too-weak
expect_json evidence protected
stop_access_point wlan0

access_point wlan0 fast Corp-Staff $hq
join wlan1 fast Corp-Staff
expect trusted-network
expect_json evidence verified
stop_access_point wlan0

access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
expect evidence-too-weak

# Nobody to ask.
supplicant_control=/run/elsewhere
access_point wlan2 fast Corp-Staff $annex
join wlan1 fast Corp-Staff "bssid=$annex"
expect evidence-too-weak
