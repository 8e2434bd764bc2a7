# shellcheck shell=bash disable=SC2154
# `allow list | show | add | remove | current`.

new
networks=$R/etc/onsite/networks.d
t 'an empty list' 0 '' 'the allowlist is empty \(add a network with: onsite allow add NAME --ssid SSID\)' allow list
t 'an empty list in JSON' 0 '^\[\]$' '' allow list --json
t 'a network that is not there' 1 '' '^onsite: there is no network "none" \(there are: none\)$' allow show none
t 'a network with everything' 0 '^added corp; policy applied: 1 network, 2 pinned access points$' '' \
    allow add corp --ssid Corp --ssid-hex 436f7270ff --bssid 02:00:00:00:00:00/44 --bssid=02-00-00-00-01-00 \
    --security wpa3-personal --security wpa3-enterprise --minimum-evidence verified --site 'Berlin "HQ"' \
    --expires 2999-12-31 --action skip --user alice --user bob --group staff --service sudo
t 'it is shown as a file' 0 '^bssid = \["02:00:00:00:00:00/44", "02:00:00:00:01:00"\]$' '' allow show corp
cat > "$work/expected" << 'TOML'
ssid = "Corp"
ssid-hex = "436f7270ff"
bssid = ["02:00:00:00:00:00/44", "02:00:00:00:01:00"]
security = ["wpa3-enterprise", "wpa3-personal"]
users = ["alice", "bob"]
groups = ["staff"]
services = ["sudo"]
minimum-evidence = "verified"
action = "skip"
site = "Berlin \"HQ\""
expires = 2999-12-31
TOML
holds 'the file that was written' cmp "$work/expected" "$networks/corp.toml"
holds 'it is new, root'"'"'s, 0644' test "$(stat -c '%u:%g %a' "$networks/corp.toml")" = '0:0 644'
t 'in JSON' 0 '"bssid_count":2' '' allow show corp --json
holds 'with every key' json 'set(d) == LISTING and d["users"] == ["alice", "bob"] and d["expires"] == "2999-12-31" and d["bssid_file"] is None and d["path"] == "/etc/onsite/networks.d/corp.toml"'
t 'in the list' 0 '^corp +skip +"Corp", hex:436f7270ff +2 +wpa3-enterprise wpa3-personal +verified +2999-12-31 +Berlin "HQ" +/etc/onsite$' '' allow list
t 'the list has a head' 0 '^NAME +ACTION +SSID +PINS +SECURITY +EVIDENCE +EXPIRES +SITE +FROM$' '' allow list

t 'adding to it' 0 '^changed corp;' '' allow add corp --ssid Corp2 --bssid 02:00:00:00:02:00 --user carol --site HQ
t 'keeps what was there' 0 '^users = \["alice", "bob", "carol"\]$' '' allow show corp
t 'adding what is there' 0 '^changed corp;' '' allow add corp --ssid Corp --user bob --bssid 02-00-00-00-00-00/44
t 'changes nothing' 0 '^ssid = \["Corp", "Corp2"\]$' '' allow show corp
t 'writing it anew' 0 '^changed corp; policy applied: 1 network, 0 pinned' '' allow add corp --ssid New --replace
holds 'forgets what was there' grep -qx 'ssid = "New"' "$networks/corp.toml"
holds 'all of it' bash -c '! grep -q bssid "$0"' "$networks/corp.toml"
t 'writing anew needs a name' 2 '' 'needs --ssid' allow add corp --replace --bssid 02:00:00:00:00:01

t 'a network to deny' 0 'added bad' '' allow add bad --ssid Bad --action require
t 'a pin would make it deny less' 1 '' 'bad denies every access point' allow add bad --bssid 02:00:00:00:00:01
t 'unless it is meant' 0 'changed bad' '' allow add bad --ssid Bad --action require --bssid 02:00:00:00:00:01 --replace
decides 'denied where it is pinned' 1 network-denied "$(hex Bad)" 02:00:00:00:00:01
decides 'not listed elsewhere' 1 network-not-listed "$(hex Bad)" 02:00:00:00:00:02

