#!/bin/bash
# bench-resident.sh ROUNDS   measures the gate that stays and `watch`, under systemd, in an office with two dozen access
# points within earshot.
set -euo pipefail

source /mnt/vm/guest/library.sh
exec 3>&2

rounds=$1
install_product
reset_policy
reset_radios
neighbours=()
for number in {1..23}; do
    neighbours+=("bss=wlan2_$number" "ssid=Neighbour $number" "bssid=$(printf '02:66:66:66:67:%02x' "$number")" \
        wpa=2 wpa_key_mgmt=WPA-PSK rsn_pairwise=CCMP "wpa_passphrase=$passphrase")
done
access_point wlan2 wpa2 Neighbour 02:66:66:66:67:00 "${neighbours[@]}"
access_point wlan0 wpa2 Corp-Staff "$hq"
join wlan1 wpa2 Corp-Staff
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

# A password as many distributions keep it; yescrypt, Debian's, takes ten times as long here.
hash=$(openssl passwd -6 -salt onsite "$password")
sed -i "s|^$user:[^:]*|$user:$hash|" /etc/shadow
echo "$password" >/run/bench-password
stack() {
    pam_service "$1" "$(documented_stack | sed "s|pam_onsite.so|$2|; s|pam_google_authenticator.so|pam_permit.so|")"
}
stack bench-permit pam_permit.so
stack bench-onsite pam_onsite.so

cp /mnt/stage/usr/lib/systemd/system/onsite-* /lib/systemd/system/
systemctl daemon-reload
over=0
# held MEASURED LIMIT TEXT   ends a row with what it is held against
held() {
    local verdict=ok
    (($1 <= $2)) || { verdict=over && over=$((over + 1)); }
    printf '   %-22s %s\n' "$3" "$verdict"
}
ratio() { printf '%d.%02d' $(($1 / $2)) $(($1 * 100 / $2 % 100)); }
# figures COUNT PARALLEL   median, 99th percentile, answers in a second; all must be right
figures() {
    local answers
    answers=$(/mnt/tools/callers "$@")
    [[ $answers == *" trusted-network:$1 started:$started" ]] || { echo "wrong answers: $answers" >&2; return 1; }
    read -r median last each _ <<<"$answers"
}

started=200
figures 200 4
spawned=$each
systemctl start onsite-gate.socket
started=0
figures 20 1

printf 'the gate that stays; logins in turn, %s of each\n\n' "$rounds"
# The kernel forgets after half a minute what is not heard again.
hear wlan1 02:66:66:66:67:17
figures 1000 1
one=$median
printf '%-46s %8d us\n' 'one caller, median' "$one"
figures 2000 50
printf '%-46s %8d us %7s' '50 callers at once, 99th percentile' "$last" "$(ratio "$last" "$one")"
held "$last" $((one * 10)) 'at most 10'
printf '%-46s %8d\n' 'decisions a second, a gate started for each' "$spawned"
printf '%-46s %8d    %7s' 'decisions a second, the gate that stays' "$each" "$(ratio "$each" "$spawned")"
held $((spawned * 10)) "$each" 'at least 10'

mapfile -t logins < <(/mnt/tools/interleave "$rounds" /run/bench-password \
    -- pamtester -I tty=tty1 bench-permit "$user" authenticate -- pamtester -I tty=tty1 bench-onsite "$user" authenticate)
permit=${logins[0]%% *} onsite=${logins[1]%% *}
[[ ${logins[0]##* } == 0 && ${logins[1]##* } == 0 ]]
printf '%-46s %8d us\n' 'login, pam_permit.so in the place of onsite' "$permit"
printf '%-46s %8d us %7s' 'login, pam_onsite.so' "$onsite" "$(ratio "$onsite" "$permit")"
held $((onsite * 10)) $((permit * 12)) 'at most 1.2'

# wakes PID   how often a process wakes up in 30 s
wakes() {
    timeout 30 strace -qq -f -o /tmp/trace -p "$1" || true
    # The call that it was in is told of as well.
    grep -c '' /tmp/trace || true
}
rest() {
    printf '%-46s %8d    %7s' "$1, calls in 30 s of rest" "$3" ''
    held "$3" 1 'at most 1: the wait'
    local size
    size=$(awk '/^VmRSS/ { print $2 }' "/proc/$2/status")
    printf '%-46s %8d KiB%7s' "$1, memory" "$size" ''
    held "$size" 12288 'at most 12288'
}
gate=$(systemctl show -p MainPID --value onsite-gate)
rest 'the gate that stays' "$gate" "$(wakes "$gate")"

onsite watch --json --debounce 0s | while IFS= read -r line; do echo "$EPOCHREALTIME $line"; done >/run/told &
wait_for 50 grep -q trusted-network /run/told
watcher=$(pgrep -x onsite)
rest 'watch' "$watcher" "$(wakes "$watcher")"
slowest=0
for _ in {1..10}; do
    before=${EPOCHREALTIME/./}
    leave wlan1
    wait_for 50 eval 'tail -n 1 /run/told | grep -q not-connected'
    read -r moment _ < <(tail -n 1 /run/told)
    took=$((${moment/./} - before))
    ((took <= slowest)) || slowest=$took
    join wlan1 wpa2 Corp-Staff
    wait_for 50 eval 'tail -n 1 /run/told | grep -q trusted-network'
done
# With the time that the supplicant takes to leave.
printf '%-46s %8d us %7s' 'watch, to leave and to be told, slowest of 10' "$slowest" ''
held "$slowest" 200000 'at most 200 ms'
((over == 0))
