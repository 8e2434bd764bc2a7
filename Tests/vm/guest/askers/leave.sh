# Leaving a trusted network locks the sessions that were opened or unlocked without a second factor.

# session_at TTY   the number that logind has for the session there
session_at() { loginctl show-user $user -p Sessions --value | tr ' ' '\n' | while read -r id; do
    [[ $(loginctl show-session "$id" -p TTY --value) != "$1" ]] || echo "$id"
done; }
# here   all sessions of the user at this machine
here() {
    local id
    for id in $(loginctl show-user $user -p Sessions --value); do
        [[ $(loginctl show-session "$id" -p Remote -p Class --value | tr '\n' ' ') != 'no user ' ]] || echo "$id"
    done
}
# locked ID...   the sessions that were told to lock since `forget`, no more and no less
locked() {
    local id wanted='' found=''
    for id in "$@"; do wanted+="$(busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager GetSession s "$id" |
        grep -o '/org[^"]*')"$'\n'; done
    wanted=$(sort <<<"${wanted%$'\n'}")
    found=$(grep -o '/org[^"]*' $state/locks | sort -u || true)
    [[ $found == "$wanted" ]]
}
forget() { : >$state/locks; }
locks_soon() { wait_for 100 locked "$@" || { echo "wanted $*, got: $(cat $state/locks) $(journalctl -u onsite-watch -o cat -n 3)"; return 1; }; }
locks_nothing() {
    sleep 5
    [[ ! -s $state/locks ]] || { echo "locked: $(cat $state/locks)"; return 1; }
}
trusted() { onsite check --network-only --quiet; }
leaves() {
    stop_access_point wlan0
    wait_for 100 eval '! trusted' || fail "the machine is still on the network"
}
comes_back() {
    access_point wlan0 wpa2 Corp-Staff $hq
    wait_for 300 trusted || fail "the machine is not back on the network"
    # Longer than what `watch` takes for a gap.
    sleep 4
}
# opens TTY REASON   logs in there; the module must have decided so
opens() {
    asks=$((asks + 1))
    read_code
    answers=("Password: =$password" "Verification code: =$code")
    read_log
    entries=''
    systemctl start "getty@$1"
    log_in_at_tty "${1#tty}" >/dev/null || { echo "nobody is logged in at $1"; return 1; }
    wait_for 30 eval 'read_log; [[ $entries == *": took "* ]]'
    [[ $(logged reason) == "$2" ]] || { echo "$(logged reason)"; return 1; }
}
# asks_at TTY REASON LINE   types it there; the module must have decided so
asks_at() {
    asks=$((asks + 1))
    read_code
    answers=("password for $user: =$password" "Password: =$password" "Verification code: =$code" 'Please press [ENTER] to unlock.=')
    read_log
    entries=''
    at_tty "${1#tty}" "$3" >/dev/null || true
    wait_for 30 eval 'read_log; [[ $entries == *": took "* ]]'
    [[ $(logged reason) == "$2" ]] || { echo "$(logged reason)"; return 1; }
}
is_root_s() { [[ $(stat -c '%U %a' /run/onsite/passes) == 'root 644' ]] || { stat /run/onsite/passes; return 1; }; }

# Lock signals of logind, a line each: the path of the session.
busctl monitor --match "type='signal',interface='org.freedesktop.login1.Session',member='Lock'" --json=short 2>/dev/null |
    grep --line-buffered -o '"path":"[^"]*"' >>$state/locks &
signals=$!
wait_for 100 eval 'loginctl lock-session $(session_at tty1); [[ -s $state/locks ]]'

rm -rf /run/onsite
systemctl daemon-reload
policy '[leave]' 'lock-sessions = true'
systemctl stop onsite-gate.socket onsite-gate.service 2>/dev/null || true
examine 'without a record a login is asked' opens tty3 session-unknown
examine 'and so is an unlocking' asks_at tty1 session-unknown 'vlock -c'
examine 'but not sudo' asks_at tty1 trusted-network 'sudo id -un'

