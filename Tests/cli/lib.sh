# shellcheck shell=bash disable=SC2154
# What the tests of the command share.

say() { echo "$1" | tee -a "$results"; }

# new: an empty directory R that stands for `/`.
new() {
    R=$(mktemp -d "$work/root.XXXXXX")
    chmod 755 "$R"
}

# file PATH TEXT: writes a file of R, with its directories.
file() {
    mkdir -p "$R$(dirname "$1")"
    printf '%s' "$2" > "$R$1"
}

# capture COMMAND...: runs it; what it prints and its status are in out, err and status.
capture() {
    "$@" > "$work/out" 2> "$work/err"
    status=$?
    out=$(tr '\0' '@' < "$work/out")
    err=$(tr '\0' '@' < "$work/err")
}

# on ARGUMENTS...: runs onsite on R.
on() { capture "$onsite" "$@" --root "$R"; }

# matches TEXT PATTERN: the extended regular expression matches a line; `` wants no text, `*` takes any.
matches() {
    case $2 in
        '') [ -z "$1" ] ;;
        '*') true ;;
        *) grep -Eq -- "$2" <<< "$1" ;;
    esac
}

# was NAME STATUS OUT ERR: judges what `capture` caught. Nothing that a terminal acts on may ever come out.
was() {
    local why=
    [ "$status" = "$2" ] || why+="status $status, not $2; "
    matches "$out" "$3" || why+="stdout: $(show "$out"); "
    matches "$err" "$4" || why+="stderr: $(show "$err"); "
    if LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$work/out" "$work/err"; then
        why+="a control character came out; "
    fi
    [ -z "$err" ] || ! grep -qv '^onsite: ' <<< "$err" || why+="stderr without onsite: in front: $(show "$err")"
    if [ -z "$why" ]; then say "ok - $1"; else say "not ok - $1: $why"; fi
}
show() { head -c 300 <<< "$1" | cat -v | tr '\n' ' '; }

# t NAME STATUS OUT ERR ARGUMENTS...: runs onsite on R and judges.
t() {
    on "${@:5}"
    was "$1" "$2" "$3" "$4"
}

# holds NAME COMMAND...: the test holds if the command succeeds.
holds() {
    local why
    if why=$("${@:2}" 2>&1); then say "ok - $1"; else say "not ok - $1: $(show "$why")"; fi
}

# hex TEXT: its bytes in hexadecimal digits.
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }

# evidence SSID_HEX [BSSID [SECURITY [AUTHORIZED]]]: a recorded station, at this machine. SSID_HEX may be null.
evidence() {
    local name=\"$1\"
    [ "$1" = null ] && name=null
    printf '{"format":1,"source":"nl80211","unavailable":null,"session":{"remote":false},"interfaces":[{"name":"wlan0",
        "index":3,"type":"station","state":"connected","ssid_hex":%s,"links":[{"bssid":"%s"}],"mld":null,
        "authorized":%s,"mfp":true,"security":["%s"],"negotiated":null,"verified":false}]}' \
        "$name" "${2:-02:00:00:00:00:01}" "${4:-true}" "${3:-wpa3-personal}"
}

# decides NAME STATUS REASON EVIDENCE_ARGUMENTS...: checks on recorded evidence, as text and as JSON.
decides() {
    local name=$1 wanted=$2 reason=$3 text
    shift 3
    evidence "$@" > "$work/evidence"
    on check --evidence "$work/evidence"
    text=$status
    on check --evidence "$work/evidence" --json --precise
    [ "$text" -eq "$status" ] || status="$text without --json, $status with"
    was "$name" "$wanted" "\"reason\":\"$reason\"" '*'
}

# json EXPRESSION: evaluates it over `d`, the one JSON document in out, which a strict parser reads. It must be true.
json() { "$python" "$here/strict_json.py" "$1" < "$work/out"; }
