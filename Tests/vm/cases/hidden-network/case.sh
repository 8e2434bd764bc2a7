# N03: The access point leaves its name out of its beacons. Only the answer to a probe has it.
access_point wlan0 wpa2 Corp-Staff $hq ignore_broadcast_ssid=1
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network

# Beacons without a name keep coming; they must not take the name away.
sleep 1
expect trusted-network

distrust corp-staff
trust another 'ssid = "Corp"'
expect network-not-listed
