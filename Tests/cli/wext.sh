# shellcheck shell=bash disable=SC2154
# A driver with the Wireless Extensions and no nl80211: the loopback interface of an empty network namespace, for which
# a library answers. The rest is the real command on the real kernel.

new
file /etc/onsite/networks.d/claim.toml 'ssid = "Corp-Staff"
bssid = ["02:00:00:00:00:01"]
minimum-evidence = "claimed"'
file /etc/onsite/networks.d/usual.toml 'ssid = "Corp-Usual"'
t 'apply' 0 'policy applied: 2 networks' '' apply

# w NAME STATUS OUT ERR SETTING... -- ARGUMENTS...: runs onsite on R where the driver answers as the settings say.
w() {
    local judged=("${@:1:4}") settings=()
    shift 4
    while [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    shift
    # shellcheck disable=SC2016
    capture unshare -n sh -c 'ip link set lo "$0" && exec env "$@"' "${lo:-up}" "${settings[@]}" "$onsite" "$@" --root "$R"
    was "${judged[@]}"
}
check() { w "$1" "$2" "\"reason\":\"$3\"" '*' LD_PRELOAD="$work/wext.so" "${@:4}" -- check --network-only --json; }

holds 'the library of the driver is built' \
    cc -std=gnu11 -O2 -Wall -Wextra -Wconversion -Werror -shared -fPIC -o "$work/wext.so" "$here/wext.c"

# The kernel may have nl80211 without an interface, or none at all.
w 'no driver' 3 '"reason":"(wifi-unavailable|no-wifi-interface)"' '*' -- check --network-only --json
source=nl80211
grep -q wifi-unavailable <<< "$out" && source=wext

w 'evidence of a driver' 0 "\"source\":\"$source\"" '' LD_PRELOAD="$work/wext.so" -- status --json
holds 'and it has one station and nothing about a key' json \
    "[(i['name'], i['type'], i['state'], i['authorized'], i['mfp'], i['security']) for i in d['interfaces']] == [('lo', 'station', 'connected', None, None, [])]"
lo=down w 'evidence of one that is switched off' 0 '"state":"down"' '' LD_PRELOAD="$work/wext.so" -- status --json
w 'evidence of an access point' 0 '"type":"ap"' '' LD_PRELOAD="$work/wext.so" WEXT_MODE=3 -- status --json

check 'a claim where no more is asked for' 0 trusted-network
check 'a claim at another access point' 1 bssid-not-listed WEXT_AP=020000000002
check 'a claim where more is asked for' 1 security-too-weak WEXT_SSID="$(hex Corp-Usual)"
check 'another name' 1 network-not-listed WEXT_SSID="$(hex CoffeeShop)"
check 'a name with a NUL at its end' 1 network-not-listed WEXT_SSID="$(hex Corp-Staff)00"
check 'a name of 32 bytes' 1 network-not-listed WEXT_SSID="$(printf '61%.0s' {1..32})"
for count in 33 34 35; do
    check "a name of $count bytes" 3 probe-failed WEXT_SSID="$(printf '61%.0s' $(seq $count))"
done
check 'no name' 1 not-connected WEXT_SSID=
for address in 000000000000 444444444444 ffffffffffff; do
    check "the access point $address" 1 not-connected WEXT_AP=$address
done
check 'an access point that changes all the time' 3 probe-inconsistent WEXT_AP=020000000001020000000002
check 'a driver where netlink is denied' 3 wifi-access-denied WEXT_DENY=1
