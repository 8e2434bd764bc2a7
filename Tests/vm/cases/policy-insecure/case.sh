# Somebody other than root could have written the policy.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
policy_file=/var/lib/onsite/policy.cdb
expect trusted-network

chmod g+w $policy_file
expect policy-insecure
chmod g-w,o+w $policy_file
expect_check policy-insecure
chmod o-w $policy_file
expect_check trusted-network

chown $user $policy_file
expect_check policy-insecure
chown root $policy_file
chmod g+w /var/lib/onsite
expect_check policy-insecure
chmod g-w /var/lib/onsite
expect_check trusted-network

# A link that the user owns, to a file that root owns.
mv $policy_file /run/policy.cdb
ln -s /run/policy.cdb $policy_file
expect_check trusted-network
chown -h $user $policy_file
expect_check policy-insecure
rm $policy_file
mv /run/policy.cdb $policy_file

# A source counts like the compiled policy.
chmod g+w /etc/onsite/networks.d/corp-staff.toml
! onsite apply 2>/dev/null || fail "onsite apply took a file that a group may write"
chmod g-w /etc/onsite/networks.d/corp-staff.toml
apply
expect trusted-network
