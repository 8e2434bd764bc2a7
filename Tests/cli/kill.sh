# shellcheck shell=bash disable=SC2154
# Killed at every system call that changes a file: afterwards the old or the new is there, whole. F06.

new
networks=$R/etc/onsite/networks.d
calls=openat,write,fchmod,fchown,fsetxattr,fsync,renameat,unlinkat,mkdir,chmod,flock,ftruncate,lseek
on allow add corp --ssid Corp --bssid 02:00:00:00:00:01
cp "$networks/corp.toml" "$work/old"
on allow add corp --bssid 02:00:00:00:00:02 --no-apply
cp "$networks/corp.toml" "$work/new"

# killed NAME OLD NEW FILE ARGUMENTS...: kills the command at its first, second, ... call, until it gets to its end.
killed() {
    local name=$1 old=$2 new=$3 file=$4 n=0 wrong='' status
    while [ $n -lt 400 ]; do
        n=$((n + 1))
        cp -p "$old" "$file"
        on apply
        strace -f -o /dev/null -e trace=$calls -e inject=$calls:signal=KILL:when=$n "$onsite" "${@:5}" --root "$R" \
            > /dev/null 2>&1
        status=$?
        cmp -s "$file" "$old" || cmp -s "$file" "$new" || wrong="$wrong $n:neither"
        "$onsite" lint --root "$R" > /dev/null 2>&1 || wrong="$wrong $n:invalid"
        [ $status -ne 137 ] && break
    done 2> /dev/null # where the shell tells of each one that was killed
    [ $n -gt 10 ] && [ $n -lt 400 ] || wrong="$wrong only $n calls"
    holds "killed at each of $n calls: $name" test -z "$wrong"
    : > "$networks/.other.bssids.onsite-new"
    on apply
    holds "and the next command leaves nothing behind: $name" test -z "$(find "$R" -name '.*onsite-new*')"
}
killed 'an edit' "$work/old" "$work/new" "$networks/corp.toml" allow add corp --bssid 02:00:00:00:00:02
printf 'SSID,BSSID\nCorp,02:00:00:00:00:02\n' > "$work/table"
killed 'an import' "$work/old" "$work/new" "$networks/corp.toml" allow import "$work/table" --name corp
cp "$work/old" "$work/same"
killed 'an apply' "$work/old" "$work/same" "$networks/corp.toml" apply
