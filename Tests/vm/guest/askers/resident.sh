# The gate that stays, as systemd starts it, and a login with and without it.

cp /mnt/stage/usr/lib/systemd/system/onsite-* /lib/systemd/system/
systemctl daemon-reload
examine 'without the socket a gate is started' asks_with trusted-network helper "${console[@]}"
systemctl start onsite-gate.socket
examine 'the first caller starts it' asks_with trusted-network socket "${console[@]}"
examine 'the next is answered by the same' asks_with trusted-network socket "${console[@]}"
examine 'a user may ask about itself' asks_with trusted-network socket \
    setpriv --reuid $user --regid $user --init-groups "${console[@]}"
examine 'a remote asker is remote' asks_with remote-session socket "${console[@]:0:1}" -I rhost=203.0.113.9 "${console[@]:3}"

# What polkit 127 and later runs PAM in: a unit that sees no network and may speak to sockets of files only.
sandbox=(systemd-run --quiet --wait -p PrivateNetwork=yes -p RestrictAddressFamilies=AF_UNIX -p ProtectSystem=strict)
examine 'a program that is forbidden the network is answered' asks_with trusted-network socket "${sandbox[@]}" "${console[@]}"

wait_for_end() { wait_for 50 eval '! systemctl is-active --quiet onsite-gate'; }
systemctl kill -s KILL onsite-gate
wait_for_end
examine 'after it was killed the next caller starts it again' asks_with trusted-network socket "${console[@]}"

mv /etc/onsite/networks.d/corp-staff.toml /run/corp-staff.toml
examine 'a policy that was edited is stale' asks_with policy-stale socket "${console[@]}"
apply
examine 'a new policy counts from the next question on' asks_with network-not-listed socket "${console[@]}"
mv /run/corp-staff.toml /etc/onsite/networks.d/corp-staff.toml
apply
examine 'and so does the next' asks_with trusted-network socket "${console[@]}"

is_exposed_little() {
    local exposure
    exposure=$(systemd-analyze security --no-pager onsite-gate.service | grep -oP 'Overall exposure level.*: \K[0-9.]+')
    [[ $exposure == 0.* || $exposure =~ ^1\.[0-5]$ ]] || { echo "$exposure"; return 1; }
}
examine 'its exposure is 1.5 at most' is_exposed_little
is_small() {
    local kilobytes
    kilobytes=$(awk '/VmRSS/ { print $2 }' "/proc/$(systemctl show -p MainPID --value onsite-gate)/status")
    ((kilobytes < 12288)) || { echo "$kilobytes KiB"; return 1; }
}
examine 'it is 12 MiB at most' is_small
# Whenever it is killed, a caller starts a gate of its own, and systemd the next that stays.
is_done_without() {
    local killer answers
    while sleep 0.2; do
        xargs -r kill -KILL </sys/fs/cgroup/system.slice/onsite-gate.service/cgroup.procs
    done 2>/dev/null &
    killer=$!
    answers=$(/mnt/tools/callers 1000 4)
    kill $killer
    wait $killer || true
    echo "# $answers" >&3
    [[ $answers =~ \ trusted-network:1000\ started:([0-9]+)$ ]] &&
        ((BASH_REMATCH[1] > 0 && BASH_REMATCH[1] < 1000)) &&
        systemctl is-active --quiet onsite-gate.socket || { echo "$answers"; return 1; }
}
examine 'while it is killed all the time, a thousand callers have their answer' is_done_without
examine 'and the socket is still there' asks_with trusted-network socket "${console[@]}"

source /mnt/vm/guest/askers/polkit.sh

systemctl stop onsite-gate.socket onsite-gate.service
examine 'after it was stopped a gate is started' asks_with trusted-network helper "${console[@]}"

# One that ends before it has taken a call is called for again at once.
is_given_up() {
    mkdir -p /run/systemd/system/onsite-gate.service.d
    printf '[Service]\nExecStart=\nExecStart=/bin/true\n' >/run/systemd/system/onsite-gate.service.d/broken.conf
    systemctl daemon-reload
    systemctl start onsite-gate.socket
    asks_with trusted-network helper "${console[@]}" && wait_for 600 systemctl is-failed onsite-gate.socket || return 1
    asks_with trusted-network helper "${console[@]}"
}
examine 'one that cannot start is given up, and gates are started' is_given_up
rm -r /run/systemd/system/onsite-gate.service.d
systemctl stop onsite-gate.socket onsite-gate.service
systemctl reset-failed onsite-gate.socket onsite-gate.service
