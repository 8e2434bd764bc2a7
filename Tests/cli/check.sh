# shellcheck shell=bash disable=SC2154
# `check`: who asks, from where, on what network, and with which policy; statuses, JSON, `--explain`.

new
t 'no policy at all' 3 'second factor required: there is no compiled policy \(policy-missing\)' \
    "^onsite: $R/var/lib/onsite/policy.cdb: No such file" check
t 'no policy at all: the remedy' 3 'hint: compile the policy with: onsite apply' '*' check
t 'no policy, in JSON' 3 '"hint":"compile the policy with: onsite apply".*"reason":"policy-missing"' '*' check --json
holds 'JSON without a network has null in every place' json \
    'set(d) == CHECK and d["second_factor"] == "required" and d["evidence"] == "none" and all(d[k] is None for k in ("network", "site", "interface", "ssid", "ssid_hex", "bssids"))'

file /etc/onsite/policy.toml '[decision]
[always-require]
users = ["eve"]
services = ["vault"]
[privacy.purposes]
support = "Helping you"'
file /etc/onsite/networks.d/corp.toml 'ssid = "Corp"
bssid = "02:00:00:00:00:00/44"
site = "Berlin HQ"'
file /etc/onsite/networks.d/guest.toml 'ssid = "Guest"
action = "require"'
file /etc/onsite/networks.d/old.toml 'ssid = "Old"
expires = 2020-01-01'
file /etc/onsite/networks.d/strong.toml 'ssid = "Strong"
minimum-evidence = "verified"'
file /etc/onsite/networks.d/weak.toml 'ssid = "Weak"
minimum-evidence = "claimed"'
file /etc/onsite/networks.d/few.toml 'ssid = "Few"
users = ["alice"]
services = ["sudo"]'
file /etc/onsite/networks.d/wpa3.toml 'ssid = "Wpa3"
security = ["wpa3-personal"]'
t 'apply' 0 '^policy applied: 7 networks, 1 pinned access point$' '' apply

corp=$(hex Corp)
decides 'a trusted network' 0 trusted-network "$corp"
decides 'the last access point of a prefix' 0 trusted-network "$corp" 02:00:00:00:00:0f
decides 'a listed name at another access point' 1 bssid-not-listed "$corp" 02:00:00:00:00:10
decides 'a name that is not listed' 1 network-not-listed "$(hex corp)"
decides 'a hidden name' 1 network-not-listed null
decides 'a network to deny' 1 network-denied "$(hex Guest)"
decides 'an entry that expired' 1 entry-expired "$(hex Old)"
decides 'evidence that is not enough' 1 evidence-too-weak "$(hex Strong)"
decides 'an open network of the right name' 1 security-too-weak "$corp" 02:00:00:00:00:01 open
decides 'security that is not listed' 1 security-too-weak "$(hex Wpa3)" 02:00:00:00:00:01 wpa2-personal
decides 'no key exchange' 1 not-authorized "$corp" 02:00:00:00:00:01 wpa3-personal false
decides 'a driver that does not say' 1 authorization-unknown "$corp" 02:00:00:00:00:01 wpa3-personal null
decides 'a network that is trusted by its name' 0 trusted-network "$(hex Weak)" 02:00:00:00:00:01 open null
decides 'a network for others' 1 not-for-user "$(hex Few)"

