# The laptop itself plays access point by the corporate name. That is not being connected to it.
trust corp-staff 'ssid = "Corp-Staff"'
access_point wlan1 wpa2 Corp-Staff $hq
expect not-connected

# Nor is it when somebody else has joined that access point.
access_point wlan0 wpa2 Elsewhere $twin
join wlan3 wpa2 Elsewhere
expect network-not-listed
stop_access_point wlan1

access_point wlan2 wpa2 Corp-Staff $hq
join wlan3 wpa2 Corp-Staff
expect trusted-network
