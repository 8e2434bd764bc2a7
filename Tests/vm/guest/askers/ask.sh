# One asker: what it was asked, what the module said, and a row of the table. Sourced by askers.sh.

state=/run/askers
asks=0
failures=0
# For an ask: the login session, where the program cannot note it, and what the table says of the code, where the program
# does not show that it asks.
daemon='' code_line=''

# The log of authentication, as it grows.
start_journal() {
    : >/run/system-log
    journalctl --follow --lines=0 --output=cat SYSLOG_FACILITY=10 >>/run/system-log &
    # The first line shows that it follows.
    wait_for 100 eval 'logger -p authpriv.debug ready; grep -q ready /run/system-log'
    exec {log}</run/system-log
}

# Adds to `entries` what the module has logged meanwhile.
read_log() {
    local line
    while IFS= read -r line <&"$log"; do
        [[ $line != *'pam_onsite('* ]] || entries+=$line$'\n'
    done
}

# examine NAME COMMAND...   one test that is no asker
examine() {
    local name=$1 why
    shift
    asks=$((asks + 1))
    if why=$("$@" 2>&1); then
        echo "ok - $topic: $name"
    else
        echo "not ok - $topic: $name: $(tail -n 2 <<<"$why" | tr '\n' ' ')"
        failures=$((failures + 1))
    fi
}

# asks REASON COMMAND...   the module's decision; `entries` are what it logged
asks() {
    local reason=$1
    shift
    read_log
    entries=''
    "$@" || true
    wait_for 30 eval 'read_log; [[ $entries == *": took "* ]]'
    [[ $(logged reason) == "$reason" ]] || { logged reason; return 1; }
}

# asks_with REASON HOW COMMAND...   and whether a gate was called for it (socket) or started (helper)
asks_with() {
    local reason=$1 how=$2 spawned=helper
    shift 2
    asks "$reason" strace -f -qq -e trace=execve -o $state/trace "$@" || return 1
    grep -q 'execve("/usr/libexec/onsite/onsite-gate"' $state/trace || spawned=socket
    [[ $spawned == "$how" ]] || { echo "from the $spawned"; return 1; }
}
# A login at the console that asks for nothing but the decision.
console=(pamtester -I tty=tty1 laptop-alone $user authenticate)

# group TITLE   begins a table
group() {
    printf '### %s\n' "$1"
    printf '| %s ' 'Who asks' '`PAM_SERVICE`' '`PAM_RHOST`' '`PAM_TTY`' 'Login session' 'Reason' 'Code asked for' 'Where the asker is'
    printf '|\n|---|---|---|---|---|---|---|---|\n'
}

# ask NAME REASON PLACE ARGUMENT...
#
# Has PLACE, a function, run a program that asks. It must succeed when password and code are given, exactly one decision
# must be in the log, with REASON, and the code must be asked for unless REASON is trusted-network. With the REASON
# `nothing` no question may reach the module, and the program must fail.
ask() {
    local name=$1 wanted=$2 started=$SECONDS status=0 tenths=30 entries='' screen why
    shift 2
    asks=$((asks + 1))
    read_code
    # The typist's answers, and the same for programs that read lines.
    answers=("password for $user: =$password" "Password: =$password" "Verification code: =$code" 'Please press [ENTER] to unlock.=')
    printf '%s\n' "$password" "$code" >$state/answers
    : >$state/session
    read_log
    entries=''
    "$@" >$state/screen 2>&1 || status=$?
    if [[ $wanted == nothing ]]; then
        journalctl --sync
        tenths=3
    fi
    while read_log && [[ $entries != *': took '* ]] && ((tenths-- > 0)); do
        sleep 0.1
    done

    screen=$(tr -d '\0' <$state/screen)
    # A pane shows what was there before the line was typed.
    screen=${screen##*"echo \"<$asks"}
    why=$(verdict_on "$wanted" "$status")
    row "$name"
    if [[ -z $why ]]; then
        echo "ok - ask $name ($((SECONDS - started)) s)"
    else
        echo "not ok - ask $name: $why ($((SECONDS - started)) s)"
        sed 's/^/#   log: /' <<<"${entries%$'\n'}"
        grep . <<<"$screen" | tail -n 25 | sed 's/^/#   /' || true
        failures=$((failures + 1))
    fi
}

# verdict_on REASON STATUS   prints what is wrong with the ask
verdict_on() {
    local decisions reason
    decisions=$(grep -c 'second factor' <<<"$entries" || true)
    reason=$(logged reason)
    if [[ $1 == nothing ]]; then
        ((decisions == 0 && $2 > 0)) || echo "$decisions decisions, status $2"
    elif ((decisions != 1)); then
        echo "$decisions decisions, not one"
    elif [[ $reason != "$1" ]]; then
        echo "the reason is $reason, not $1"
    elif code_is_on_screen && [[ $1 == trusted-network ]]; then
        echo "a code was asked for"
    elif ! code_is_on_screen && [[ $1 != trusted-network && -z $code_line ]]; then
        echo "no code was asked for"
    elif (($2 != 0)); then
        echo "it failed with status $2"
    fi
}

code_is_on_screen() {
    [[ $screen == *'Verification code'* ]]
}

# row NAME   of the table
row() {
    local session asked=no detail=-
    session=$(<$state/session)
    if code_is_on_screen; then asked=yes; fi
    [[ $entries =~ ': detail: '([^$'\n']*) ]] && detail=${BASH_REMATCH[1]}
    printf '| %s ' "$1" "$(logged service)" "$(logged rhost)" "$(logged tty)" "${session:-${daemon:--}}" "$(logged reason)" \
        "${code_line:-$asked}" "$detail"
    echo '|'
}

# logged KEY   a value that the module logged. Numbers of pseudo-terminals are no more than chance.
logged() {
    local value=-
    [[ $entries =~ [\ ]$1=([^ $'\n']*) ]] && value=${BASH_REMATCH[1]}
    echo "${value/pts\/[0-9]*/pts\/N}"
}
