# A login just after waking up: the policy lets it wait for the association that is on its way, and not for ever.
access_point wlan0 wpa2 Corp-Staff $hq
policy '[decision]' 'wait = "10s"'
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
start_joining wlan1 wpa2 Corp-Staff
# From here on the association is under way.
wait_for 100 eval 'iw dev wlan1 link | grep -q Connected' || fail "wlan1 did not begin to join"
expect_check trusted-network
expect trusted-network
