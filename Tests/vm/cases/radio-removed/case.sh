# The adapter is pulled out, then the drivers are gone too, then all is back.
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
for radio in wlan0 wlan1 wlan2 wlan3; do
    iw dev $radio del
done
expect no-wifi-interface

rmmod mac80211_hwsim
expect no-wifi-interface

rmmod mac80211 cfg80211
expect wifi-unavailable

reset_radios
expect not-connected
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
expect trusted-network
