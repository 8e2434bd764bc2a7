# shellcheck shell=bash disable=SC2154
# `lint`: mistakes are errors, with FILE:LINE and a hint; what is legal but unwise is a warning.

new
t 'nothing to find' 0 '^no problem found in 0 networks$' '' lint
file /etc/onsite/networks.d/a.toml 'ssid = "Corp"'
t 'a good network' 0 '^no problem found in 1 network$' '' lint --strict

# warns NAME PATTERN TOML: the file is legal but unwise.
warns() {
    file /etc/onsite/networks.d/a.toml "$3"
    t "warns: $1" 0 "^warning: $R/etc/onsite/networks.d/a.toml: .*$2" '' lint
    t "is strict: $1" 1 '^warning: ' '' lint --strict
    t "applies nevertheless: $1" 0 'policy applied' '' apply
}
warns 'F12: by its name alone' 'by its name alone.*\(list bssid' 'ssid = "Corp"
minimum-evidence = "claimed"'
warns 'security that proves nothing' 'security "open" proves nothing' 'ssid = "Corp"
bssid = "02:00:00:00:00:01"
security = ["open", "wpa3-personal"]'
warns 'F12: a name in use everywhere' 'the SSID "eduroam" is in use everywhere' 'ssid = "eduroam"'
warns 'whatever its case' 'in use everywhere' 'ssid = "LinkSys"'
warns 'an entry that expired' 'expired on 2020-01-01' 'ssid = "Corp"
expires = 2020-01-01'
warns 'S11: a blank at the end' 'the SSID "skynet " has a blank at an end' 'ssid = "skynet "'
warns 'a blank at the beginning' 'has a blank at an end' 'ssid = " skynet"'
warns 'S03: an escape of iw' 'ssid-hex = "436166c3a9"' "ssid = 'Caf\\xc3\\xa9'"
warns 'an escape of iw with a real one' 'looks like an escape' 'ssid = "\\x41\u001b[2J"'

warns 'a prefix of a vendor' '02:11:22:00:00:00/24 covers all that a vendor makes' 'ssid = "Corp"
bssid = "02:11:22:00:00:00/24"'
warns 'a network for guests' 'looks like a network for guests' 'ssid = "Corp Guests"'
warns 'hexadecimal digits' 'ssid-hex = "436f7270ff"' 'ssid = "436f7270ff"'
warns 'a denial with users' 'denies everybody, always' 'ssid = "Corp"
action = "require"
users = ["anna"]'
warns 'names that look alike' 'differs from "corp" of a by case' 'ssid = ["corp", "Corp"]'

# errs NAME PATTERN FILE TEXT: the file is wrong; lint and apply say where, and nothing is applied.
errs() {
    file /etc/onsite/networks.d/a.toml 'ssid = "Corp"'
    on apply
    cp -p "$R/var/lib/onsite/policy.cdb" "$work/before"
    file "$3" "$4"
    t "errs: $1" 1 '' "^onsite: $R$3:$2" lint
    t "errs in apply: $1" 1 '' "^onsite: $R$3:$2" apply
    t "errs in allow list: $1" 1 '' "^onsite: $R$3:$2" allow list
    t "errs in allow add: $1" 1 '' "^onsite: $R$3:$2" allow add other --ssid Other
    holds "leaves the policy: $1" cmp "$R/var/lib/onsite/policy.cdb" "$work/before"
    holds "writes nothing: $1" test ! -e "$R/etc/onsite/networks.d/other.toml"
    rm "$R$3"
}
N=/etc/onsite/networks.d/a.toml
errs 'no TOML' '1: not TOML: ' $N 'ssid'
errs 'a bad escape' '2: not TOML: ' $N '# a
ssid = "C:\xBIN"'
errs 'an unknown key' '2: unknown key "bsssid" \(did you mean bssid\?\)' $N 'ssid = "x"
bsssid = "02:00:00:00:00:01"'
errs 'an empty list of pins' '2: bssid is empty \(leave the key out' $N 'ssid = "x"
bssid = []'
errs 'bytes, not characters' '1: .* has 33 bytes, the limit is 32 bytes' $N "ssid = \"$(printf 'a%.0s' {1..31})é\""
errs 'a file cut in the middle' '1: not TOML' $N 'ssid = "Corp'
errs 'an unknown section' '1: unknown key "decisions" \(did you mean decision\?\)' /etc/onsite/policy.toml '[decisions]'
errs 'another version' '1: version 2 is not known' /etc/onsite/policy.toml 'version = 2'
errs 'UTF-16' ' the file is UTF-16 \(save it as UTF-8\)' /etc/onsite/policy.toml "$(printf '\377\376v')"
errs 'a network without a name' ' there is no ssid \(add ssid = ' $N 'site = "x"'

