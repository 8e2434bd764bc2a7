# F12: An open network goes by the corporate name. The allowlist asks for nothing but the name, and still: no key, no trust.
trust corp-staff 'ssid = "Corp-Staff"'
access_point wlan2 open Corp-Staff $twin
join wlan1 open Corp-Staff
expect security-too-weak
expect_sudo code-needed

access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
expect trusted-network