# Removing.
on allow add two --ssid Two --bssid 02:00:00:00:00:01 --bssid 02:00:00:00:00:02
t 'a pin that is not listed' 1 '' 'two does not list 02:00:00:00:00:03' allow remove two --bssid 02:00:00:00:00:03
t 'all pins at once' 1 '' 'last pins of two' allow remove two --bssid 02:00:00:00:00:01 --bssid 02:00:00:00:00:02
t 'one pin' 0 'changed two; policy applied: 3 networks, 2 pinned' '' allow remove two --bssid 02-00-00-00-00-01
decides 'is not trusted any more' 1 bssid-not-listed "$(hex Two)" 02:00:00:00:00:01
decides 'the other is' 0 trusted-network "$(hex Two)" 02:00:00:00:00:02
t 'the last pin' 1 '' '02:00:00:00:00:02 is the last pin of two: without one it would mean every access point' allow remove two --bssid 02:00:00:00:00:02
decides 'which stays' 1 bssid-not-listed "$(hex Two)" 02:00:00:00:00:01
t 'a network' 0 '^removed two; policy applied: 2 networks' '' allow remove two
decides 'is not listed any more' 1 network-not-listed "$(hex Two)" 02:00:00:00:00:02
holds 'its file is gone' test ! -e "$networks/two.toml"
t 'a network that is not there is not removed' 1 '' 'there is no network "two"' allow remove two
t 'nor are its pins' 1 '' 'there is no network "two"' allow remove two --bssid 02:00:00:00:00:01

# --no-apply leaves the running policy, which is then stale.
t 'without applying' 0 '^added later; not applied$' '' allow add later --ssid Later --no-apply
decides 'the running policy is stale' 3 policy-stale "$(hex Later)"
t 'removed without applying' 0 '^removed later; not applied$' '' allow remove later --no-apply
on apply

# Comments and order stay.
printf '# The office.\naction = "skip"   # trusted\nssid = "Kept" # name\nbssid = [\n    "02:00:00:00:00:01", # lobby\n]\n' > "$networks/kept.toml"
t 'adding to a file of a person' 0 'changed kept' '' allow add kept --bssid 02:00:00:00:00:02
printf '# The office.\naction = "skip"   # trusted\nssid = "Kept" # name\nbssid = [\n    "02:00:00:00:00:01", # lobby\n    "02:00:00:00:00:02",\n]\n' > "$work/expected"
holds 'keeps its comments and its order' cmp "$work/expected" "$networks/kept.toml"

# Packages.
file /usr/lib/onsite/networks.d/packaged.toml 'ssid = "Packaged"'
file /usr/lib/onsite/networks.d/listed.toml 'ssid = "Listed"
bssid-file = "list"'
file /usr/lib/onsite/networks.d/list '02:00:00:00:00:01'
on apply
t 'a network of a package is not removed' 1 '' 'belongs to a package \(hide it with: ln -s /dev/null /etc/onsite/networks.d/packaged.toml\)' allow remove packaged
t 'it is changed in /etc' 0 'changed packaged' '' allow add packaged --site Here
holds 'which has all of it' grep -qx 'ssid = "Packaged"' "$networks/packaged.toml"
holds 'and the package is as it was' test "$(cat "$R/usr/lib/onsite/networks.d/packaged.toml")" = 'ssid = "Packaged"'
t 'removing it would show the package again' 1 '' 'has packaged too and would be in force again' allow remove packaged
decides 'so it stays' 0 trusted-network "$(hex Packaged)"
ln -sf /dev/null "$networks/packaged.toml"
t 'hidden as the message says' 0 'policy applied' '' apply
decides 'it is not listed' 1 network-not-listed "$(hex Packaged)"
t 'nor is it shown' 1 '' 'there is no network "packaged"' allow show packaged
t 'a list beside it is copied, too' 0 'changed listed' '' allow add listed --site Here
holds 'whole' cmp "$R/usr/lib/onsite/networks.d/list" "$networks/list"
t 'a pin that is not on the list' 1 '' 'listed does not list 02:00:00:00:00:02' allow remove listed --bssid 02:00:00:00:00:02
t 'the last pin of a list' 1 '' '02:00:00:00:00:01 is the last pin of listed' allow remove listed --bssid 02:00:00:00:00:01
on allow add listed --bssid 02:00:00:00:00:02
t 'a pin of a list' 0 'changed listed' '' allow remove listed --bssid 02:00:00:00:00:01
holds 'is taken out of the list' test "$(cat "$networks/list")" = '02:00:00:00:00:02'

# A shared file that a link brings in.
file /srv/shared.toml 'ssid = "Shared"'
ln -s /srv/shared.toml "$networks/shared.toml"
on apply
t 'a linked network is removed' 0 'removed shared' '' allow remove shared
holds 'but not the file that the link points at' test -f "$R/srv/shared.toml"

# Where the machine is. The tests run on a machine without Wi-Fi, or must not change its configuration.
t 'the network that the machine is not on' 1 '*' '^onsite: .+\(.+\)$' allow current here --interface no-such-interface --yes --site S --no-apply
holds 'is not added' test ! -e "$networks/here.toml"
