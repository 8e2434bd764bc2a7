# A screen locker runs as the user. The answer is the same as root's, good or bad.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
expect not-connected --as $user
join wlan1 wpa2 Corp-Staff "bssid=$twin"
expect bssid-not-listed --as $user
join wlan1 wpa2 Corp-Staff "bssid=$hq"
expect trusted-network --as $user
expect trusted-network
