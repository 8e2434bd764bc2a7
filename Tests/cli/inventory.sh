# shellcheck shell=bash disable=SC2154
# `allow import`, `export`, `compact` and `test`: what other programs and people write of access points.

new
networks=$R/etc/onsite/networks.d

# reads NAME FORMAT PATTERN OPTIONS... < FILE: one access point more, of the format that is recognised and that is named.
number=0
reads() {
    cat > "$work/inventory"
    number=$((number + 1))
    t "reads $1" 0 "$3" '' allow import "$work/inventory" --name "n$number" --ssid Corp "${@:4}"
    holds "and has it: $1" grep -q '02:11:22:33:44:50' "$networks/n$number.toml"
    t "reads $1, named" 0 'changed n' '' allow import "$work/inventory" --name "n$number" --format "$2" "${@:4}"
}
reads 'a table' csv '1 access point$' <<< $'AP,SSID,BSSID\r\nx,Corp,02:11:22:33:44:50\r'
reads 'a table with semicolons' csv '1 access point$' <<< $'BSSID;SSID;Site\n02-11-22-33-44-50;Corp;"a;b"'
reads 'a table with tabs and a byte order mark' csv '1 access point$' <<< $'\xef\xbb\xbfssid\tbssid\nCorp\t0211.2233.4450'
reads 'a column by its name' csv '1 access point$' --column 'bssid=Radio MAC' <<< $'SSID,Radio MAC\nCorp,02:11:22:33:44:50'
reads 'quotes in a field' csv '1 access point, 1 of other names left out' <<< $'SSID,BSSID\n"Co""rp, x",02:11:22:33:44:51\nCorp,"02:11:22:33:44:50"'
reads 'weak security left out' csv '1 access point, 2 that prove no key left out' <<< $'SSID,BSSID,Security\nCorp,02:11:22:33:44:50,wpa2-enterprise\nCorp,02:11:22:33:44:51,open\nCorp,02:11:22:33:44:52,WEP'
reads 'WiGLE' wigle '1 access point, 1 of other names left out, 1 that prove no key left out, 1 that hide' << 'END'
WigleWifi-1.4,appRelease=2.26,model=x
MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type
02:11:22:33:44:50,Corp,[WPA2-EAP-CCMP][ESS],2026-01-01 00:00:00,6,-50,0,0,0,0,WIFI
02:11:22:33:44:51,Corp,[ESS],2026-01-01 00:00:00,6,-50,0,0,0,0,WIFI
02:11:22:33:44:52,Other,[WPA2-PSK-CCMP][ESS],2026-01-01 00:00:00,6,-50,0,0,0,0,WIFI
02:11:22:33:44:53,,[WPA2-PSK-CCMP][ESS],2026-01-01 00:00:00,6,-50,0,0,0,0,WIFI
02:11:22:33:44:54,Corp,Misc,2026-01-01 00:00:00,0,-50,0,0,0,0,BT
END
reads 'a scan of iw' iw '1 access point, 1 that prove no key left out, 1 that hide' << 'END'
BSS 02:11:22:33:44:50(on wlan1) -- associated
	capability: ESS Privacy (0x0011)
	SSID: Corp
	RSN:	 * Version: 1
BSS 02:11:22:33:44:51(on wlan1)
	SSID: Corp
BSS 02:11:22:33:44:52(on wlan1)
	SSID: \x00\x00
	RSN:	 * Version: 1
END
reads 'netxml' netxml '1 access point$' << 'END'
<?xml version="1.0" encoding="ISO-8859-1"?>
<detection-run kismet-version="2016"><wireless-network number="1" type="infrastructure">
<SSID><essid cloaked="false">Corp</essid><encryption>WPA+AES-CCM</encryption><encryption>WPA+PSK</encryption></SSID>
<BSSID>02:11:22:33:44:50</BSSID>
<wireless-client><client-mac>02:99:99:99:99:99</client-mac><SSID><essid>Home</essid></SSID></wireless-client>
</wireless-network></detection-run>
END
reads 'UniFi' unifi '1 access point, 1 of other' <<< '{"meta":{"rc":"ok"},"data":[{"type":"uap","vap_table":[{"essid":"Corp","bssid":"02:11:22:33:44:50"},{"essid":"Guest","bssid":"02:11:22:33:44:51"}]}]}'
reads 'Meraki' meraki '1 access point$' <<< '{"basicServiceSets":[{"ssidName":"Corp","enabled":true,"bssid":"02:11:22:33:44:50"},{"ssidName":"Corp","enabled":false,"bssid":"02:11:22:33:44:51"}]}'
reads 'Meraki of an organisation' meraki '1 access point$' <<< '{"items":[{"serial":"Q","basicServiceSets":[{"bssid":"02:11:22:33:44:50","ssid":{"name":"Corp","enabled":true}}]}]}'
reads 'Aruba' aruba '1 access point$' <<< '{"aps":[{"name":"a","radio_bssids":[{"index":0,"macaddr":"02:11:22:33:44:40","bssids":[{"essid":"Corp","macaddr":"02:11:22:33:44:50"}]}]}]}'

