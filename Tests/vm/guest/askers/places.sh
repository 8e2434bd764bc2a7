# The places from which an asker is run. Sourced by askers.sh.
#
# A LINE is for a shell. These commands are for all: `asker` runs a program and notes its login session, `asker_sudo` is a
# sudo without a terminal, `on_pty` runs a program on a new pseudo-terminal and answers, `agent` does what it is told.

terminal=(perl /mnt/vm/guest/terminal.pl)
as_user=(setpriv --reuid $user --regid $user --init-groups -- env HOME=/home/$user)

prepare_places() {
    mkdir -m 777 $state
    touch $state/{session,answers}
    chmod 666 $state/{session,answers}
    cat >/usr/local/bin/asker <<'SCRIPT'
#!/bin/bash
# Notes what logind says of this process, and becomes the program.
while read -r line; do
    [[ $line != 0::/* ]] || unit=${line#0::/}
done </proc/self/cgroup
case $unit in
*/session-*.scope)
    session=${unit##*/session-}
    mapfile -t facts < <(loginctl show-session -p Remote -p Seat -p State -p Class -p Type "${session%.scope}")
    note=${facts[*]}
    ;;
*/user@*.service/*) note='none: `user@N.service`' ;;
# A container sees no more than the root of its own.
'') note='none: `/`' ;;
*/run-*.service) note='none: `run-N.service`' ;;
*) note="none: \`${unit##*/}\`" ;;
esac
echo "$note" >/run/askers/session
exec "$@"
SCRIPT
    printf '#!/bin/bash\nexec asker sudo -S id -un </run/askers/answers\n' >/usr/local/bin/asker_sudo
    cat >/usr/local/bin/on_pty <<'SCRIPT'
#!/bin/bash
{ read -r password && read -r code; } </run/askers/answers
exec perl /mnt/vm/guest/terminal.pl "Password: =$password" "password for alice: =$password" "Verification code: =$code" -- "$@"
SCRIPT
    cat >/usr/local/bin/agent <<'SCRIPT'
#!/bin/bash
# agent NAME   a program of a session that runs what it is told
mkfifo -m 666 "/run/askers/$1.in"
while read -r line <"/run/askers/$1.in"; do
    bash -c "$line" >"/run/askers/$1.out" 2>&1 </dev/null
    echo $? >"/run/askers/$1.status"
done
SCRIPT
    # The prompt of the pane is the last thing on the screen.
    echo 'set -g status off' >$state/tmux.conf
    chmod 755 /usr/local/bin/{asker,asker_sudo,on_pty,agent}
    # What the user asks systemd for through polkit.
    printf '[Service]\nExecStart=/bin/true\n' >/etc/systemd/system/errand.service
    sit_down
}

# The user logs in at the first virtual terminal. This login is not asked about.
sit_down() {
    mkdir -p /etc/systemd/system/getty@tty1.service.d
    printf '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin %s --noclear tty1 linux\n' $user \
        >/etc/systemd/system/getty@tty1.service.d/login.conf
    systemctl daemon-reload
    systemctl start getty@tty1
    /bin/busybox chvt 1
    wait_for 100 grep -aq '\$ ' /dev/vcs1 || fail "nobody is logged in at tty1"
}

# at_tty NUMBER LINE   typed by the user who is logged in there
at_tty() {
    "${terminal[@]}" --vt "$1" --end "<$asks ([0-9]+)>" "${answers[@]}" -- "clear; $2; echo \"<$asks \$?>\""
}

# in_pane_at_tty NUMBER SERVER LINE   in a tmux to which this terminal is attached
in_pane_at_tty() {
    local status=0
    "${terminal[@]}" --vt "$1" --end "<$asks ([0-9]+)>" "${answers[@]}" "pane\$ =clear; $3; echo \"<$asks \$?>\"" -- \
        "clear; tmux -L $2 attach" || status=$?
    "${as_user[@]}" tmux -L "$2" detach-client
    return $status
}

# log_in_at_tty NUMBER   until the shell answers
log_in_at_tty() {
    "${terminal[@]}" --vt "$1" --end "<$asks ([0-9]+)>" "login: =$user" "${answers[@]}" "\$ =clear; echo \"<$asks \$?>\"" --
}

# start_tmux_at_tty NUMBER SERVER
start_tmux_at_tty() {
    "${terminal[@]}" --vt "$1" --end '<started ([0-9]+)>' -- "clear; tmux -L $2 -f $state/tmux.conf new-session -d; echo \"<started \$?>\"" \
        >/dev/null
}

# in_session NAME LINE   by the agent of that name
in_session() {
    rm -f "$state/$1.status"
    echo "$2" >"$state/$1.in"
    wait_for 300 test -s "$state/$1.status" || return 124
    cat "$state/$1.out"
    return "$(cat "$state/$1.status")"
}

# in_unit OPTION... COMMAND...   as a service of the system
in_unit() {
    systemd-run --quiet --wait --pipe "$@" <$state/answers
}

# A real sshd, and a way in for both users.
prepare_sshd() {
    rm -rf /etc/ssh/sshd_config.d /etc/ssh/ssh_config.d /run/askers-host-key /run/askers-key
    ssh-keygen -q -t ed25519 -N '' -f /run/askers-host-key
    ssh-keygen -q -t ed25519 -N '' -f /run/askers-key
    local name
    for name in $user $second_user; do
        install -D -m 600 -o $name -g $name /run/askers-key.pub /home/$name/.ssh/authorized_keys
    done
    cat >/etc/ssh/sshd_config <<'CONFIG'
HostKey /run/askers-host-key
UsePAM yes
PasswordAuthentication no
KbdInteractiveAuthentication yes
AuthenticationMethods publickey keyboard-interactive
CONFIG
    cat >/etc/ssh/ssh_config <<'CONFIG'
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
KexAlgorithms curve25519-sha256
IdentitiesOnly yes
ControlPath /run/askers-%r
CONFIG
    systemctl restart ssh
}

# connect USER   a connection that lasts, with a session that is not asked about
connect() {
    ssh -fNM -i /run/askers-key "$1@127.0.0.1"
}

# disconnect USER   waits until logind knows of no session from elsewhere
disconnect() {
    ssh -O exit "$1@127.0.0.1" 2>/dev/null
    wait_for 100 eval '! grep -q REMOTE=1 /run/systemd/sessions/*[0-9]'
}
