# I04: Two Wi-Fi adapters, one at the office and one elsewhere. By default all must be trusted, in either order.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 open Cafe $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

join wlan1 wpa2 Corp-Staff
expect trusted-network
join wlan3 open Cafe
expect network-not-listed
policy '[decision]' 'stations = "any"'
expect trusted-network

policy
join wlan1 open Cafe
join wlan3 wpa2 Corp-Staff
expect network-not-listed
policy '[decision]' 'stations = "any"'
expect trusted-network