holds 'takes the one site that a table names' sh -c "printf 'SSID,BSSID,Building\nCorp,02:11:22:33:44:50,x\n' > '$work/t' &&
    '$onsite' allow import '$work/t' --name sited --column site=Building --root '$R' && grep -qx 'site = \"x\"' '$networks/sited.toml'"
holds 'and none of two' sh -c "printf 'SSID,BSSID,Site\nCorp,02:11:22:33:44:50,x\nCorp,02:11:22:33:44:51,y\n' > '$work/t' &&
    '$onsite' allow import '$work/t' --name unsited --root '$R' && ! grep -q site '$networks/unsited.toml'"

# refuses NAME PATTERN OPTIONS... < FILE: nothing is imported, and one line says why.
refuses() {
    cat > "$work/inventory"
    t "refuses $1" 1 '' "$2" allow import "$work/inventory" --name refused "${@:3}"
    holds "and adds nothing: $1" test ! -e "$networks/refused.toml"
}
refuses 'a bad row, with its line' 'inventory:3: cannot read the BSSID "02:11:22:33:44"' <<< $'SSID,BSSID\nCorp,02:11:22:33:44:50\nCorp,02:11:22:33:44\nCorp,02:11:22:33:44:51'
refuses 'an SSID that is too long' ':2: an SSID of 33 bytes, the limit is 32 bytes' <<< "SSID,BSSID
$(printf 'a%.0s' {1..33}),02:11:22:33:44:50"
refuses 'an address of a device that may be no BSSID' 'no column looks like a BSSID .name it with --column bssid=' <<< $'SSID,MAC\nCorp,02:11:22:33:44:50'
refuses 'two columns for one' 'two columns look like bssid: "BSSID" and "AP BSSID"' <<< $'SSID,BSSID,AP BSSID\nCorp,02:11:22:33:44:50,02:11:22:33:44:51'
refuses 'several names' 'the file has 2 names: "Corp", "Guest" .say with --ssid' <<< $'SSID,BSSID\nCorp,02:11:22:33:44:50\nGuest,02:11:22:33:44:51'
refuses 'a name from the air' 'the file has 1 name: "Corp" .say with --ssid' <<< $'BSS 02:11:22:33:44:50(on wlan1)\n\tSSID: Corp\n\tRSN:\t * Version: 1'
refuses 'UTF-16' 'the file is UTF-16' < <(printf '\xff\xfeS\0')
refuses 'NUL' 'the file holds NUL bytes' < <(printf 'SSID,BSSID\nCo\0rp,02:11:22:33:44:50\n')
refuses 'what is nothing' 'the format is not recognised' <<< 'hello'
refuses 'half a document' 'not JSON' <<< '{"data":[{"vap_table":[{"essid":"Corp"'
refuses 'half XML' ':2: not XML' <<< '<detection-run><wireless-network type="infrastructure">'
refuses 'no access point in JSON' 'there is no access point in it' <<< '{"data":[]}'
t 'refuses a file that is not there' 1 '' '^onsite: /none: No such file' allow import /none --name refused
t 'refuses an endless device' 1 '' 'larger than' allow import /dev/zero --name refused

# Merge, prune, replace.
printf 'SSID,BSSID\nCorp,02:11:22:33:45:0%d\n' 1 2 3 4 5 6 7 8 9 | awk 'NR == 1 || !/SSID/' > "$work/nine"
on allow import "$work/nine" --name fleet
t 'what is known is not added' 0 '9 access points' '' allow import "$work/nine" --name fleet
holds 'and stands once' test "$(grep -c 02:11:22:33:45 "$networks/fleet.toml")" -eq 9
grep -v ':09' "$work/nine" > "$work/eight"
t 'a tenth is not pruned unasked' 1 '1 access point removed' 'more than a tenth of 9' allow import "$work/eight" --name fleet --prune
t 'but with a yes' 0 '1 access point removed' '' allow import "$work/eight" --name fleet --prune --yes
holds 'and is gone' sh -c "! grep -q ':09' '$networks/fleet.toml'"
t 'a dry run shows the change' 0 '^-    "02:11:22:33:45:08"' '' allow import <(head -8 "$work/nine") --name fleet --prune --yes --dry-run
holds 'and changes nothing' grep -q ':08' "$networks/fleet.toml"

