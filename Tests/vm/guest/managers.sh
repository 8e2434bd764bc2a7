# NetworkManager and iwd in the place of a supplicant that was started by hand. Sourced in the machine.

# What Debian's services do before: the system bus, and for NetworkManager a supplicant that listens to it.
start_bus() {
    mkdir -p /run/dbus
    rm -f /run/dbus/pid /run/dbus/system_bus_socket
    dbus-uuidgen >/etc/machine-id
    dbus-daemon --system --fork --print-pid >$radio_state/bus.pid 2>/dev/null
}

# unpack_manager PACKAGE   one of those that `host/programs.sh` fetched
unpack_manager() {
    tar -x -C / -f "/mnt/programs/$1.tar" --keep-directory-symlink --no-overwrite-dir --exclude='./usr/share/doc' \
        --exclude='./usr/share/locale' --exclude='./usr/share/man' ./usr
}

# manage_by_network_manager PROFILE-LINE...   joins Corp-Staff with wlan1
manage_by_network_manager() {
    local profiles=/etc/NetworkManager/system-connections
    stop_managers
    [[ -x /usr/sbin/NetworkManager ]] || unpack_manager network-manager
    rm -rf /etc/NetworkManager /var/lib/NetworkManager
    mkdir -p $profiles /var/lib/NetworkManager
    printf '[keyfile]\nunmanaged-devices=interface-name:wlan0;interface-name:wlan2;interface-name:wlan3\n' \
        >/etc/NetworkManager/NetworkManager.conf
    printf '%s\n' '[connection]' id=office type=wifi '[wifi]' ssid=Corp-Staff '[ipv4]' method=disabled '[ipv6]' \
        method=disabled "$@" >$profiles/office.nmconnection
    chmod 600 $profiles/office.nmconnection
    start_bus
    wpa_supplicant -B -u -s -P $radio_state/wlan1.pid
    # Where /sys cannot be written, as in a container, NetworkManager does not wait for udev, which is not here.
    mount -o remount,ro /sys
    NetworkManager --pid-file=$radio_state/manager.pid
    wait_for 300 eval 'nmcli -t -f device,state device | grep -qx wlan1:connected' ||
        fail "NetworkManager did not join: $(nmcli -t -f device,state device | tr '\n' ' ')"
}

# manage_by_iwd   joins Corp-Staff with wlan1, by the passphrase
manage_by_iwd() {
    stop_managers
    [[ -x /usr/libexec/iwd ]] || unpack_manager iwd
    rm -rf /var/lib/iwd /etc/iwd
    mkdir -p /var/lib/iwd /etc/iwd
    printf '[Security]\nPassphrase=%s\n' "$passphrase" >/var/lib/iwd/Corp-Staff.psk
    start_bus
    /usr/libexec/iwd --interfaces wlan1 "$@" >$radio_state/iwd.log 2>&1 &
    echo $! >$radio_state/manager.pid
    wait_for 300 eval 'iwctl station wlan1 show | grep -q "State *connected"' ||
        fail "iwd did not join: $(tail -n 2 $radio_state/iwd.log | tr '\n' ' ')"
}

stop_managers() {
    local daemon
    for daemon in manager wlan1 bus; do
        [[ ! -f $radio_state/$daemon.pid ]] || stop_daemon "$radio_state/$daemon.pid"
    done
    # What a program left that was here before is no sign of it.
    rm -rf /run/NetworkManager
}
