# First process of the machine when systemd is to run it: makes the machine a laptop on which no service of the host is
# enabled, and gives way to systemd. What runs in the end is /mnt/job/command, as a service.
set -euo pipefail
source /mnt/vm/guest/laptop.sh

# Only what systemd itself brings is started. The host's own services, mounts, jobs and timers stay out.
prepare_systemd() {
    local unit folder
    rm -rf /etc/systemd /etc/fstab /etc/crypttab /etc/crontab /etc/cron.d /etc/rc?.d /etc/modules-load.d /etc/profile.d
    mkdir -p /etc/systemd/system
    # What the host keeps here is not for this machine, is large, or is for its owner to read.
    for folder in /var/log /var/spool /var/lib/systemd /etc/polkit-1; do
        mount -t tmpfs -o mode=755 scratch $folder
    done
    mkdir /etc/polkit-1/rules.d
    echo 'polkit.addAdminRule(function(action, subject) { return ["unix-group:sudo"]; });' \
        >/etc/polkit-1/rules.d/sudo.rules
    # Where the host is a container, this is not.
    rm -f /.dockerenv
    # A container or an image may have none.
    rm -f /etc/machine-id /var/lib/dbus/machine-id
    echo 0123456789abcdef0123456789abcdef >/etc/machine-id
    # There is no hardware to wait for, no module to load, nobody at the serial line, and nothing to keep for the next start.
    for unit in systemd-udevd.service systemd-udevd-{control,kernel}.socket systemd-udev-trigger.service \
        systemd-modules-load.service kmod-static-nodes.service systemd-random-seed.service systemd-firstboot.service \
        systemd-sysusers.service systemd-repart.service systemd-pcrphase{,-sysinit}.service systemd-journal-flush.service \
        systemd-update-utmp{,-runlevel}.service systemd-tmpfiles-clean.timer systemd-machine-id-commit.service \
        systemd-binfmt.service proc-sys-fs-binfmt_misc.automount systemd-sysctl.service \
        sys-{fs-fuse-connections,kernel-config,kernel-debug,kernel-tracing}.mount dev-{hugepages,mqueue}.mount \
        serial-getty@ttyS0.service getty-static.service systemd-initctl.socket \
        {cryptsetup,integritysetup,veritysetup}.target; do
        ln -s /dev/null "/etc/systemd/system/$unit"
    done
    printf '[Journal]\nStorage=volatile\nRateLimitBurst=0\n' >/etc/systemd/journald.conf
    cat >/etc/systemd/system/job.service <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
Environment=HOME=/root LANG=C.UTF-8 TERM=linux
ExecStart=/bin/bash -c 'echo @@up; bash /mnt/job/command; echo @@status=$?; /bin/busybox poweroff -f'
StandardInput=null
StandardOutput=file:/dev/ttyS0
StandardError=inherit
UNIT
    printf '[Unit]\nRequires=multi-user.target job.service\n' >/etc/systemd/system/job.target
}

prepare_laptop --services
reset_login
prepare_systemd
ip link set lo up
hostname laptop
exec /lib/systemd/systemd --unit=job.target --log-target=kmsg --log-level=warning
