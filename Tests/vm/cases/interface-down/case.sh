# N09: The interface is taken down, or the radio is switched off, under a trusted connection.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network

leave wlan1
ip link set wlan1 down
expect not-connected

join wlan1 wpa2 Corp-Staff
switch=$(compgen -G '/sys/class/net/wlan1/phy80211/rfkill*/soft')
echo 1 >"$switch"
expect not-connected

echo 0 >"$switch"
join wlan1 wpa2 Corp-Staff
expect trusted-network
