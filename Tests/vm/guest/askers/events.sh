# What the gate that stays knows of an association because it was there when it began. The supplicant, which its sandbox
# does not let it ask, knows the same: then a gate is started that asks.
cp /mnt/stage/usr/lib/systemd/system/onsite-gate.* /lib/systemd/system/
systemctl daemon-reload
systemctl restart onsite-gate.socket
gate_pid() { systemctl show -p MainPID --value onsite-gate; }

# proves LEVEL HOW   a login on the trusted network, and who knew what proves it
proves() {
    asks_with trusted-network "$2" "${console[@]}" || return 1
    [[ $(logged evidence) == "$1" ]] || { logged evidence; return 1; }
}

stop_access_point wlan0
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\", \"$annex\"]" 'minimum-evidence = "verified"'
access_point wlan0 fast Corp-Staff $hq
access_point wlan2 fast Corp-Staff $annex
join wlan1 fast Corp-Staff "bssid=$hq"
examine 'of an association that began before, the supplicant is asked' proves verified helper
join wlan1 fast Corp-Staff
examine 'of one that began since, nobody' proves verified socket
waits_for_ever() { [[ $(cut -d' ' -f4 "/proc/$(gate_pid)/syscall") == 0xffffffff* ]]; }
examine 'a gate that has to remember does not end at rest' waits_for_ever
other=$annex
! is_on wlan1 $annex || other=$hq
hear wlan1 $other
roam wlan1 $other
examine 'after a roam it knows the new one' proves verified socket

# forgets COMMAND...   after something that could have hidden the end of the association, it is not relied on
forgets() {
    "$@"
    proves verified helper || return 1
    join wlan1 fast Corp-Staff
    proves verified socket
}
overrun() {
    local pid number
    pid=$(gate_pid)
    kill -STOP "$pid"
    # Each tells of an interface that comes, and of one that goes.
    for number in {1..60}; do
        iw dev wlan3 interface add "spare$number" type monitor
        iw dev "spare$number" del
    done
    kill -CONT "$pid"
}
examine 'when events were lost, it forgets (ENOBUFS)' forgets overrun
set_clock() { date -s "$1" >/dev/null; }
examine 'when the clock was set' forgets set_clock '1 hour'
set_clock '1 hour ago'
reload() {
    reset_radios
    access_point wlan0 fast Corp-Staff $hq
    join wlan1 fast Corp-Staff
}
reload
examine 'when drivers were loaded anew, it follows the new ones' proves verified socket

# Where two kinds are offered, what was negotiated counts.
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'
stop_access_point wlan0
access_point wlan0 transition Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
examine 'the weaker of two kinds is not enough' asks_with security-too-weak socket "${console[@]}"
join wlan1 wpa3 Corp-Staff
examine 'and the stronger is' asks_with trusted-network socket "${console[@]}"
join wlan1 wpa2 Corp-Staff
examine 'and it is the one of now that counts' asks_with security-too-weak socket "${console[@]}"

systemctl stop onsite-gate.socket onsite-gate.service
prepare_network
