# H08: The module itself is gone, as after half an upgrade: the stack goes on to the second factor.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect trusted-network

mv "$pam_module" /run/module.so
expect_login 3
echo 'not a library' >"$pam_module"
expect_login 3
expect_sudo code-needed

mv /run/module.so "$pam_module"
expect trusted-network
