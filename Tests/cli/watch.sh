# shellcheck shell=bash disable=SC2154
# `watch`: what it prints and runs, in pipes that behave in every way; events that are lost. E07, F11.
#
# The network is the one of a library that makes the loopback interface of an empty network namespace a Wi-Fi station
# (wext.c): trusted while it is up, not connected while it is down.

new
file /etc/onsite/networks.d/claim.toml 'ssid = "Corp-Staff"
site = "Berlin"
minimum-evidence = "claimed"'
on apply
lines=$work/lines errors=$work/watch-errors
[ -e "$work/wext.so" ] ||
    cc -std=gnu11 -O2 -shared -fPIC -o "$work/wext.so" "$here/wext.c" || say 'not ok - the library of the driver is built'

# A network namespace that lasts, and what is done in it.
unshare -n sleep 3600 &
space=$!
inside() { nsenter -n -t $space "$@"; }
soon() {
    local n=0
    until "$@" 2> /dev/null; do
        n=$((n + 1))
        [ $n -lt 100 ] || return 1
        sleep 0.05
    done
}
named() { [ "$(readlink /proc/$space/ns/net)" != "$(readlink /proc/self/ns/net)" ]; }
soon named || say 'not ok - a network namespace'
lo() { inside ip link set lo "$1"; }

# watch ARGUMENTS...: starts it in the background; its process is `watcher`.
watch() {
    # Each of these programs becomes the next: the process is the one that is signalled.
    nsenter -n -t $space env LD_PRELOAD="$work/wext.so" "$onsite" watch "$@" --root "$R" > "$lines" 2> "$errors" &
    watcher=$!
}
# ends NAME STATUS: what started in the background ends so, soon, and says nothing on the way.
ends() {
    soon eval "! kill -0 $watcher"
    local late=$?
    [ $late -eq 0 ] || kill -KILL $watcher
    wait $watcher 2> /dev/null
    local ended=$?
    holds "$1" test "$late $ended $(head -c 200 "$errors")" = "0 $2 ${3:-}"
}
stop() {
    kill -TERM $watcher
    ends "$1" 0
}
count() { grep -c '' "$lines"; }
has() { [ "$(count)" -eq "$1" ]; }
shows() { soon has "$1" && sed -n "$1p" "$lines" | grep -Eq -- "$2"; }
when='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z'

lo up
watch --debounce 0s
holds 'the state is shown at once' shows 1 "^$when  trusted +trusted-network +claim  lo$"
lo down
holds 'a change is shown when it happens' shows 2 "^$when  not-trusted +not-connected +-  -$"
rm "$R/var/lib/onsite/policy.cdb"
holds 'so is a policy that goes' shows 3 'not-trusted +policy-missing '
on apply
lo up
holds 'and one that is applied' soon grep -q 'trusted-network' <(tail -n +4 "$lines"; sleep 0.2; tail -n +4 "$lines")
holds 'a policy that is missing is told why' grep -q "^onsite: $R/var/lib/onsite/policy.cdb: No such file" "$errors"
: > "$errors"
stop 'SIGTERM ends it with 0'

watch --json --debounce 1s
soon has 1
cp "$lines" "$work/out"
holds 'one object a line, always with the same keys' json "sorted(d) == sorted(['time', 'trusted', 'second_factor', 'reason', 'network', 'site', 'interface'])"
holds 'and what they say' json "(d['trusted'], d['second_factor'], d['reason'], d['network'], d['site'], d['interface']) == (True, 'not-required', 'trusted-network', 'claim', 'Berlin', 'lo')"
lo down
sleep 0.5
lo up
sleep 1.2
holds 'a gap that is shorter than --debounce is none' has 1
lo down
sleep 0.4
holds 'a change is not shown before its time' has 1
holds 'but then' shows 2 '"reason":"not-connected"'
kill -INT $watcher
ends 'SIGINT ends it with 0' 0

# What lasts 30 seconds here is an hour on a laptop: nothing wakes it, and it is small.
lo up
watch
soon has 1
sleep 0.5
timeout 5 strace -f -qq -o "$work/trace" -p $watcher 2> /dev/null
holds 'at rest it makes no system call' test "$(grep -c '' "$work/trace")" -le 1 -a -s "$work/trace"
holds 'but for one without an end' grep -Eq '(poll|restart_syscall)\(.*(, -1|resuming|<detached)' "$work/trace"
memory=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$watcher/status)
holds "it stays within 12 MiB: $memory KiB" test "$memory" -le 12288
stop 'it ends'

# E07: more events than a socket holds, while it cannot read them.
watch --debounce 0s
soon has 1
kill -STOP $watcher
for ((i = 0; i < 5000; i++)); do printf 'link set lo down\nlink set lo up\n'; done > "$work/batch"
echo 'link set lo down' >> "$work/batch"
inside ip -batch "$work/batch"
holds 'events are lost' soon eval "awk -v n=0 '\$2 == 0 && \$9 > 0 { n = 1 } END { exit !n }' /proc/$space/net/netlink"
before=$(awk '{ print $14 + $15 }' /proc/$watcher/stat)
kill -CONT $watcher
holds 'E07: after lost events it shows the newest state' shows 2 'not-connected'
lo up
holds 'E07: and follows on' shows 3 'trusted-network'
sleep 1
after=$(awk '{ print $14 + $15 }' /proc/$watcher/stat)
holds "E07: and does not spin: $((after - before)) ticks" test $((after - before)) -le 50
stop 'E07: and ends'

