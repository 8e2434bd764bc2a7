# E02: In a network namespace of its own a program sees no radio, whatever the machine is connected to.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network
as_in=(unshare -n)
expect no-wifi-interface --in as_in

# A user who makes himself root in a namespace sees files that nobody owns. That must not help.
status=0
check_json=$(setpriv --reuid 1000 --regid 1000 --clear-groups unshare -rn \
    onsite check --json --user $user --service laptop --tty tty1) || status=$?
[[ $status == 3 ]] || fail "in a user's own namespace: exit status $status with $check_json"