evidence "$corp" > "$work/good"
evidence "$(hex Few)" > "$work/few"
good=(check --evidence "$work/good")
sed 's/"remote":false/"remote":true/' "$work/good" > "$work/remote"
sed 's/"session":{[^}]*},//' "$work/good" > "$work/nowhere"
t 'text for people' 0 '^second factor not required: the machine is on a trusted network \(trusted-network\) · corp · Berlin HQ$' '' "${good[@]}"
t 'a user who is always asked' 1 '\(user-excluded\)$' '' "${good[@]}" --user eve
t 'a service that always asks' 1 '\(service-excluded\)$' '' "${good[@]}" --service vault
t 'another user and service' 0 '\(trusted-network\)' '' "${good[@]}" --user mallory --service sudo
t 'a network for this user and service' 0 'trusted-network' '' check --evidence "$work/few" --user alice --service sudo
t 'a network for this user, but another service' 1 'not-for-user' '' check --evidence "$work/few" --user alice --service su
t 'a session that is remote' 1 '\(remote-session\)' '' check --evidence "$work/remote"
t 'a host that the login comes from' 1 '\(remote-session\)' '' check --evidence "$work/nowhere" --rhost 192.0.2.1
t 'a service that serves remote users' 1 '\(remote-session\)' '' check --evidence "$work/nowhere" --service sshd
t 'P08: a host that is remote, whatever the recorded session' 1 '\(remote-session\)' '' "${good[@]}" --rhost 192.0.2.1
t 'P08: a service for other machines, whatever the recorded session' 1 '\(remote-session\)' '' "${good[@]}" --service sshd
t 'P08: this machine as the host' 0 '\(trusted-network\)' '' "${good[@]}" --rhost 127.1.2.3
t 'this machine as the host' 1 'session-unknown|remote-session' '' check --evidence "$work/nowhere" --rhost localhost --service sshd
t 'nobody knows from where' 1 '\(session-unknown\)' '' check --evidence "$work/nowhere" --tty ''
t 'the console' 0 'trusted-network' '' check --evidence "$work/nowhere" --tty tty1 --service login
t 'a pseudo terminal' 1 '\(session-unknown\)' '' check --evidence "$work/nowhere" --tty pts/0 --service su
t 'about the network alone' 0 'trusted-network' '' check --evidence "$work/remote" --network-only
t 'about the network alone, whoever asks' 0 'trusted-network' '' "${good[@]}" --network-only --user eve --service vault
t 'an option with =' 1 'user-excluded' '' check "--evidence=$work/good" --user=eve
t 'a time to wait' 0 'trusted-network' '' "${good[@]}" --wait 10s
capture "$onsite" check --evidence - --root "$R" < "$work/good"; was 'evidence from standard input' 0 trusted-network ''

t 'quiet: not required' 0 '' '' "${good[@]}" --quiet
t 'quiet: required' 1 '' '' "${good[@]}" --quiet --user eve
new2=$(mktemp -d "$work/root.XXXXXX"); chmod 755 "$new2"
capture "$onsite" check --quiet --root "$new2"; was 'quiet: undecided' 3 '' ''

t 'explained' 0 '✓ 6  is the network trusted\? +corp, evidence protected$' '' "${good[@]}" --explain
t 'explained down to the step that answered' 1 '✗ 2  is the asker always asked\? ' '' "${good[@]}" --explain --user eve
t 'explained no further' 1 '· 5  is the machine on Wi-Fi\? +not looked at' '' "${good[@]}" --explain --user eve
t 'explained for a network alone' 0 '– 2  is the asker always asked\? +left out' '' "${good[@]}" --explain --network-only

t 'no SSID without --precise' 0 '"bssids":null.*"ssid":null,"ssid_hex":null' '' "${good[@]}" --json
holds 'the keys, and no more' json 'set(d) == CHECK and d["format"] == 1 and d["second_factor"] == "not-required"'
holds 'the values' json 'd["network"] == "corp" and d["site"] == "Berlin HQ" and d["evidence"] == "protected" and d["interface"] == "wlan0" and d["hint"] is None'
t 'SSID and BSSID with --precise' 0 '"ssid":"Corp"' '' "${good[@]}" --json --precise
holds 'the precise values' json 'set(d) == CHECK and d["ssid_hex"] == "436f7270" and d["bssids"] == ["02:00:00:00:00:01"]'
t 'precise, as text' 0 '^  ssid: Corp  bssid: 02:00:00:00:00:01$' '' "${good[@]}" --precise
t 'precise needs a purpose of the policy, not of the manual' 2 '' '\(the policy has: support\)' check --precise --purpose enrolment --network-only
t 'a purpose of the policy' 3 '"reason":"(wifi-unavailable|no-wifi-interface)"' '*' check --precise --purpose support --network-only --json

