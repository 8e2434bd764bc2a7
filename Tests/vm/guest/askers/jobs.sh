# What runs without a login session, while the user is at the console and nowhere else.
group 'Jobs and services of the system'

ask 'a daemon of root' session-unknown in_unit asker pamtester laptop $user authenticate
ask 'a service that runs as the user' session-unknown in_unit --uid=$user asker_sudo
ask 'a service that runs as the user, with a pseudo-terminal' session-unknown \
    on_pty systemd-run --quiet --wait --pty --uid=$user asker sudo id -un
ask 'a service with another network' session-unknown in_unit --uid=$user -p PrivateNetwork=yes asker_sudo
ask 'machinectl shell' session-unknown on_pty machinectl -q shell $user@.host /usr/local/bin/asker sudo id -un

job='asker_sudo >/run/askers/job.out 2>&1; echo $? >/run/askers/job.status'
# job COMMAND...   starts the job and waits until it is done
job() {
    rm -f $state/job.status
    "$@"
    wait_for 150 test -s $state/job.status || return 124
    cat $state/job.out
    return "$(cat $state/job.status)"
}
mkdir -p /var/spool/cron/{atjobs,atspool,crontabs}
printf 00000 >/var/spool/cron/atjobs/.SEQ
chown -R daemon:daemon /var/spool/cron/at*
chmod 1770 /var/spool/cron/at*
systemctl start atd
at_now() { "${as_user[@]}" at now <<<"$job"; }
ask 'a job of at' session-unknown job at_now

chown root:crontab /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs
printf 'PATH=%s\n@reboot %s\n' "$PATH" "$job" | "${as_user[@]}" crontab -
ask 'a job of cron' session-unknown job systemctl start cron

# `su` takes the name of the terminal from its input, and the user may open a console that is theirs.
su_at_the_console() {
    systemd-run --quiet --unit=chosen --uid=$user bash -c "sleep 1
        asker su $second_user -c 'id -un' </dev/tty1 >/dev/tty1 2>&1
        echo \"<$asks \$?>\" >/dev/tty1"
    # Meanwhile the shell there must not take what is typed.
    "${terminal[@]}" --vt 1 --end "<$asks ([0-9]+)>" "${answers[@]}" -- \
        "clear; tail --pid=$(systemctl show -P MainPID chosen) -f /dev/null"
}
ask 'su in a service that has opened the console' session-unknown su_at_the_console
