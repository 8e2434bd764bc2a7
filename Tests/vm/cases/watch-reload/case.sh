# The drivers go and come again while watch runs; then an entry expires at midnight. It asks the system for nothing else.
trust corp-staff 'ssid = "Corp-Staff"' "expires = $(date -u +%F)"
onsite watch --debounce 1s >/run/watch 2>&1 &
watcher=$!

# told PATTERN   waits until the last line is that
told() { wait_for 150 last "$1" || fail "watch told no $1: $(tail -n 1 /run/watch)"; }
last() { tail -n 1 /run/watch | grep -q -- "$1"; }

told 'not-trusted  not-connected '
stop_daemons
rmmod mac80211_hwsim mac80211 cfg80211
told 'not-trusted  wifi-unavailable '
reset_radios
told 'not-trusted  not-connected '
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
told 'trusted      trusted-network '
leave wlan1
told 'not-trusted  not-connected '
join wlan1 wpa2 Corp-Staff
told 'trusted      trusted-network '

# At rest nothing wakes it. The trace is not put in /run, where a folder of the policy may come to be.
timeout 3 strace -qq -o /tmp/trace -p $watcher || true
(($(grep -c '' /tmp/trace) <= 1)) || fail "watch is not at rest: $(head -n 3 /tmp/trace)"
resident=$(awk '/^VmRSS/ { print $2 }' /proc/$watcher/status)
((resident <= 12288)) || fail "watch takes $resident KiB"

now=$(date -u +%s)
date -u -s '23:59:58' >/dev/null
told 'not-trusted  entry-expired '
[[ $(tail -n 1 /run/watch) == *T00:00:0* ]] || fail "an entry expired at $(tail -n 1 /run/watch)"
date -u -s "@$((now + 5))" >/dev/null
kill $watcher
wait $watcher || fail "watch ended with status $?"