# Events without a pause cost little: there are no more than 20 looks a second.
watch --debounce 0s
soon has 1
before=$(awk '{ print $14 + $15 }' /proc/$watcher/stat)
inside ip -batch "$work/batch"
sleep 0.2
after=$(awk '{ print $14 + $15 }' /proc/$watcher/stat)
holds "10001 events cost $((after - before)) ticks" test $((after - before)) -le 200
stop 'and it ends'

# F11: readers.
lo up
piped() { inside env LD_PRELOAD="$work/wext.so" timeout 20 "$onsite" watch --debounce 0s --root "$R"; }
capture bash -c 'set -o pipefail; "$0" "$@" | head -1' \
    nsenter -n -t $space env LD_PRELOAD="$work/wext.so" timeout 20 "$onsite" watch --root "$R"
was 'F11: a reader of one line ends it, though nothing changes' 0 'trusted-network' ''
{ piped || say "not ok - F11: a reader that goes: status $?"; } 2> "$errors" | cat > "$lines" &
soon has 1
lo down
holds 'F11: each line comes at once, in a pipe too' shows 2 'not-connected'
kill $!
holds 'F11: and it ends quietly with its reader' soon eval '! pgrep -f "^$onsite watch.*$R"'
holds 'F11: without a word' test ! -s "$errors"
lo up
capture bash -c '"$@" >&-' - nsenter -n -t $space timeout 20 "$onsite" watch --root "$R"
was 'F11: a standard output that is closed' 1 '' 'cannot write to standard output: Bad file descriptor'
capture bash -c '"$@" > /dev/full' - nsenter -n -t $space timeout 20 "$onsite" watch --root "$R"
was 'F11: a full disk' 1 '' 'cannot write to standard output: No space left'
capture bash -c '"$@" <&- 2>&- | head -1' - nsenter -n -t $space timeout 20 "$onsite" watch --root "$R"
was 'F11: no standard input and error' 0 'not-trusted' ''

# A reader that stops, with a pipe of one page that is full.
mkfifo "$work/fifo"
exec 5<> "$work/fifo"
fill() { "$python" -c 'import fcntl, os; fcntl.fcntl(5, 1031, 4096); os.write(5, b"x" * 4096)'; }
fill
nsenter -n -t $space env LD_PRELOAD="$work/wext.so" "$onsite" watch --debounce 0s --root "$R" > "$work/fifo" 2> "$errors" &
watcher=$!
sleep 0.5
for state in down up down; do
    lo $state
    sleep 0.3
done
dd bs=4096 count=1 <&5 > "$lines" 2> /dev/null
holds 'F11: nothing was written while the reader had stopped' test "$(tr -d x < "$lines" | wc -c)" -eq 0
timeout 1 cat <&5 > "$lines"
holds 'F11: when it goes on it gets the line that was begun and the newest state' \
    test "$(awk '{ print $3 }' "$lines" | tr '\n' ' ')" = 'trusted-network not-connected '
fill
lo up
sleep 0.3
kill -TERM $watcher
ends 'F11: SIGTERM ends it while its reader has stopped' 0
exec 5<&-

# --exec.
lo up
ran=$work/ran
: > "$ran"
# shellcheck disable=SC2016
watch --debounce 0s --exec 'echo "$ONSITE_TRUSTED,$ONSITE_REASON,$ONSITE_NETWORK,$ONSITE_SITE,$ONSITE_INTERFACE" >> '"$ran"'; cat >> '"$ran"'; sleep 1; echo end >> '"$ran"
did() { [ "$(tr '\n' ' ' < "$ran")" = "$1" ]; }
holds 'a command is run with the state' soon did 'yes,trusted-network,claim,Berlin,lo '
lo down
sleep 0.2
lo up
sleep 0.2
lo down
holds 'one at a time, and the last state is not lost' soon did 'yes,trusted-network,claim,Berlin,lo end no,not-connected,,, '
sleep 1.3
holds 'and states in between are left out' did 'yes,trusted-network,claim,Berlin,lo end no,not-connected,,, end '
holds 'no child is left over' test -z "$(ps -o stat= --ppid $watcher)"
stop 'it ends while nothing runs'
watch --exec 'kill -9 $$'
holds 'a command that fails is told of' soon grep -q '^onsite: the command of --exec ended with status 137$' "$errors"
: > "$errors"
stop 'and it goes on'

# The clock of a process of its own is not set here: that midnight is waited for shows in what is asked of the kernel.
inside env LD_PRELOAD="$work/wext.so" timeout 2 strace -o "$work/trace" -e trace=timerfd_settime "$onsite" watch --root "$R" > /dev/null
midnight=$((($(date +%s) / 86400 + 1) * 86400))
holds 'it wakes up at midnight in UTC, and when the clock is set' \
    grep -q "TFD_TIMER_ABSTIME|TFD_TIMER_CANCEL_ON_SET.*tv_sec=$midnight," "$work/trace"

# Where there is no netlink it cannot follow, and says so.
WEXT_DENY=1 watch
ends 'without netlink it cannot go on' 1 'onsite: cannot follow the network: opening a netlink socket failed with error 97'
holds 'but shows the state' shows 1 'wifi-access-denied'
kill $space
