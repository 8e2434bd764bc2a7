# A graphical session at the seat. greetd opens it; what a compositor would start is started by an agent.
group 'A graphical session'

cat >/etc/greetd/config.toml <<TOML
[terminal]
vt = 7
[default_session]
command = "sleep infinity"
user = "_greetd"
[initial_session]
command = "agent desktop"
user = "$user"
TOML
systemctl start greetd
wait_for 150 test -p $state/desktop.in
ask 'sudo that a program of the session starts' trusted-network in_session desktop 'asker_sudo'
ask 'sudo in a terminal window' trusted-network in_session desktop 'on_pty asker sudo id -un'
ask 'a screen locker' trusted-network \
    in_session desktop "asker pamtester swaylock $user authenticate </run/askers/answers"
ask 'a program that the service manager of the user started' trusted-network \
    in_session desktop 'systemd-run --user -q --wait --pipe asker_sudo'
ask 'a terminal window that it started' trusted-network \
    in_session desktop 'systemd-run --user -q --wait --pipe on_pty asker sudo id -un'
/bin/busybox chvt 1
ask 'sudo in a terminal window while another terminal is in front' trusted-network in_session desktop 'on_pty asker sudo id -un'
systemctl stop greetd
