# N06: From the office to a café, to nothing, and back. Nothing that was true before counts.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 open Cafe $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network
join wlan1 open Cafe
expect network-not-listed
leave wlan1
expect not-connected
join wlan1 wpa2 Corp-Staff
expect trusted-network
