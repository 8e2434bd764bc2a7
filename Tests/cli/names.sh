# shellcheck shell=bash disable=SC2154
# Names of networks are bytes: what is added is listed, shown, matched by itself and by nothing else. And BSSIDs.

new
t 'a first network' 0 'added first; policy applied' '' allow add first --ssid 'First'

# name_is CASE HEX [TEXT]: adds the name by TEXT where there is one, else in digits; then it must be itself, whatever is
# asked. What is asked in JSON is S14.
number=0
name_is() {
    local case=$1 digits=$2 want
    number=$((number + 1))
    if [ $# -gt 2 ]; then on allow add "n$number" --ssid "$3"; else on allow add "n$number" --ssid-hex "$digits"; fi
    was "$case: name $digits is added" 0 "^added n$number; policy applied" ''
    decides "$case: name $digits is itself" 0 trusted-network "$digits"
    holds "S14: name $digits comes out of JSON" json "d['ssid_hex'] == '$digits' and d['network'] == 'n$number'"
    want="bytes.fromhex('$digits')"
    holds "S14: name $digits is text in JSON, or null" json "(d['ssid'].encode() if d['ssid'] is not None else None) == (lambda b: b if b.decode('utf-8', 'ignore').encode() == b else None)($want)"
    on allow show "n$number"
    was "$case: name $digits is shown" 0 '^ssid' ''
    cp "$work/out" "$R/shown"
    on allow show "n$number" --json
    was "$case: name $digits is shown in JSON" 0 '"ssid_hex"' ''
    holds "S14: name $digits stands in it" json "d['ssids'][0]['ssid_hex'] == '$digits' and set(d) == LISTING"
    # What is shown is a file that means the same.
    rm -rf "$R/again"; mkdir -p "$R/again/networks.d"; cp "$R/shown" "$R/again/networks.d/n.toml"
    capture "$onsite" check --policy "$R/again" --evidence "$work/evidence"
    was "$case: name $digits from what was shown" 0 trusted-network ''
    decides "$case: name $digits with a blank is another" 1 network-not-listed "${digits:0:62}20"
}
# named CASE TEXT...: names that can be typed. What looks like an option is written in digits.
named() {
    local name
    for name in "${@:2}"; do
        case $name in --*) name_is "$1" "$(hex "$name")" ;; *) name_is "$1" "$(hex "$name")" "$name" ;; esac
    done
}
named S02 'C:\xBIN\x9'
named S03 'Café'
named S07 "$(printf '\U1f600')"
named S10 '(null)' '<hidden>' '--yes'
named S11 'skynet ' "$(printf 'iBoy\u2019s')" "$(printf 'Cafe\u0301')"
named S12 '#x' 'x #y' 'a=b' 'a"b' "'a'" 'a\' 'a,b' 'a:b' '[a]' '!a' 'Corp*' 'a?'
named S13 'a|b'
for name in fffe 436f7270ff 41ba 00ff; do name_is S06 "$name"; done
for name in 610a62 610962; do name_is S12 "$name"; done
for name in 1b5b324a0a323032362063686563 613ae280ae6162 0d; do name_is S13 "$name"; done
for name in 5c 22 00011f eda080; do name_is S14 "$name"; done
name_is S01 "$(printf '61%.0s' {1..31})"
name_is S01 "$(printf '61%.0s' {1..32})"
name_is S01 "$(printf 'ff%.0s' {1..32})"
name_is S07 "$(printf '61%.0s' {1..31})c3"
for other in CorpX corp 'Corp' ax aX 'x' 'Cafe' "iBoy's" skynet ' skynet' 'off/any' '--' 'unknown' any; do
    decides "S10 to S12: a pattern or a look-alike is not meant: $other" 1 network-not-listed "$(hex "$other")"
done
for other in 41fd 436f7270fe fffd 00011e; do decides "S06: other bytes: $other" 1 network-not-listed $other; done
on allow list --json
was 'the list in JSON' 0 '^\[' ''
holds 'every network stands in it, with the same keys' json "len(d) == $number + 1 and all(set(n) == LISTING for n in d)"
t 'the list for people' 0 '^n[0-9]+ +skip +"#x"' '' allow list

