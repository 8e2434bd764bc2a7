# I03: Anybody can start an ad-hoc cell by any name. No station is connected through one.
trust corp-staff 'ssid = "Corp-Staff"'
iw dev wlan1 set type ibss
ip link set wlan1 up
iw dev wlan1 ibss join Corp-Staff $frequency fixed-freq $twin
wait_for 50 eval 'iw dev wlan1 info | grep -q "ssid Corp-Staff"' || fail "no ad-hoc cell"
expect not-connected

access_point wlan0 wpa2 Corp-Staff $hq
join wlan3 wpa2 Corp-Staff
expect trusted-network
