# shellcheck shell=bash disable=SC2154
# The command line itself: help, versions, words and options that do not exist.

commands=(check status 'allow list' 'allow show' 'allow add' 'allow current' 'allow remove' 'allow import' 'allow export' 'allow compact' 'allow survey' apply lint test watch)
new

capture "$onsite"; was 'no command' 2 '' '^onsite: no command \(see: onsite --help\)$'
capture "$onsite" --version; was 'the version' 0 '^onsite [0-9]+\.[0-9]+\.[0-9]+$' ''
for word in --help -h help; do
    capture "$onsite" $word; was "the overview with $word" 0 '^usage: onsite COMMAND' ''
done
capture "$onsite" allow; was 'allow alone' 2 '' 'allow what\? \(see: onsite --help\)'
capture "$onsite" allow --help; was 'allow --help' 0 '  allow add NAME ' ''
capture "$onsite" --help
for command in "${commands[@]}"; do
    holds "the overview has $command" grep -Eq "^  $command( NAME| FILE| FILE…| \[NAME…\])? {2,}[A-Z].*\.$" "$work/out"
done
for command in "${commands[@]}"; do
    capture "$onsite" $command --help
    was "onsite $command --help" 0 "^usage: onsite $command( NAME| FILE| FILE…| \[NAME…\])? \[OPTION…\]$" ''
    holds "it names --root and itself" grep -q -- '--root DIR' "$work/out"
done

# Every option is in the help, and every option in the help is tested here or in another part.
options() { "$onsite" "$@" --help | grep -o '^  --[a-z-]*' | tr -d '\n'; }
same() { [ "$1" = "$2" ] || { echo "$1"; false; }; }
holds 'the options of check' same "$(options check)" '  --user  --service  --rhost  --tty  --wait  --network-only  --quiet  --explain  --json  --precise  --purpose  --policy  --evidence  --root  --help'
holds 'the options of status' same "$(options status)" '  --json  --precise  --purpose  --root  --help'
holds 'the options of allow list' same "$(options allow list)" '  --json  --root  --help'
holds 'the options of allow show' same "$(options allow show)" '  --json  --root  --help'
holds 'the options of allow add' same "$(options allow add)" '  --ssid  --ssid-hex  --bssid  --security  --minimum-evidence  --site  --expires  --action  --user  --group  --service  --replace  --dry-run  --no-apply  --root  --help'
holds 'the options of allow current' same "$(options allow current)" '  --interface  --site  --yes  --no-apply  --root  --help'
holds 'the options of allow remove' same "$(options allow remove)" '  --bssid  --dry-run  --no-apply  --root  --help'
holds 'the options of allow import' same "$(options allow import)" '  --name  --format  --column  --ssid  --site  --security  --merge  --replace  --prune  --yes  --dry-run  --no-apply  --root  --help'
holds 'the options of allow export' same "$(options allow export)" '  --format  --root  --help'
holds 'the options of allow compact' same "$(options allow compact)" '  --suggest  --dry-run  --no-apply  --root  --help'
holds 'the options of allow survey' same "$(options allow survey)" '  --ssid  --interface  --duration  --scan  --output  --root  --help'
holds 'the options of test' same "$(options test)" '  --policy  --root  --help'
holds 'the options of apply' same "$(options apply)" '  --root  --help'
holds 'the options of watch' same "$(options watch)" '  --json  --exec  --lock-sessions  --debounce  --root  --help'
holds 'the options of lint' same "$(options lint)" '  --strict  --root  --help'

