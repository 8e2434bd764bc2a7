# Who is asked anyway is told before Wi-Fi is touched: the gate opens no netlink socket.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"'
join wlan1 wpa2 Corp-Staff

# trace STATUS [ASKER]...   what the gate asks the kernel for during one question to the module
trace() {
    local status=$1
    shift
    read_asker "$@"
    local said
    said=$(strace -f -qq -e trace=socket -o /run/trace pamtester "${items[@]}" onsite-alone "$user" authenticate </dev/null 2>&1) || true
    [[ $said == *"$(return_of_status "$status")"* ]] || fail "the module returned '$said'"
}
touches_wifi() { grep -q 'NETLINK_GENERIC' /run/trace; }

trace 0
touches_wifi || fail "a decision that needs Wi-Fi opened no netlink socket: the trace is of no use"
trace 1 --rhost 203.0.113.9
! touches_wifi || fail "a remote asker made the gate look at Wi-Fi"
trace 1 --tty pts/7
! touches_wifi || fail "an asker of unknown whereabouts made the gate look at Wi-Fi"
policy '[always-require]' 'users = ["alice"]'
trace 1
! touches_wifi || fail "a user who is always asked made the gate look at Wi-Fi"
policy '[always-require]' 'groups = ["sudo"]'
trace 1
! touches_wifi || fail "a group that is always asked made the gate look at Wi-Fi"
policy '[always-require]' 'services = ["onsite-alone"]'
trace 1
! touches_wifi || fail "a service that is always asked made the gate look at Wi-Fi"
policy '[privacy]' 'consent = "needed"'
trace 1
! touches_wifi || fail "without consent the gate looked at Wi-Fi"
rm /var/lib/onsite/policy.cdb
trace 3
! touches_wifi || fail "without a policy the gate looked at Wi-Fi"
