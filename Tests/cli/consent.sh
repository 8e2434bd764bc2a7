# shellcheck shell=bash disable=SC2154
# What users decided, as root writes it for them, and what counts. How others do it is in the test machine.

new
file /etc/onsite/policy.toml '[privacy]
consent = "needed"'
file /etc/onsite/networks.d/corp.toml 'ssid = "Corp"'
t 'apply' 0 'policy applied' '' apply
as_eve() { on check --evidence "$work/evidence" --user eve --service sudo; }
evidence 436f7270 > "$work/evidence"
t 'the network alone is nobody'\''s' 0 trusted-network '' check --network-only --evidence "$work/evidence"
as_eve
was 'nobody was asked yet' 1 'consent-missing' ''
t 'not determined' 0 'eve: not-determined \(the user has not agreed' '' consent status --user eve
t 'granted' 0 '^eve: granted$' 'the name of the Wi-Fi network .* is read, .* to decide' consent grant --user eve
as_eve
was 'then the network decides' 0 'trusted-network' ''
t 'status: granted' 0 '^eve: granted$' '' consent status --user eve
t 'status in JSON' 0 '{"consent":"granted","format":1,"needed":true,"user":"eve"}' '' consent status --user eve --json
t 'of another user' 0 '^mallory: not-determined' '' consent status --user mallory
t 'granted always' 0 '^eve: granted-always$' 'in the background' consent grant --always --user eve
as_eve
was 'that is more' 0 'trusted-network' ''
t 'denied' 0 '^eve: denied$' '' consent deny --user eve
as_eve
was 'then Wi-Fi does not count' 1 'consent-denied' ''
t 'status: denied' 0 '^eve: denied \(' '' consent status --user eve
t 'reset' 0 '^eve: not-determined$' '' consent reset --user eve
t 'reset of nothing' 0 '^eve: not-determined$' '' consent reset --user eve
as_eve
was 'as if never asked' 1 'consent-missing' ''
t 'whatever a name looks like, it is no path' 1 '' 'not a regular file' consent grant --user ../../../etc/onsite/policy.toml
t 'consent what?' 2 '' 'unknown command "consent maybe"' consent maybe
capture "$onsite" consent
was 'consent alone' 2 '' 'consent what\?'
t 'no user' 2 '' '--user is empty' consent grant --user ''

on consent grant --user eve
chown 65534 "$R/var/lib/onsite/consent/eve"
as_eve
was 'a file of somebody else does not count' 1 'consent-missing' ''
t 'and is told' 1 '' 'consent/eve.*owner|consent/eve.*belongs|consent/eve.*root' consent status --user eve
chown root "$R/var/lib/onsite/consent/eve"; chmod 666 "$R/var/lib/onsite/consent/eve"
as_eve
was 'nor does one that others can write' 1 'consent-missing' ''
t 'deciding again mends it' 0 '^eve: granted$' 'is read' consent grant --user eve
as_eve
was 'mended' 0 'trusted-network' ''

file /etc/onsite/policy.toml '[privacy]
consent = "needed"
[leave]
lock-sessions = true'
t 'locking and consent are warned of together' 0 'warning: .*consent is needed and sessions are locked' '' lint
file /etc/onsite/policy.toml ''
on apply
t 'where it is not needed' 0 'eve: granted \(this policy does not ask for it\)' '' consent status --user eve

# The key of identifiers.
before=$(od -An -tx1 "$R/var/lib/onsite/privacy.key")
t 'a new key' 0 'other identifiers from now on' '' privacy rotate-key
holds 'is another one' test "$before" != "$(od -An -tx1 "$R/var/lib/onsite/privacy.key")"
holds 'and root'\''s alone' test "$(stat -c '%a %s' "$R/var/lib/onsite/privacy.key")" = '600 32'
printf '%064d\n' 7 > "$work/fleet"
t 'a fleet'\''s key' 0 'other identifiers' '' privacy rotate-key --fleet-key "$work/fleet"
holds 'is that one' test "$(od -An -v -tx1 "$R/var/lib/onsite/privacy.key" | tr -d ' \n')" = "$(printf '%064d' 7)"
for bad in '' xyz "$(printf '%063d' 1)" "$(printf '%066d' 1)"; do
    printf %s "$bad" > "$work/fleet"
    t "\"$bad\" is no key" 1 '' 'is no key \(64 hexadecimal digits' privacy rotate-key --fleet-key "$work/fleet"
done
holds 'and the one before stays' test "$(od -An -v -tx1 "$R/var/lib/onsite/privacy.key" | tr -d ' \n')" = "$(printf '%064d' 7)"
t 'no such file' 2 '' 'No such file' privacy rotate-key --fleet-key "$work/absent"