# Many get a list of their own, whose comments stay.
for i in {10..99}; do echo "Corp,02:11:22:33:46:$i"; done | sed '1i SSID,BSSID' > "$work/ninety"
t 'many' 0 '90 access points' '' allow import "$work/ninety" --name many
holds 'get a list' test "$(grep -c . "$networks/many.bssids")" -eq 90
sed -i '1i # from the survey of May' "$networks/many.bssids"
on apply
t 'one more in it' 0 'changed many' '' allow import <(printf 'SSID,BSSID\nCorp,02:11:22:33:47:01\n') --name many
holds 'keeps the comment' test "$(head -1 "$networks/many.bssids")" = '# from the survey of May'
holds 'comes last' test "$(tail -1 "$networks/many.bssids")" = 02:11:22:33:47:01

# Compact: full sets become prefixes, and not one address more is trusted.
set --
for i in {16..31} 64; do set -- "$@" --bssid "$(printf '02:11:22:33:48:%02x' "$i")"; done
on allow add full --ssid Full "$@"
t 'a prefix for a full set' 0 '^02:11:22:33:48:10/44 stands for 16 of them' '' allow compact full
holds 'and the rest as it was' grep -qx '    "02:11:22:33:48:40",' "$networks/full.toml"
t 'suggests what would trust more' 0 '02:11:22:33:48:00/41 +2 +111' '' allow compact full --suggest 200
t 'and nothing below' 0 '' 'no prefix would replace' allow compact full --suggest 5

# Export and import give back the same, for every name.
new
networks=$R/etc/onsite/networks.d
n=0
for name in 43 2378 785f2379 613d62 612262 276127 615c 612c62 613a62 5b615d 2161 436f72702a 613f 610a62 610962 ff 00ff 20612020 \
    f09f9880 eda080 e280ae 22 5c5c 2c 3b "$(printf '61%.0s' {1..32})"; do
    n=$((n + 1))
    on allow add "n$n" --ssid-hex "$name" --bssid "02:00:00:00:00:$(printf %02x $n)" --no-apply
done
on allow add all --ssid A --ssid-hex 00 --ssid-hex 41ff --bssid 02:11:22:33:44:50/44 --security wpa2-enterprise \
    --security fils --minimum-evidence verified --site 'B, "x"; y' --expires 2037-01-31 --user anna --group staff --service sudo
on allow add denied --ssid Bad --bssid 02:66:66:66:66:66 --action require
for format in toml json csv; do
    "$onsite" allow export --format $format --root "$R" > "$work/export"
    mkdir -m 755 "$work/again-$format"
    capture "$onsite" allow import "$work/export" --root "$work/again-$format"
    was "an export as $format is imported" 0 'policy applied: 28 networks' ''
    for kind in toml json csv; do
        holds "and is the same as $kind" cmp <("$onsite" allow export --format $kind --root "$R") \
            <("$onsite" allow export --format $kind --root "$work/again-$format")
    done
done

# Policy tests.
printf 'AP,SSID,BSSID\nx,Corp-Staff,02:11:22:33:44:50\n' > "$work/readme.csv"
new
on allow import "$work/readme.csv" --name hq --ssid Corp-Staff
awk '/^```toml/ { inside = 1; next } /^```/ { inside = 0 } inside' "$here/../../README.md" > "$work/readme.toml"
t 'the policy tests of the README pass' 0 '^2 passed, 0 failed$' '' test "$work/readme.toml"
capture "$onsite" test --policy "$here/../../etc" "$here/../../etc/examples/policy-test.toml"
was 'the policy tests that are shipped pass' 0 '^7 passed, 0 failed$' ''
printf '[[case]]\nname = "wrong"\nevidence = { ssid = "Nowhere", bssid = "02:00:00:00:00:01" }\nexpect = { second_factor = "not-required" }\n' > "$work/wrong.toml"
t 'a test that fails shows the difference' 1 '^not ok - wrong .*:1\)$' '' test "$work/wrong.toml"
holds 'both ways' grep -qx '  + second_factor = required' <<< "$out"
printf '[[case]]\nexpct = 1\n' > "$work/wrong.toml"
t 'a mistake in a test has its line' 1 '' 'wrong.toml:2: unknown key .*did you mean .*expect' test "$work/wrong.toml"
