# A source was changed by hand and not applied: neither the old rules nor the new ones are to be followed.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network

sed -i 's/"$/" /' /etc/onsite/networks.d/corp-staff.toml
expect policy-stale
apply
expect_check trusted-network

# The same size, and the old time put back.
touch -r /etc/onsite/policy.toml /run/time
sed -i 's/1/2/' /etc/onsite/policy.toml
touch -r /run/time /etc/onsite/policy.toml
expect_check policy-stale
sed -i 's/2/1/' /etc/onsite/policy.toml
apply
expect_check trusted-network

echo 'ssid = "Corp-Guest"' >/etc/onsite/networks.d/guest.toml
expect_check policy-stale
apply
expect_check trusted-network
rm /etc/onsite/networks.d/guest.toml
expect_check policy-stale
apply
expect trusted-network
