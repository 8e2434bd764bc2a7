#!/bin/bash
# askers.sh GROUP...   asks through real programs on a laptop that is on a trusted network and that systemd runs.
#
# Prints "ok - ask NAME" or "not ok - ask NAME: why" for each, and for the table lines that begin with "| " or "### ".
set -Eeuo pipefail
source /mnt/vm/guest/library.sh
source /mnt/vm/guest/askers/ask.sh
source /mnt/vm/guest/askers/places.sh
trap 'echo "not ok - ask: line $LINENO of ${BASH_SOURCE[0]##*/vm/}: $BASH_COMMAND"' ERR
exec 3>&1

second_user=bob
prepare_users() {
    echo "$second_user:x:1001:1001:Bob:/home/$second_user:/bin/bash" >>/etc/passwd
    echo "$second_user:x:1001:" >>/etc/group
    sed -n "s/^$user:/$second_user:/p" /etc/shadow >>/etc/shadow
    mkdir /home/$second_user
    cp /home/$user/.google_authenticator /home/$second_user
    # One prompt for the shell, another for a pane of tmux: the typist must know them apart.
    printf '%s\n' "PS1='\$ '" "[ -z \"\$TMUX\" ] || PS1='pane\$ '" "cd" |
        tee /home/$user/.bashrc /home/$user/.bash_profile /home/$second_user/.bashrc >/home/$second_user/.bash_profile
    touch /home/{$user,$second_user}/.hushlogin
    chown -R $user:$user /home/$user
    chown -R $second_user:$second_user /home/$second_user
    # For askers whose place only root can make.
    echo "$user ALL = NOPASSWD: /usr/bin/unshare" >>/etc/sudoers
}

# What `host/programs.sh` fetched, with the accounts that the packages would make.
prepare_programs() {
    local archive account
    for archive in /mnt/programs/{openssh-server,cron,at,greetd,xrdp}.tar; do
        tar -x -C / -f "$archive" --keep-directory-symlink --no-overwrite-dir --exclude='./etc/cron*' --exclude='./usr/share'
    done
    for account in sshd:901 _greetd:902; do
        getent passwd "${account%:*}" >/dev/null ||
            echo "${account%:*}:x:${account#*:}:65534::/nonexistent:/usr/sbin/nologin" >>/etc/passwd
    done
    getent group crontab >/dev/null || echo 'crontab:x:903:' >>/etc/group
    chgrp crontab /usr/bin/crontab
    chmod 2755 /usr/bin/crontab
    systemctl daemon-reload
}

# Each login service has the documented stack, with `debug`, and opens a session of logind where Debian's own does.
prepare_stacks() {
    local service stack
    stack=$(documented_stack | sed 's/pam_onsite.so/& debug/')
    for service in sudo su laptop polkit-1 vlock swaylock login sshd greetd; do
        pam_service $service "$stack"
    done
    pam_service laptop-alone 'auth required pam_onsite.so debug'
    # They authenticate nobody: a job, a session that another program has decided about, the user's service manager.
    for service in cron atd systemd-user; do
        pam_service $service 'auth required pam_permit.so'
    done
    for service in login sshd systemd-user; do
        echo 'session required pam_systemd.so' >>/etc/pam.d/$service
    done
    echo 'session required pam_systemd.so type=wayland' >>/etc/pam.d/greetd
}

prepare_network() {
    reset_radios
    reset_policy
    access_point wlan0 wpa2 Corp-Staff $hq
    trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
    join wlan1 wpa2 Corp-Staff
}

install_product
prepare_programs
prepare_users
prepare_stacks
prepare_network
start_journal
prepare_places
for topic in "$@"; do
    source "/mnt/vm/guest/askers/$topic.sh"
done
exit $((failures > 0))
