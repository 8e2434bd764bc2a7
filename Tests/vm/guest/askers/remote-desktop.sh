# A desktop that is shown elsewhere: xrdp's session manager starts an X server, and the session has no seat.
group 'A remote desktop'

# xrdp has one line for password and code, so the module of the code takes both, and pam_unix.so after it.
pam_service xrdp-sesman 'auth [success=1 default=ignore] pam_onsite.so debug' \
    'auth required pam_google_authenticator.so forward_pass' 'auth required pam_unix.so try_first_pass'
echo 'session required pam_systemd.so' >>/etc/pam.d/xrdp-sesman
printf '#!/bin/sh\nexec agent rdp\n' >/etc/xrdp/startwm.sh
chmod 755 /etc/xrdp/startwm.sh
# Debian's unit is bound to the part that listens to the network.
systemd-run --quiet --unit=sesman --property=RuntimeDirectory=xrdp /usr/sbin/xrdp-sesman --nodaemon
wait_for 100 eval '>/dev/tcp/::1/3350'

# start_remote_desktop   with password and code; the password alone must not be enough
start_remote_desktop() {
    xrdp-sesrun -t Xvnc -p "$password$code" $user
    wait_for 200 test -p $state/rdp.in
}
daemon='none: `xrdp-sesman.service`' code_line='with the password'
ask 'xrdp-sesman' remote-session start_remote_desktop
daemon='' code_line=''
ask 'sudo that a program of the session starts' session-unknown in_session rdp asker_sudo
ask 'sudo in a terminal window' session-unknown in_session rdp 'on_pty asker sudo id -un'
ask 'a screen locker' session-unknown \
    in_session rdp "asker pamtester swaylock $user authenticate </run/askers/answers"
ask 'a program that the service manager of the user started' session-unknown \
    in_session rdp 'systemd-run --user -q --wait --pipe asker_sudo'
ask 'sudo on a virtual terminal of the same user' trusted-network at_tty 1 'asker sudo id -un'
ask 'a screen locker of the same user at the console' session-unknown \
    at_tty 1 "asker pamtester swaylock $user authenticate"
systemctl stop sesman
# The X server and its programs have a session of their own, which outlives it.
for session in $(loginctl list-sessions --no-legend | awk -v user=$user '$3 == user && $4 == "" { print $1 }'); do
    loginctl kill-session --signal=KILL "$session"
done
wait_for 100 eval '! grep -q TYPE=x11 /run/systemd/sessions/*[0-9]'
