# E03: A sandbox forbids netlink sockets: with EPERM as seccomp profiles do, or with EAFNOSUPPORT as systemd does.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network

# libpam fails on its own account under EPERM, with any module, because it cannot open the audit socket. So here it is
# the command alone.
not_permitted=(perl /mnt/vm/guest/without-netlink.pl 1)
expect_check wifi-access-denied --in not_permitted
not_supported=(perl /mnt/vm/guest/without-netlink.pl 97)
expect wifi-access-denied --in not_supported
