# Makes the machine a laptop with one user, the documented login stack and the product. Sourced in the machine.

# The user of every case. The code's secret is a test value.
user=alice
password='correct horse'
code_secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP

# The stack as the manual has it.
documented_stack() {
    cat <<'STACK'
auth  required                       pam_unix.so
auth  [success=1 default=ignore]     pam_onsite.so
auth  required                       pam_google_authenticator.so
auth  required                       pam_permit.so
STACK
}

# Everything that the cases read from /etc is written anew: the host's own may hold more users, other modules and
# other rules, and parts of it cannot be read when QEMU runs without root's rights. With --services the accounts of
# packages are kept, since their services and files belong to them.
prepare_laptop() {
    local hash accounts groups
    # On anybody's own machine this would be a disaster. `bench --here` lays a layer over its folders first.
    if ! grep -q onsite.mode= /proc/cmdline && ! { [[ -n ${ONSITE_BENCH_LAYERS:-} ]] && mountpoint -q /etc; }; then
        echo "this is not the test machine" >&2
        exit 1
    fi
    mkdir -p /home/$user /run/user /var/log
    accounts='root:x:0:0:root:/root:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
messagebus:x:100:65534:messagebus:/nonexistent:/usr/sbin/nologin'
    groups=$(printf '%s\n' root:x:0: tty:x:5: shadow:x:42: sudo:x:27:$user netdev:x:106: nogroup:x:65534:)
    if [[ ${1:-} == --services ]]; then
        accounts=$(awk -F: '$3 < 1000 || $3 == 65534' /etc/passwd)
        groups=$(awk -F: -v OFS=: -v user=$user \
            '$3 < 1000 || $3 == 65534 { $4 = $1 == "sudo" ? user : ""; print }' /etc/group)
    fi
    rm -rf /etc/passwd /etc/group /etc/shadow /etc/gshadow /etc/nsswitch.conf /etc/sudoers /etc/sudoers.d \
        /etc/pam.d /etc/hosts /etc/hostname /etc/onsite /var/lib/onsite /run/sudo /var/lib/sudo
    printf '%s\n' "$accounts" "$user:x:1000:1000:Alice:/home/$user:/bin/bash" >/etc/passwd
    printf '%s\n' "$groups" "$user:x:1000:" >/etc/group
    printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >/etc/nsswitch.conf
    printf '127.0.0.1 localhost laptop\n::1 localhost\n' >/etc/hosts
    echo laptop >/etc/hostname
    # The cheapest hash: the emulated processor would spend its time on the usual one.
    hash=$(openssl passwd -1 -salt onsite "$password")
    awk -F: -v hash="$hash" -v user=$user \
        '{ print $1 ":" ($1 == user ? hash : "*") ":19000:0:99999:7:::" }' /etc/passwd >/etc/shadow
    awk -F: '{ print $1 ":!::" $4 }' /etc/group >/etc/gshadow
    chown root:shadow /etc/shadow /etc/gshadow
    chmod 640 /etc/shadow /etc/gshadow

    mkdir -m 755 /etc/sudoers.d
    cat >/etc/sudoers <<'SUDOERS'
Defaults env_reset, use_pty, timestamp_timeout=0, lecture=never, passwd_tries=1
root ALL=(ALL:ALL) ALL
%sudo ALL=(ALL:ALL) ALL
SUDOERS
    chmod 440 /etc/sudoers

    printf '%s\n" WINDOW_SIZE 3\n" TOTP_AUTH\n' $code_secret >/home/$user/.google_authenticator
    chmod 400 /home/$user/.google_authenticator
    chown -R $user:$user /home/$user
}

start_system_log() {
    touch /run/system-log
    perl /mnt/vm/guest/system-log.pl /run/system-log &
    wait_for 50 test -S /dev/log
}

reset_login() {
    rm -rf /etc/pam.d
    if [[ ! -d /run/pam.d ]]; then
        mkdir -m 755 /etc/pam.d
        pam_service other 'auth required pam_deny.so'
        # `sudo` has the stack to the letter. `laptop` differs in one word, so that failing is quick.
        pam_service sudo "$(documented_stack)"
        pam_service laptop "$(documented_stack | sed 's/pam_unix.so/& nodelay/')"
        # What the module itself returns, with no other voice.
        pam_service onsite-alone 'auth required pam_onsite.so'
        cp -a /etc/pam.d /run/pam.d
    else
        cp -a /run/pam.d /etc/pam.d
    fi
}

# pam_service NAME AUTH-LINE...
pam_service() {
    local name=$1
    shift
    printf '%s\n' "$@" 'account required pam_permit.so' 'session required pam_permit.so' >"/etc/pam.d/$name"
    chmod 644 "/etc/pam.d/$name"
}

# Copies the product from the folder that `make install DESTDIR=` filled, unless it is there as it was installed. The
# files become root's, whoever built them.
install_product() {
    local seen=/run/installed
    if [[ ! -f $seen || $(installed_files) != "$(cat $seen)" ]]; then
        rm -rf $gate /usr/lib/*/security/pam_onsite.so
        (cd /mnt/stage && tar -c --owner=0 --group=0 .) | tar -x -C / --no-overwrite-dir
        installed_files >$seen
    fi
    pam_module=$(compgen -G '/usr/lib/*/security/pam_onsite.so')
    [[ -x /usr/bin/onsite && -x $gate && -f $pam_module ]]
}
gate=/usr/libexec/onsite/onsite-gate

# Tells whether a case has changed the product.
installed_files() {
    stat -c '%n %i %s %Y %a %u' /usr/bin/onsite $gate /usr/lib/*/security/pam_onsite.so 2>/dev/null
}

# wait_for TENTHS COMMAND...   waits until COMMAND succeeds
wait_for() {
    local left=$1
    shift
    until "$@" >/dev/null 2>&1; do
        ((left-- > 0)) || return 1
        sleep 0.1
    done
}

# Sets `code` to what the user's telephone shows, and `wrong_code` to one that is not accepted. They are good for a minute
# more, so they are reckoned once in a while.
read_code() {
    local step=$((EPOCHSECONDS / 30)) near
    [[ ${code_step:-} != "$step" ]] || return 0
    # The codes from a minute ago to two minutes ahead.
    near=$(oathtool --totp -b "$code_secret" --window 6 --now "@$((EPOCHSECONDS - 60))")
    code=$(sed -n 3p <<<"$near")
    wrong_code=123456
    while grep -qx "$wrong_code" <<<"$near"; do wrong_code=$((wrong_code + 1)); done
    code_step=$step
}
