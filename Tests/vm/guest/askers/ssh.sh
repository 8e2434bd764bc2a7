# Over the network: a real sshd, and what can be reached through it.

# log_in_over_ssh HOST   with password and code
log_in_over_ssh() {
    on_pty ssh -o PreferredAuthentications=keyboard-interactive -o ControlPath=none "$user@$1" id -un
}

# over_ssh USER LINE   typed by USER, who is connected
over_ssh() {
    on_pty ssh -tt "$1@127.0.0.1" "$2"
}

# in_pane_over_ssh USER SERVER LINE   in a tmux that USER attaches to
in_pane_over_ssh() {
    "${terminal[@]}" --end "<$asks ([0-9]+)>" "${answers[@]}" "pane\$ =clear; $3; echo \"<$asks \$?>\"" -- \
        ssh -tt "$1@127.0.0.1" "$2"
}

prepare_sshd
group 'A login over ssh'
daemon='none: `ssh.service`'
for host in 127.0.0.1 localhost ::1 127.1.2.3 laptop ::ffff:127.0.0.1; do
    ask "sshd, reached as \`$host\`" remote-session log_in_over_ssh "$host"
done
daemon=''

group 'Within ssh'
start_tmux_at_tty 1 here
connect $user
ask 'sudo' remote-session over_ssh $user 'asker sudo id -un'
ask 'sudo without a terminal for its input' remote-session over_ssh $user asker_sudo
ask 'sudo -n' nothing over_ssh $user 'sudo -n id -un'
ask 'su to another user' remote-session over_ssh $user "asker su $second_user -c 'id -un'"
ask 'systemctl, through the text agent of polkit' remote-session over_ssh $user 'asker systemctl restart errand'
ask 'a screen locker' remote-session over_ssh $user "asker pamtester swaylock $user authenticate"
ask 'a program that says `localhost`' remote-session \
    over_ssh $user "asker pamtester -I rhost=localhost laptop $user authenticate"
ask 'a program that says `tty1`' remote-session over_ssh $user "asker pamtester -I tty=tty1 laptop $user authenticate"
ask 'a service of the user' session-unknown over_ssh $user 'systemd-run --user -q --wait --pipe asker_sudo'
ask 'sudo in a tmux that was started at the console' session-unknown \
    in_pane_over_ssh $user 'tmux -L here attach' 'asker sudo id -un'
# The user may open the console, but its keyboard belongs to the session there.
ask 'sudo in that tmux, with the console for its terminal' nothing \
    in_pane_over_ssh $user 'tmux -L here attach' 'setsid --ctty --wait sudo id -un </dev/tty1'
ask 'sudo in a tmux that was started over ssh' remote-session \
    in_pane_over_ssh $user 'tmux -L there -f /run/askers/tmux.conf new' 'asker sudo id -un'

group 'At the console, while the same user is logged in over ssh'
ask 'sudo on a virtual terminal' trusted-network at_tty 1 'asker sudo id -un'
ask 'su to another user on a virtual terminal' trusted-network at_tty 1 "asker su $second_user -c 'id -un'"
ask 'sudo on a pseudo-terminal of the session' session-unknown at_tty 1 "script -qec 'asker sudo id -un' /dev/null"
ask 'sudo in a tmux that was started at the console' session-unknown in_pane_at_tty 1 here 'asker sudo id -un'
ask 'sudo in a tmux that was started over ssh' remote-session in_pane_at_tty 1 there 'asker sudo id -un'
ask 'a service of the user' session-unknown at_tty 1 'systemd-run --user -q --wait --pipe asker_sudo'
ask 'polkit' session-unknown at_tty 1 'asker systemctl restart errand'

group 'At the console, after that'
"${as_user[@]}" tmux -L there kill-server
disconnect $user
ask 'sudo in a tmux that was started at the console' trusted-network in_pane_at_tty 1 here 'asker sudo id -un'
ask 'a service of the user' trusted-network at_tty 1 'systemd-run --user -q --wait --pipe asker_sudo'

# Who may become the user needs no session as that user: nothing shows that the pane is looked at from elsewhere.
echo "$second_user ALL = ($user) NOPASSWD: /usr/bin/tmux" >>/etc/sudoers
connect $second_user
ask 'sudo in that tmux, to which another user has attached over ssh' session-unknown \
    in_pane_over_ssh $second_user "sudo -u $user tmux -L here attach" 'asker sudo id -un'
disconnect $second_user

# logind takes a session for a local one when its host goes by the name localhost.
group 'Within ssh, when sshd looks up the name of the host'
sed -i '1iUseDNS yes' /etc/ssh/sshd_config
systemctl reload ssh
daemon='none: `ssh.service`'
ask 'sshd, reached as `127.0.0.1`' remote-session log_in_over_ssh 127.0.0.1
daemon=''
connect $user
ask 'sudo' session-unknown over_ssh $user 'asker sudo id -un'
ask 'sudo in a tmux that was started at the console' session-unknown \
    in_pane_over_ssh $user 'tmux -L here attach' 'asker sudo id -un'
ssh -O exit "$user@127.0.0.1" 2>/dev/null
