#!/bin/bash
# bench-session.sh ROUNDS   what it costs to find out who is asking, under systemd with a login at the console, and what
# the supplicant's word costs.
set -euo pipefail

source /mnt/vm/guest/library.sh
exec 3>&2

rounds=$1
sed -i "s/^netdev:.*/&$user/" /etc/group
install_product
reset_policy
reset_radios
access_point wlan0 fast Corp-Staff "$hq"
join wlan1 fast Corp-Staff
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

# variant NAME POLICY-LINE NETWORK-LINE...   the same allowlist under another root, with something else asked for
variant() {
    local folder=/run/bench/$1
    mkdir -p "$folder/etc/onsite/networks.d"
    printf '%s\n' 'version = 1' '[decision]' "$2" >"$folder/etc/onsite/policy.toml"
    shift 2
    printf '%s\n' 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]" "$@" >"$folder/etc/onsite/networks.d/corp-staff.toml"
    onsite apply --root "$folder" >/dev/null
}
variant anywhere 'remote-sessions = "allow"'
variant here 'remote-sessions = "require"'
variant verified 'remote-sessions = "allow"' 'minimum-evidence = "verified"'

# A session at the console.
pam_service login 'auth required pam_permit.so'
echo 'session required pam_systemd.so' >>/etc/pam.d/login
commands="/mnt/tools/interleave $rounds /dev/null"
for name in anywhere here verified; do
    commands+=" -- onsite check --quiet --root /run/bench/$name"
done
chown $user /run/bench
# Its terminal makes it a session with a seat; the programs have none, and cannot be told by it.
# shellcheck disable=SC2086 # words
systemd-run --quiet --wait --uid=$user -p PAMName=login -p TTYPath=/dev/tty3 -p StandardInput=null \
    -p StandardOutput=file:/run/bench/figures $commands
medians=() fails=0
while read -r median _ failed; do
    medians+=("$median") fails=$((fails + failed))
done </run/bench/figures

session=$((medians[1] * 100 / medians[0]))
word=$(((medians[2] - medians[0]) / 1000))
printf 'median of %s runs in turn, at the console of a machine that systemd runs\n\n' "$rounds"
printf '%-46s %5d us\n' 'onsite check, whoever asks' "${medians[0]}"
printf '%-46s %5d us   %3d.%02d\n' '  and who asks' "${medians[1]}" $((session / 100)) $((session % 100))
printf '%-46s %5d us   %+4d ms   at most 50 ms more\n' "  and the supplicant's word" "${medians[2]}" "$word"
((fails == 0)) || echo "$fails checks did not find the network trusted"
((${#medians[@]} == 3 && fails == 0 && word <= 50))
