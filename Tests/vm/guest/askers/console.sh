# A user at a virtual terminal, logged in nowhere else.
group 'At the console'

ask 'sudo on a virtual terminal' trusted-network at_tty 1 'asker sudo id -un'
ask 'sudo without a terminal for its input' trusted-network at_tty 1 'asker_sudo'
ask 'sudo -n' nothing at_tty 1 'sudo -n id -un'
ask 'su to another user' trusted-network at_tty 1 "asker su $second_user -c 'id -un'"
ask 'systemctl, through the text agent of polkit' trusted-network at_tty 1 'asker systemctl start errand'
ask 'pkexec, through the text agent of polkit' trusted-network at_tty 1 \
    "sh -c 'pkttyagent -p \$\$ & sleep 1; asker pkexec --disable-internal-agent id -un'"
ask 'vlock, a setuid screen locker' trusted-network at_tty 1 'asker vlock -c'
ask 'a screen locker without privilege' trusted-network at_tty 1 "asker pamtester swaylock $user authenticate"
ask 'sudo on a pseudo-terminal of the session' trusted-network at_tty 1 "script -qec 'asker sudo id -un' /dev/null"
start_tmux_at_tty 1 here
ask 'sudo in a tmux of the session' trusted-network in_pane_at_tty 1 here 'asker sudo id -un'
ask 'a service of the user' trusted-network \
    at_tty 1 "systemd-run --user -q --wait --pipe asker_sudo"
ask 'a service of the user with a pseudo-terminal' trusted-network \
    at_tty 1 "systemd-run --user -q --wait --pty asker sudo id -un"
as_user_again="setpriv --reuid $user --regid $user --init-groups"
ask 'sudo in another network namespace' no-wifi-interface \
    at_tty 1 "sudo unshare --net $as_user_again asker sudo id -un"
# libsystemd takes it for a container, whose sessions are its own.
ask 'sudo in another process namespace' session-unknown \
    at_tty 1 "sudo unshare --pid --fork --mount-proc $as_user_again asker sudo id -un"
ask 'sudo in another process namespace with the /proc of the machine' session-unknown \
    at_tty 1 "sudo unshare --pid --fork $as_user_again asker sudo id -un"

group 'A login at the console'
daemon='none: `getty@tty2.service`'
systemctl start getty@tty2
ask 'login at a virtual terminal' trusted-network log_in_at_tty 2
ask 'sudo there' trusted-network at_tty 2 'asker sudo id -un'
ask 'sudo at a terminal that is not in front' trusted-network at_tty 1 'asker sudo id -un'

# What stays behind when a session ends. `setsid` so that the hang-up does not end it.
"${terminal[@]}" --vt 2 --end 'login:(0?)' -- 'setsid -f agent left; exit' >/dev/null
ask 'sudo that a session left behind' session-unknown in_session left asker_sudo
daemon=''

# What a program may say about the host, asked at the console.
group 'Names of the host'
for host in localhost LOCALHOST 127.0.0.1 127.1.2.3 ::1 ::ffff:127.0.0.1 laptop; do
    ask "a program that says \`$host\`" trusted-network \
        at_tty 1 "asker pamtester -I rhost=$host laptop $user authenticate"
done
for host in 198.51.100.7 ::ffff:198.51.100.7 localhost.example 127.0.0.1.example; do
    ask "a program that says \`$host\`" remote-session \
        at_tty 1 "asker pamtester -I rhost=$host laptop $user authenticate"
done
