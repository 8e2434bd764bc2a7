# Right name, right key, wrong access point: an insider's, or one of somebody who learned the passphrase.
access_point wlan2 wpa2 Corp-Staff $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect bssid-not-listed
expect_sudo code-needed
# 84 is LOG_AUTHPRIV at warning level: this one is worth a look.
expect_log '^<84>.*second factor required .*reason=bssid-not-listed'
expect_no_log "Corp-Staff|$twin"

access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff "bssid=$hq"
expect trusted-network