# usage ERR ARGUMENTS...: a wrong command line is status 2 and one line that says what is wrong.
usage() {
    on "${@:2}"
    local lines
    lines=$(grep -c '' <<< "$err")
    [ "$lines" -eq 1 ] || status="$status with $lines lines"
    was "wrong: onsite$(printf ' %q' "${@:2}")" 2 '' "^onsite: .*$1"
}
esc=$(printf '\033[2J')
usage 'unknown command "frobnicate"' frobnicate
usage 'unknown command "allow frobnicate"' allow frobnicate
usage 'unknown command "checks"' checks
usage 'unknown command ' "$esc"
usage 'unknown option --frobnicate \(see: onsite check --help\)' check --frobnicate
usage 'unknown option -v ' check -v
usage 'unknown option --JSON' check --JSON
usage 'unknown option --jso' check --jso
usage 'unknown option --' check "--$esc"
usage 'onsite check takes no operand' check now
usage 'onsite check takes no operand' check -- --json
usage 'onsite allow show takes NAME' allow show
usage 'onsite allow show takes NAME' allow show a b
usage '--json takes no value' check --json=yes
usage '--user stands more than once' check --user a --user b
usage '--wait cannot be "11s" \(0s to 10s' check --wait 11s
usage '--wait cannot be "soon"' check --wait=soon
usage '--wait cannot be' check --wait "$esc"
usage '--quiet goes without --json' check --quiet --json
usage '--quiet goes without' check --quiet --explain
usage '--json goes without --explain' check --json --explain
usage '--purpose goes with --precise' check --purpose enrolment
usage '--precise needs --purpose KEY \(the policy has: enrolment\)' check --precise
usage '--precise needs --purpose KEY \(the policy has: enrolment\)' status --precise
usage 'there is no purpose "curiosity" \(the policy has: enrolment\)' status --precise --purpose curiosity
usage 'there is no purpose' status --precise --purpose "$esc"
usage '--policy goes without --root' check --policy /etc
usage '"Corp" cannot name a network \(use a-z' allow add Corp --ssid x
usage 'cannot name a network' allow add "$esc" --ssid x
usage 'cannot name a network' allow add '' --ssid x
usage 'cannot name a network' allow add a/b --ssid x
usage 'cannot name a network' allow add ../b --ssid x
usage 'a new network needs --ssid or --ssid-hex' allow add corp
usage '--ssid is empty' allow add corp --ssid ''
usage '--ssid-hex is empty' allow add corp --ssid-hex ''
usage '33 bytes, the limit is 32 bytes' allow add corp --ssid "$(printf 'a%.0s' {1..31})é"
usage '--ssid-hex cannot be "xyz" \(two hexadecimal digits' allow add corp --ssid-hex xyz
usage '--ssid-hex cannot be "436"' allow add corp --ssid-hex 436
usage 'is not UTF-8 \(for a network with such a name: --ssid-hex\)' allow add corp --ssid $'a\xff'
usage '"a\\xff" is not UTF-8' check --user $'a\xff'
usage '--security cannot be "wpa2" \(one of: open, owe, wep' allow add corp --ssid x --security wpa2
usage '--minimum-evidence cannot be "none" \(one of: claimed, protected, verified\)' allow add corp --ssid x --minimum-evidence none
usage '--action cannot be "allow" \(one of: skip, require\)' allow add corp --ssid x --action allow
usage '--expires cannot be "2027-02-30"' allow add corp --ssid x --expires 2027-02-30
usage '--expires cannot be "tomorrow" \(a date such as' allow add corp --ssid x --expires tomorrow
usage '--debounce cannot be "3601s" \(0s to 3600s' watch --debounce 3601s
usage '--debounce cannot be "3"' watch --debounce 3
usage '--exec is empty' watch --exec ''
capture "$onsite" apply --root relative; was 'a root that is not there' 2 '' '^onsite: --root relative: No such file or directory$'
capture "$onsite" check --user; was 'an option without its value' 2 '' '^onsite: --user needs a value: --user NAME$'
holds 'a wrong command line changes nothing' test ! -e "$R/etc"

# What goes to a pipe has no colour, whatever the variables say.
capture env TERM=xterm-256color "$onsite" check --network-only --root "$R"
was 'no colour in a pipe' 3 'second factor required' '*'
