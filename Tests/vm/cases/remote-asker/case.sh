# P08: The laptop is at the office. Whoever asks from afar, or from nobody knows where, is not.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
expect remote-session --rhost 203.0.113.9
expect trusted-network

for host in evil.example 2001:db8::1 localhost.evil.example 127.0.0.1.evil.example; do
    expect_check remote-session --rhost "$host"
    expect_module 1 --rhost "$host"
done
for host in localhost 127.0.0.1 127.1.2.3 ::1 laptop; do
    expect_check trusted-network --rhost "$host"
    expect_module 0 --rhost "$host"
done

expect session-unknown --tty pts/7
expect session-unknown --tty ''
expect trusted-network --tty /dev/tty1

# Services that only ever serve people from afar need not say so.
check_json=$(onsite check --json --user $user --service sshd --tty tty1) || true
expect_json reason remote-session

policy '[decision]' 'remote-sessions = "allow"'
expect trusted-network --rhost 203.0.113.9
expect trusted-network --tty pts/7
