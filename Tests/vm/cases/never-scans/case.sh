# E06: Looking must not disturb the radio: no scan is begun, and no privilege is used.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
sleep 1
iw event >$radio_state/events &
listener=$!
sleep 0.3
expect trusted-network
onsite status >/dev/null
! grep scan $radio_state/events || fail "a scan was begun"

# The listener would have heard one.
hear wlan1 $hq
wait_for 20 grep -q scan $radio_state/events || fail "iw event hears no scans"
kill $listener