# S03: three ways to write one name.
new
t 'S03: a name as iw prints it is taken as it stands' 0 'added' '' allow add pasted --ssid 'Caf\xc3\xa9'
decides 'so it is not the name' 1 network-not-listed 436166c3a9
t 'and lint says so' 0 'looks like an escape printed by iw \(did you mean ssid-hex = "436166c3a9"\?\)' '' lint
t 'the name in digits' 0 'added' '' allow add hexed --ssid-hex 436166C3A9
decides 'is the name' 0 trusted-network 436166c3a9

# S09: an empty name is nothing.
new
file /etc/onsite/networks.d/a.toml 'ssid = ""'
t 'S09: an empty name in a file' 1 '' '/networks.d/a.toml:1: an SSID is empty' lint
file /etc/onsite/networks.d/a.toml ''
t 'an empty file' 0 'policy applied: 0 networks' '' apply
decides 'no name and no network' 1 network-not-listed null
decides 'a name and no network' 1 network-not-listed "$(hex CoffeeShop)"

# B01: every notation is taken and matches, or is refused. B03: no placeholder is a pin.
new
on allow add corp --ssid Corp --bssid 02:00:00:00:00:99
for pin in 02:AB:CD:EF:00:01 02-ab-cd-ef-00-01 02ab.cdef.0001 02AB.CDEF.0001; do
    t "B01: the notation $pin" 0 'changed corp' '' allow add corp --bssid "$pin"
    decides "$pin matches" 0 trusted-network "$(hex Corp)" 02:ab:cd:ef:00:01
    t "$pin is one pin in one form" 0 '"bssids":\["02:00:00:00:00:99","02:ab:cd:ef:00:01"\]' '' allow show corp --json
    t "$pin is removed by another form" 0 'changed corp' '' allow remove corp --bssid 02-AB-CD-EF-00-01
    decides "$pin is gone" 1 bssid-not-listed "$(hex Corp)" 02:ab:cd:ef:00:01
done
for pin in 02ABcdEF0001 02:ab-cd:ef:00:01 2:ab:cd:ef:0:1 '02:ab:cd:ef:00:01 ' "$(printf '02:ab:cd:ef:00:\uff10\uff11')" \
    02:ab:cd:ef:00 02:ab:cd:ef:00:01:02 any '' 00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 01:00:5e:00:00:01 \
    02:ab:cd:ef:00:01/44 02:00:00:00:00:00/23 02:00:00:00:00:00/49 02:00:00:00:00:00/ '*'; do
    t "B03: the pin '$pin' is refused" 2 '' '^onsite: --bssid cannot be "' allow add corp --bssid "$pin"
    file /etc/onsite/networks.d/bad.toml "ssid = 'Bad'
bssid = ['$pin']"
    t "the pin '$pin' is refused in a file, with its line" 1 '' 'bad.toml:2: bssid cannot be "' lint
    rm "$R/etc/onsite/networks.d/bad.toml"
done

# H07: the locale changes nothing. Where it is not installed it is made here, when its sources are there.
mkdir -p "$work/locales"
for locale in tr_TR.UTF-8 de_DE.ISO-8859-1; do
    localedef -i "${locale%%.*}" -f "${locale#*.}" "$work/locales/$locale" 2> /dev/null
done
new
on allow add cafe --ssid 'Café' --bssid 02-AB-CD-EF-00-01 --site 'İI ıi'
evidence 436166c3a9 02:ab:cd:ef:00:01 > "$work/evidence"
for command in 'check --json --precise --evidence' 'check --explain --precise --evidence' 'allow list' 'allow show cafe' lint; do
    case $command in *--evidence) arguments=($command "$work/evidence") ;; *) arguments=($command) ;; esac
    env -u LANG "$onsite" "${arguments[@]}" --root "$R" > "$work/plain" 2>&1
    for locale in LANG= LC_ALL=C LC_ALL=tr_TR.UTF-8 LC_ALL=de_DE.ISO-8859-1; do
        env LOCPATH="$work/locales" "$locale" "$onsite" "${arguments[@]}" --root "$R" > "$work/out" 2>&1
        holds "onsite $command says the same with $locale" cmp "$work/plain" "$work/out"
    done
done
