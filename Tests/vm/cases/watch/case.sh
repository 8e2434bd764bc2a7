# From nowhere to the company's network, around in it, away, to an evil twin: what watch tells, and how soon.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $annex
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\", \"$annex\"]" 'site = "Berlin HQ"'

onsite watch >/run/watch 2>/run/watch-errors &
# Every change, and the moment of each line, beside the kernel's own.
onsite watch --json --debounce 0s | while IFS= read -r line; do echo "$EPOCHREALTIME $line"; done >/run/every &
iw event -t >/run/kernel &

# told NUMBER PATTERN   waits for a line of the first one, which must be that
told() {
    wait_for 150 eval "[[ \$(wc -l </run/watch) -ge $1 ]]" || fail "watch told no line $1, $2: $(tail -n 1 /run/watch)"
    [[ $(sed -n "$1p" /run/watch) =~ $2 ]] || fail "line $1 of watch is '$(sed -n "$1p" /run/watch)', not $2"
    [[ $(wc -l </run/watch) == "$1" ]] || fail "watch told more than line $1: $(tail -n 1 /run/watch)"
}

told 1 'Z  not-trusted  not-connected '
join wlan1 wpa2 Corp-Staff
told 2 'Z  trusted      trusted-network +corp-staff  wlan1$'

# A roam in one trusted network is no change, though there is a gap.
roam wlan1 $annex
roam wlan1 $hq
roam wlan1 $annex
sleep 4
told 2 'trusted-network'
expect_check trusted-network

leave wlan1
told 3 'Z  not-trusted  not-connected '

# How soon: the kernel's line is "1.234567: wlan1 (phy #1): disconnected".
moment() { awk -v pattern="$2" '$0 ~ pattern { last = $1 } END { sub(":", "", last); printf "%d\n", last * 1000 }' "$1"; }
kernel=$(moment /run/kernel 'wlan1 .*: disconnected')
wait_for 20 grep -q not-connected <(tail -n 1 /run/every)
shown=$(moment /run/every '"reason":"not-connected"')
echo "shown after $((shown - kernel)) ms"
((kernel > 0 && shown - kernel >= -5 && shown - kernel < 200)) || fail "a disconnection was shown after $((shown - kernel)) ms"

stop_access_point wlan2
access_point wlan2 wpa2 Corp-Staff $twin
join wlan1 wpa2 Corp-Staff "bssid=$twin"
told 4 'Z  not-trusted  bssid-not-listed +corp-staff  wlan1$'

# At the same place, with another policy.
onsite allow add corp-staff --bssid $twin >/dev/null
told 5 'Z  trusted      trusted-network '
touch /etc/onsite/policy.toml
told 6 'Z  not-trusted  policy-stale '
apply
told 7 'Z  trusted      trusted-network '
[[ $(grep -c '' /run/watch-errors) == 1 ]] && grep -q policy.toml /run/watch-errors ||
    fail "watch complained: $(cat /run/watch-errors)"
kill $(jobs -p)
