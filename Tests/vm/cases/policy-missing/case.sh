# No policy was ever compiled, then one is.
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
rm -rf /var/lib/onsite
expect policy-missing

mkdir -m 755 /var/lib/onsite
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
expect trusted-network
rm /var/lib/onsite/policy.cdb
expect policy-missing