# A policy that is not compiled.
policy=$R/etc/onsite
capture "$onsite" check --policy "$policy" --evidence "$work/good"; was 'sources that are not compiled' 0 trusted-network ''
capture "$onsite" check --policy "$policy/" --evidence "$work/good" --json; was 'and in JSON' 0 '"network":"corp"' ''
(cd "$policy" && exec "$onsite" check --policy . --evidence "$work/good" --quiet); holds 'a relative path' test $? -eq 0
capture "$onsite" check --policy "$R/none" --evidence "$work/good"; was 'sources that are not there' 2 '' "^onsite: --policy $R/none: No such file"
printf 'ssdi = "x"\n' > "$policy/networks.d/bad.toml"
capture "$onsite" check --policy "$policy" --evidence "$work/good"
was 'sources with a mistake' 3 '\(policy-invalid\)' "^onsite: $policy/networks.d/bad.toml:1: unknown key \"ssdi\" \(did you mean ssid\?\)"
t 'a new file makes the compiled policy stale' 3 '\(policy-stale\)' "networks.d: changed since the policy was compiled" "${good[@]}"
t 'a policy with a mistake is not applied' 1 '' "^onsite: $policy/networks.d/bad.toml:1: unknown key .*did you mean ssid" apply
cp -p "$R/var/lib/onsite/policy.cdb" "$work/before"
on apply
holds 'and the compiled one stays as it was' cmp "$R/var/lib/onsite/policy.cdb" "$work/before"
rm "$policy/networks.d/bad.toml"
t 'and fresh again once it is gone' 0 'trusted-network' '' "${good[@]}"
t 'until it is applied' 0 'policy applied' '' apply
t 'then it counts' 0 'trusted-network' '' "${good[@]}"

# F10: the same status with and without --json; a failed write is a failure.
for arguments in '--user eve' '' '--network-only'; do
    "$onsite" "${good[@]}" $arguments --root "$R" > /dev/full 2> "$work/err"; one=$?
    "$onsite" "${good[@]}" $arguments --json --root "$R" > /dev/full 2>> "$work/err"; two=$?
    holds "a full disk behind standard output${arguments:+ ($arguments)}" test "$one $two" = '1 1'
done
holds 'is named' grep -q '^onsite: cannot write to standard output: No space left on device$' "$work/err"
for arguments in 'allow list' 'apply' 'lint' '--help' 'check --help' '--version' 'status' 'status --json'; do
    root=(--root "$R"); [[ $arguments != *-* || $arguments == status* ]] || root=()
    "$onsite" $arguments "${root[@]}" > /dev/full 2> /dev/null; holds "onsite $arguments to a full disk" test $? -eq 1
    "$onsite" $arguments "${root[@]}" >&- 2> /dev/null; holds "onsite $arguments without standard output" test $? -eq 1
done
"$onsite" "${good[@]}" --quiet --root "$R" > /dev/full; holds 'quiet has nothing to write' test $? -eq 0
holds 'a reader that went away is no crash' bash -c '"$0" allow list --root "$1" | true; [ "${PIPESTATUS[0]}" -le 1 ]' "$onsite" "$R"

# Text of strangers never gets out as it came.
evil=$(printf '\033[2J\n2026 check: ok\u202e\u009b')
for option in --user --service --rhost --tty; do
    t "$option of a stranger" '1' 'second factor' '*' check --evidence "$work/remote" "$option" "$evil" --explain
    t "$option of a stranger, in JSON" '1' '"reason"' '*' check --evidence "$work/remote" "$option" "$evil" --json
done
t 'a file of a strange name' 2 '' 'No such file' check --evidence "/$evil"

# What this machine sees. Where the tests run there may be no Wi-Fi.
t 'status' 0 '^Wi-Fi access +(authorized|denied|not-determined)' '' status
t 'status: the policy' 0 '^policy +in force' '' status
t 'status in JSON' 0 '^\{"format":1,"interfaces":\[' '' status --json
holds 'the keys of recorded evidence' json 'set(d) - {"session"} == {"format", "source", "unavailable", "interfaces"}'
capture "$onsite" status --json --precise --purpose enrolment
was 'precise evidence' 0 '"format":1' ''
cp "$work/out" "$work/recorded"
"$onsite" check --network-only --quiet --evidence "$work/recorded" --root "$R"; one=$?
"$onsite" check --network-only --quiet --root "$R"; two=$?
holds 'recorded evidence decides like the machine' test $one -eq $two
