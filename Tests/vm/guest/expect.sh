# What a case may expect. Sourced in the machine.

# Ends the case.
fail() {
    echo "$*" >&3
    exit 1
}

# Exit status of `onsite check` for a reason: 1 when a rule requires the second factor, 3 when nothing could be decided.
status_of() {
    case $1 in
    trusted-network) echo 0 ;;
    policy-missing | policy-stale | policy-insecure | policy-invalid | wifi-unavailable | wifi-access-denied | \
        no-wifi-interface | probe-timeout | probe-inconsistent | probe-failed) echo 3 ;;
    user-excluded | service-excluded | remote-session | session-unknown | consent-missing | consent-denied | \
        associating | not-connected | network-denied | network-not-listed | entry-expired | not-for-user | \
        bssid-not-listed | security-too-weak | not-authorized | authorization-unknown | evidence-too-weak) echo 1 ;;
    *) fail "no such reason: $1" ;;
    esac
}

# What pamtester says for what the module returns.
return_of_status() {
    case $1 in
    0) echo 'successfully authenticated' ;;
    1) echo 'Authentication failure' ;;
    3) echo 'Authentication service cannot retrieve authentication info' ;;
    esac
}

# expect REASON [ASKER]...
#
# Checks that the command, the module alone and a whole login agree on REASON and on what follows from it. ASKER says
# what is not as usual: --as USER runs them all as that user, --in ARRAY behind the command in that array, --rhost HOST
# asks from there, --tty TTY at that terminal (otherwise tty1).
expect() {
    local reason=$1 status
    shift
    status=$(status_of "$reason")
    expect_check "$reason" "$@"
    expect_module "$status" "$@"
    expect_login "$status" "$@"
}

# Sets `asker` (options of onsite check), `items` (options of pamtester) and `as` (what both are run by).
read_asker() {
    local rhost='' tty=tty1
    as=()
    while (($#)); do
        case $1 in
        --in) local -n runner=$2 && as=("${runner[@]}") && unset -n runner ;;
        --as) as=(setpriv --reuid "$2" --regid "$2" --init-groups --) ;;
        --rhost) rhost=$2 ;;
        --tty) tty=$2 ;;
        *) fail "expect does not know $1" ;;
        esac
        shift 2
    done
    asker=(--user "$user" --service laptop)
    items=()
    [[ -z $tty ]] || asker+=(--tty "$tty") items+=(-I "tty=$tty")
    [[ -z $rhost ]] || asker+=(--rhost "$rhost") items+=(-I "rhost=$rhost")
}

# expect_check REASON [ASKER]...
expect_check() {
    local wanted=$1 status=0 reason
    shift
    read_asker "$@"
    check_json=$("${as[@]}" onsite check --json "${asker[@]}" 2>/run/check-errors) || status=$?
    reason=$(json_value reason)
    [[ $reason == "$wanted" ]] ||
        fail "onsite check: reason is '$reason', not '$wanted'; exit status $status $(head -n 1 /run/check-errors)"
    [[ $status == "$(status_of "$wanted")" ]] || fail "onsite check: exit status $status with reason $wanted"
    if [[ $wanted == trusted-network ]]; then
        [[ $(json_value second_factor) == not-required ]] || fail "onsite check: trusted and yet $check_json"
    else
        [[ $(json_value second_factor) == required ]] || fail "onsite check: not trusted and yet $check_json"
    fi
}

# json_value KEY   prints a value of the last check, without quotes. Enough for flat JSON that names a key once.
json_value() {
    [[ $check_json =~ \"$1\"\ *:\ *(\"([^\"]*)\"|[a-z0-9.]+) ]] || return 0
    if [[ ${BASH_REMATCH[1]} == \"* ]]; then echo "${BASH_REMATCH[2]}"; else echo "${BASH_REMATCH[1]}"; fi
}

# expect_json KEY VALUE
expect_json() {
    [[ $(json_value "$1") == "$2" ]] || fail "onsite check --json: $1 is '$(json_value "$1")', not '$2'"
}

# expect_module STATUS [ASKER]...   the module's own return value
expect_module() {
    local wanted said
    wanted=$(return_of_status "$1")
    shift
    read_asker "$@"
    said=$("${as[@]}" pamtester "${items[@]}" onsite-alone "$user" authenticate </dev/null 2>&1) || true
    [[ $said == *"$wanted"* ]] || fail "pam_onsite.so returned '$said', not '$wanted'"
}

# expect_login STATUS [ASKER]...   a login through the documented stack: what is asked, and what is needed
expect_login() {
    local required=$1
    shift
    read_code
    log_in "$password" "$code" "$@" || fail "login with password and code failed: $login_said"
    if ((required)); then
        code_was_asked || fail "login: no code was asked for: $login_said"
        ! log_in "$password" "$wrong_code" "$@" || fail "login: a wrong code was enough: $login_said"
        code_was_asked || fail "login: no code was asked for: $login_said"
    else
        ! code_was_asked || fail "login: a code was asked for on a trusted network: $login_said"
        ! log_in 'wrong' "$code" "$@" || fail "login: a wrong password was enough: $login_said"
    fi
}

# log_in PASSWORD CODE [ASKER]...   sets `login_said`
log_in() {
    local answers=$1$'\n'$2
    shift 2
    read_asker "$@"
    login_said=$("${as[@]}" pamtester "${items[@]}" laptop "$user" authenticate <<<"$answers" 2>&1)
}

code_was_asked() {
    [[ $login_said == *"Verification code"* ]]
}

# expect_sudo password-only | code-needed   the real sudo, of a user at tty1
expect_sudo() {
    local said
    read_code
    case $1 in
    password-only)
        said=$(sudo_dialogue "$password" '') || fail "sudo: the password alone was not enough: $said"
        [[ $said != *"Verification code"* ]] || fail "sudo: a code was asked for: $said"
        ;;
    code-needed)
        said=$(sudo_dialogue "$password" "$code") || fail "sudo: password and code were not enough: $said"
        [[ $said == *"Verification code"* ]] || fail "sudo: no code was asked for: $said"
        ! said=$(sudo_dialogue "$password" "$wrong_code") || fail "sudo: a wrong code was enough: $said"
        ;;
    esac
}

# sudo_dialogue PASSWORD CODE   the user types these when asked; no CODE: the user goes away when asked for one
sudo_dialogue() {
    perl /mnt/vm/guest/dialogue.pl "$user" "password for=$1" "Verification code=$2" -- sudo -S id -un
}

# expect_log PATTERN   a line of the system log since the case began
expect_log() {
    wait_for 20 grep -qE -- "$1" /run/system-log || fail "no log line like $1: $(tail -n 3 /run/system-log)"
}

expect_no_log() {
    ! grep -qE -- "$1" /run/system-log || fail "log line: $(grep -E -m 1 -- "$1" /run/system-log)"
}
