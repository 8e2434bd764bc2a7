# N04: The corporate network is within earshot and in the scan results. Hearing it is not being on it.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 open Cafe $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
hear wlan1 $hq
expect not-connected

join wlan1 open Cafe
hear wlan1 $hq
expect network-not-listed

join wlan1 wpa2 Corp-Staff
hear wlan1 $twin
expect trusted-network