# F05: the byte order mark, CRLF and no final newline are taken; other ends of lines are named.
for text in '\xef\xbb\xbfssid = "Corp"\n' 'ssid = "Corp"\r\n' '# a\r\nssid = "Corp"\r\n# b' 'ssid = "Corp"'; do
    file /etc/onsite/networks.d/a.toml "$(printf "$text"; printf x)"
    truncate -s -1 "$R/etc/onsite/networks.d/a.toml"
    t "a file of $text" 0 'policy applied: 1 network' '' apply
    decides "counts: $text" 0 trusted-network "$(hex Corp)"
    decides "holds no invisible end: $text" 1 network-not-listed "$(hex Corp)0d"
done
printf 'ssid = "Corp"\raction = "skip"\r' > "$R$N"
t 'a carriage return alone' 1 '' 'a.toml:1: not TOML' lint
iconv -f UTF-8 -t UTF-16 <<< 'ssid = "Corp"' > "$R$N"
t 'UTF-16' 1 '' 'a.toml: the file is UTF-16' lint
printf '\u00a0ssid = "Corp"\n' > "$R$N"
t 'a blank that is none' 1 '' 'a.toml:1: ' lint

# Hostile, but legal or at once refused.
new
printf 'a.%.0s' {1..20000} > "$work/deep"; mkdir -p "$R/etc/onsite/networks.d"; { cat "$work/deep"; echo 'a = 1'; } > "$R$N"
t 'keys nested without end' 1 '' 'a.toml' lint
{ printf 'ssid = '; printf '[%.0s' {1..20000}; } > "$R$N"
t 'arrays nested without end' 1 '' 'a.toml:1: not TOML' lint
{ printf 'ssid = "Corp"\nbssid = [\n'; awk 'BEGIN { for (i = 1; i <= 20000; i++) printf "\"02:00:%02x:%02x:%02x:01\",\n", i / 65536, i / 256 % 256, i % 256 }'; echo ']'; } > "$R$N"
SECONDS=0
t 'twenty thousand access points in a file' 0 'no problem' '' lint
t 'and one more' 0 '20001 pinned access points' '' allow add a --bssid 02:ff:00:00:00:00
t 'and one less' 0 '20000 pinned access points' '' allow remove a --bssid 02:00:00:00:01:01
holds 'take a moment' test $SECONDS -le 5
# Purposes that would do for everything tell nobody why.
for sentence in x 'Helping you' 'Improve experience' 'improving the experience of our users' 'For internal business purposes, as needed' '                         '; do
    file /etc/onsite/policy.toml "[privacy.purposes]
support = \"$sentence\""
    t "the purpose \"$sentence\" is refused" 1 '*' 'policy.toml:.* the purpose "support" says nothing \(write ' lint
done
file /etc/onsite/policy.toml '[privacy.purposes]
support = "Finding out why you are asked for a code"'
t 'a purpose that says why' 0 '*' '' lint
rm "$R/etc/onsite/policy.toml"
rm "$R$N"; { echo '[privacy.purposes]'; for i in {1..20000}; do echo "k$i = 'Finding out what is slow at login'"; done; } > "$R/etc/onsite/policy.toml"
SECONDS=0
t 'twenty thousand purposes' 0 'no problem' '' lint
holds 'are read in a moment' test $SECONDS -le 5
