# A container of systemd that has the network of the machine, and its accounts and policy.
group 'A container'

root=/run/container
mkdir -p $root/{usr,etc,var,home,run,tmp,proc,sys,dev,root}
for link in bin sbin lib lib64; do
    ln -s usr/$link $root/$link
done
in_container() {
    SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --directory=$root --hostname=laptop --link-journal=no --pipe \
        --bind=/usr --bind=/etc --bind=/var --bind=/home --bind=$state --bind=/run/systemd/journal/dev-log:/dev/log "$@" <$state/answers
}
ask 'sudo in a container' session-unknown in_container --user=$user /usr/local/bin/asker sudo -S id -un
ask 'a daemon of root in a container' session-unknown in_container asker pamtester laptop $user authenticate