systemctl start onsite-watch.service
wait_for 50 test -f /run/onsite/passes
systemctl stop onsite-gate.socket onsite-gate.service
examine 'the record that watch makes is root'"'"'s' is_root_s
forget
examine 'a login, by a gate that the module starts' opens tty4 trusted-network
examine 'sudo is no login' asks_at tty1 trusted-network 'sudo id -un'
leaves
examine 'the session that was opened without a second factor is locked, and no other' locks_soon "$(session_at tty4)"
forget
systemctl kill -s KILL onsite-watch
wait_for 100 eval 'systemctl is-active onsite-watch && sleep 2'
examine 'after a restart nothing is locked twice' locks_nothing
comes_back

forget
examine 'an unlocking in a session that was opened with a second factor' asks_at tty3 trusted-network 'vlock -c'
systemctl kill -s STOP onsite-watch
leaves
systemctl kill -s KILL onsite-watch
examine 'the session is locked by a watch that is started when the machine has left' locks_soon "$(session_at tty3)"
comes_back

systemctl start onsite-gate.socket
forget
examine 'an unlocking, by the gate that stays' asks_at tty3 trusted-network 'vlock -c'
examine 'and one without privilege' asks_at tty1 trusted-network "pamtester swaylock $user authenticate"
touch /etc/onsite/policy.toml
sleep 4
apply
examine 'an edit of the policy locks nothing' locks_nothing
access_point wlan2 wpa2 Corp-Staff $annex
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\", \"$annex\"]"
hear wlan1 $annex
roam wlan1 $annex
roam wlan1 $hq
examine 'roaming locks nothing' locks_nothing
stop_access_point wlan2
leaves
examine 'leaving locks both' locks_soon "$(session_at tty1)" "$(session_at tty3)"
comes_back

forget
examine "an unlocking by a service of the user" asks_at tty1 trusted-network \
    "systemd-run --user -q --wait --pty pamtester swaylock $user authenticate"
passes_outside() {
    read_log
    entries=''
    pamtester -I tty=tty1 laptop $user authenticate <<<"$password"
    wait_for 30 eval 'read_log; [[ $entries == *": took "* ]]'
    tail -n 1 /run/onsite/passes | grep "^process .* $user\$"
}
examine 'a program outside of all sessions, as a display manager is, is put on record' passes_outside
mv /run/onsite/passes /run/onsite/away
examine 'with a record that is not the one which was opened an unlocking is asked' asks_at tty1 session-unknown 'vlock -c'
mv /run/onsite/away /run/onsite/passes
mapfile -t all < <(here)
systemctl kill -s STOP systemd-logind
leaves
is_told() { wait_for 150 eval 'journalctl -u onsite-watch -o cat | grep -q "^onsite: cannot lock sessions: logind did not answer in time"'; }
examine 'a logind that hangs is told of' is_told
systemctl kill -s CONT systemd-logind
examine 'and asked again: leaving locks all sessions of the user' locks_soon "${all[@]}"

needs_root() {
    local said status=0
    said=$("${as_user[@]}" onsite watch --lock-sessions 2>&1) || status=$?
    [[ $status == 1 && $said == 'onsite: --lock-sessions: only root can lock sessions (run it as root)' ]] || { echo "$status $said"; return 1; }
}
examine 'it needs root' needs_root
is_hidden() {
    local exposure
    exposure=$(systemd-analyze security --no-pager onsite-watch.service | grep -oP 'Overall exposure level.*: \K[0-9.]+')
    [[ $exposure =~ ^(0\.|1\.[0-7]$) ]] || { echo "$exposure"; return 1; }
}
examine 'its exposure is 1.7 at most' is_hidden
is_said_once() {
    local lines
    lines=$(journalctl -u onsite-watch -o cat -t onsite | grep -c '^locked session\|^onsite: locked session')
    ((lines == 4)) || { echo "$lines lines"; return 1; }
}
examine 'each time is one line in the log' is_said_once

systemctl stop onsite-watch onsite-gate.socket onsite-gate.service
rm /run/onsite/passes
comes_back
systemctl start onsite-gate.socket
examine 'the gate that stays has systemd make the record' asks_at tty1 trusted-network 'vlock -c'
examine 'which is root'"'"'s' is_root_s
systemctl stop onsite-gate.socket onsite-gate.service
kill $signals
policy ''
