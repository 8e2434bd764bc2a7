# From a listed access point to another listed one, to one that is not listed, and back.
lobby=02:11:22:33:44:70
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $annex
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\", \"$annex\"]"
join wlan1 wpa2 Corp-Staff
roam wlan1 $hq
expect trusted-network
roam wlan1 $annex
expect trusted-network

trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\", \"$lobby\"]"
expect bssid-not-listed
roam wlan1 $hq
expect trusted-network
