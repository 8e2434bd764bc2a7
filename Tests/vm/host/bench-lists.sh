#!/bin/bash
# bench-lists.sh ONSITE INTERLEAVE: what an allowlist costs with ten access points and with a million, on this machine.
# Works in a temporary directory. Ratios of medians of runs in turn, held against the limits.
set -euo pipefail
onsite=$1 interleave=$2
rounds=${ONSITE_BENCH_ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
: >"$work/none"

# pins COUNT: so many addresses, each once, in no order.
pins() {
    awk -v count="$1" 'BEGIN {
        for (i = 0; i < count; i++) {
            n = (i * 7368787) % 16777213
            printf "02:11:%02x:%02x:%02x:%02x\n", i % 251, int(n / 65536), int(n / 256) % 256, n % 256
        }
    }'
}

for count in 10 1000 100000 1000000; do
    root=$work/$count
    mkdir -p "$root/etc/onsite/networks.d"
    pins "$count" >"$root/etc/onsite/networks.d/hq.bssids"
    printf 'ssid = "Corp"\nbssid-file = "hq.bssids"\n' >"$root/etc/onsite/networks.d/hq.toml"
    "$onsite" apply --root "$root" >/dev/null
done
list=$work/1000000/etc/onsite/networks.d/hq.bssids
last=$(tail -1 "$list")
cat >"$work/evidence" <<END
{ "format": 1, "source": "nl80211", "unavailable": null, "session": { "remote": false }, "interfaces": [
  { "name": "wlan0", "index": 3, "type": "station", "state": "connected", "ssid_hex": "436f7270",
    "links": [ { "bssid": "$(tail -1 "$work/10/etc/onsite/networks.d/hq.bssids")" } ], "mld": null, "authorized": true,
    "mfp": true, "security": ["wpa3-personal"], "negotiated": null, "verified": false } ] }
END
sed "s/\"bssid\": \"[^\"]*\"/\"bssid\": \"$last\"/" "$work/evidence" >"$work/evidence-last"
{ echo ssid,bssid && sed 's/^/Corp,/' "$list"; } >"$work/list.csv"
mkdir "$work/import"

over=0
# row LABEL MICROSECONDS [OF BY TENTHS]
row() {
    printf '%-46s %8d.%02d ms' "$1" $(($2 / 1000)) $(($2 % 1000 / 10))
    if (($# == 2)); then
        echo
        return
    fi
    local ratio=$(($3 * 100 / $4)) verdict=ok
    ((ratio <= $5 * 10)) || { verdict=over && over=1; }
    printf '   %3d.%02d   at most %2d.%d   %s\n' $((ratio / 100)) $((ratio % 100)) $(($5 / 10)) $(($5 % 10)) "$verdict"
}
printf '\nallowlists: median of runs in turn\n\n%-46s %14s   %6s   %s\n' '' median ratio limit

check=()
for count in 10 1000 100000 1000000; do
    evidence=$work/evidence
    ((count < 1000000)) || evidence=$work/evidence-last
    check+=(-- "$onsite" check --quiet --root "$work/$count" --evidence "$evidence")
done
mapfile -t medians < <("$interleave" 201 "$work/none" "${check[@]}" | cut -d' ' -f1)
row 'check with 10 access points' "${medians[0]}"
row 'check with 1,000' "${medians[1]}" "${medians[1]}" "${medians[0]}" 11
row 'check with 100,000' "${medians[2]}" "${medians[2]}" "${medians[0]}" 11
row 'check with 1,000,000' "${medians[3]}" "${medians[3]}" "${medians[0]}" 11

mapfile -t medians < <("$interleave" "$rounds" "$work/none" -- env LC_ALL=C sort -u "$list" \
    -- "$onsite" apply --root "$work/1000000" -- "$onsite" allow add hq --bssid 02:99:00:00:00:01 --root "$work/1000000" \
    -- sh -c "rm -rf '$work/import'; mkdir '$work/import'; exec '$onsite' allow import '$work/list.csv' --name hq --root '$work/import'" | cut -d' ' -f1)
row 'sort -u of 1,000,000' "${medians[0]}"
row 'apply' "${medians[1]}" "${medians[1]}" "${medians[0]}" 40
row 'allow add of one' "${medians[2]}" "${medians[2]}" "${medians[1]}" 15
row 'allow import of a table' "${medians[3]}" "${medians[3]}" "${medians[1]}" 20

# The most memory that a command needs, in KiB, as the kernel counts it.
resident() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }
memory=$(resident "$onsite" apply --root "$work/1000000")
printf '%-46s %8d MiB              at most 300    %s\n' 'memory of apply' $((memory / 1024)) \
    "$( ((memory <= 300 * 1024)) && echo ok || echo over)"
small=$(resident "$onsite" check --quiet --root "$work/10" --evidence "$work/evidence")
large=$(resident "$onsite" check --quiet --root "$work/1000000" --evidence "$work/evidence-last")
printf '%-46s %8d KiB              at most 1024   %s\n' 'more memory of a check with 1,000,000' $((large - small)) \
    "$( ((large - small <= 1024)) && echo ok || echo over)"
((memory <= 300 * 1024 && large - small <= 1024)) || over=1
exit $over
