# A login just after waking up: the policy lets it wait for the network that is being joined, and not for ever.
access_point wlan0 enterprise Corp-Staff $hq eap_server=0 own_ip_addr=127.0.0.1 auth_server_addr=127.0.0.1 \
    auth_server_port=1812 auth_server_shared_secret=radius radius_auth_req_attr=6:d:2
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

# milliseconds COMMAND...   sets `took`
milliseconds() {
    local before
    before=$(date +%s%N)
    "$@"
    took=$((($(date +%s%N) - before) / 1000000))
}

# The authentication server, without which a station is associated and has no keys.
start_server() {
    printf '127.0.0.1 radius\n' >$radio_state/clients
    {
        printf 'driver=none\ninterface=lo\nradius_server_clients=%s\nradius_server_auth_port=1812\neap_server=1\n' \
            $radio_state/clients
        printf 'eap_user_file=%s\nca_cert=%s\nserver_cert=%s\nprivate_key=%s\n' \
            $radio_state/eap-users /run/radius-ca.pem /run/radius.pem /run/radius.key
    } >$radio_state/server.hostapd
    hostapd -B -P $radio_state/server.pid $radio_state/server.hostapd >$radio_state/server.log 2>&1
}
stop_server() { [[ ! -f $radio_state/server.pid ]] || stop_daemon $radio_state/server.pid; }

# Associated, and the keys are kept back.
stall() {
    stop_server
    leave wlan1
    start_joining wlan1 enterprise Corp-Staff
    wait_for 200 eval 'iw dev wlan1 link | grep -q Connected' || fail "wlan1 did not begin to join"
}
hand_out_keys_in() { { sleep "$1" && start_server; } & }

stall
expect_check not-authorized
milliseconds expect_module 1
((took < 1500)) || fail "without wait it took $took ms"

policy '[decision]' 'wait = "10s"'
hand_out_keys_in 3
# The module's own time-out is 2 s: what the policy lets wait is on top.
milliseconds expect_module 0
((took > 2500 && took < 9000)) || fail "it waited $took ms for the keys"

# The answer comes with an event, and between events nothing is asked.
stall
hand_out_keys_in 2
strace -f -qq -e trace=sendmsg,sendto,poll -o /run/trace onsite check --quiet --user $user --tty tty1 ||
    fail "onsite check did not wait as the policy lets it"
asked=$(grep -c 'NETLINK' /run/trace)
((asked < 60)) || fail "$asked messages to the kernel while it waited"

# The keys do not come.
stall
policy '[decision]' 'wait = "1s"'
milliseconds expect_check not-authorized
((took > 900 && took < 2500)) || fail "it waited $took ms instead of 1 s"
expect_login 1
check_json=$(onsite check --json --wait 0s --user $user --tty tty1) || true
expect_json reason not-authorized
before=$(date +%s%N)
check_json=$(onsite check --json --wait 3s --user $user --tty tty1) || true
took=$((($(date +%s%N) - before) / 1000000))
((took > 2900 && took < 4500)) || fail "--wait 3s took $took ms"

# The user sees nothing of it.
policy '[decision]' 'wait = "2s"'
stall
read_code
log_in "$password" "$code" || fail "login failed: $login_said"
[[ $login_said == 'Password: Verification code: '* ]] || fail "the user was shown '$login_said'"

start_server
join wlan1 enterprise Corp-Staff
milliseconds expect_check trusted-network
((took < 1500)) || fail "on a network it took $took ms"
