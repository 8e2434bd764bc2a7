# The compiled policy is cut off, empty, something else or not a file. Nobody waits for long.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
policy_file=/var/lib/onsite/policy.cdb
cp -p $policy_file /run/good.cdb
expect trusted-network

size=$(stat -c %s $policy_file)
for kept in 0 1 2047 2048 $((size / 2)) $((size - 1)); do
    head -c "$kept" /run/good.cdb >$policy_file
    expect_check policy-invalid
done
expect policy-invalid

head -c "$size" /dev/urandom >$policy_file
expect_check policy-invalid
tr '\0-\377' '\377' </run/good.cdb >$policy_file
expect_check policy-invalid

rm $policy_file
mkdir $policy_file
expect_check policy-insecure
rmdir $policy_file
mkfifo -m 644 $policy_file
expect policy-insecure
rm $policy_file

cp -p /run/good.cdb $policy_file
expect trusted-network
