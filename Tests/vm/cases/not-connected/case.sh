# Nothing is joined, then the staff network is, then no longer.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
expect not-connected
expect_sudo code-needed

join wlan1 wpa2 Corp-Staff
expect trusted-network

leave wlan1
expect not-connected
