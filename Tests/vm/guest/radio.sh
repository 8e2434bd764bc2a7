# Access points and stations on the virtual radios. Sourced in the machine.

# wlan0 and wlan2 are for access points, wlan1 and wlan3 for stations. All hear each other, on one channel.
passphrase='office key 1'
channel=1
frequency=2412
hq=02:11:22:33:44:50    # the access point that policies list
annex=02:11:22:33:44:60 # another one of the same company, not listed where only hq is
twin=02:66:66:66:66:66  # somebody else's

radio_state=/run/radio
# Where Debian's service puts the supplicant's control interface, and the gate looks for it.
supplicant_control=/run/wpa_supplicant

# Loads the virtual radios anew: no association, no scan result and no setting outlives a case.
reset_radios() {
    stop_daemons
    ! [[ -d /sys/module/mac80211_hwsim ]] || rmmod mac80211_hwsim
    load_module cfg80211
    load_module mac80211
    insmod /mnt/modules/*-mac80211_hwsim.ko radios=4
    wait_for 50 test -d /sys/class/net/wlan3
    rm -rf $radio_state $supplicant_control
    mkdir -p $radio_state
}

load_module() {
    [[ -d /sys/module/$1 ]] || insmod /mnt/modules/*-"$1".ko
}

stop_daemons() {
    local file
    for file in "$radio_state"/*.pid; do
        [[ -f $file ]] || continue
        stop_daemon "$file"
    done
}

# stop_daemon PIDFILE   ends it and waits until it is gone
stop_daemon() {
    local pid
    pid=$(cat "$1")
    rm -f "$1"
    kill "$pid" 2>/dev/null || return 0
    wait_for 30 eval "! kill -0 $pid" || kill -9 "$pid" 2>/dev/null || true
}

# The name's bytes in hex. A name is text, or hex:BYTES.
name_hex() {
    case $1 in
    hex:*) printf '%s' "${1#hex:}" ;;
    *) printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' ;;
    esac
}

# access_point RADIO KIND NAME [BSSID] [HOSTAPD-LINE]...
#
# KIND is open, owe, wpa1, wpa2, wpa3, transition (wpa2 and wpa3), fast (wpa2 with fast transition) or enterprise.
access_point() {
    local radio=$1 kind=$2 name=$3 bssid=${4:-}
    local config=$radio_state/$radio.hostapd
    shift $(($# < 4 ? $# : 4))
    [[ -z $bssid ]] || ip link set "$radio" down address "$bssid"
    {
        printf 'interface=%s\ndriver=nl80211\nssid2=%s\nhw_mode=g\nchannel=%s\nlogger_syslog=0\n' \
            "$radio" "$(name_hex "$name")" $channel
        access_point_security "$kind"
        (($# == 0)) || printf '%s\n' "$@"
    } >"$config"
    hostapd -B -P "$radio_state/$radio.pid" "$config" >"$radio_state/$radio.log" 2>&1 ||
        fail "hostapd did not start on $radio: $(tail -n 1 "$radio_state/$radio.log")"
}

access_point_security() {
    case $1 in
    open) ;;
    owe) printf 'wpa=2\nwpa_key_mgmt=OWE\nrsn_pairwise=CCMP\nieee80211w=2\n' ;;
    wpa1) printf 'wpa=1\nwpa_key_mgmt=WPA-PSK\nwpa_pairwise=CCMP\nwpa_passphrase=%s\n' "$passphrase" ;;
    wpa2) printf 'wpa=2\nwpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase=%s\n' "$passphrase" ;;
    wpa3) printf 'wpa=2\nwpa_key_mgmt=SAE\nrsn_pairwise=CCMP\nieee80211w=2\nsae_password=%s\n' "$passphrase" ;;
    transition)
        printf 'wpa=2\nwpa_key_mgmt=WPA-PSK SAE\nrsn_pairwise=CCMP\nieee80211w=1\nwpa_passphrase=%s\n' "$passphrase"
        ;;
    fast)
        printf 'wpa=2\nwpa_key_mgmt=FT-PSK\nrsn_pairwise=CCMP\nwpa_passphrase=%s\n' "$passphrase"
        printf 'mobility_domain=4f4e\nnas_identifier=%s.example\nft_psk_generate_local=1\n' "$radio"
        ;;
    enterprise)
        make_certificates
        printf '"%s" TTLS\n"%s" TTLS-PAP "%s" [2]\n' anonymous alice "$passphrase" >$radio_state/eap-users
        printf 'wpa=2\nwpa_key_mgmt=WPA-EAP\nrsn_pairwise=CCMP\nieee8021x=1\neap_server=1\n'
        printf 'eap_user_file=%s\nca_cert=%s\nserver_cert=%s\nprivate_key=%s\n' \
            $radio_state/eap-users /run/radius-ca.pem /run/radius.pem /run/radius.key
        ;;
    *) fail "no such kind of access point: $1" ;;
    esac
}

# The RADIUS server's own certificate is its authority; the supplicant pins it.
make_certificates() {
    [[ ! -f /run/radius.pem ]] || return 0
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=radius.example \
        -addext basicConstraints=critical,CA:TRUE -addext subjectAltName=DNS:radius.example -keyout /run/radius.key -out /run/radius.pem 2>/dev/null
    cp /run/radius.pem /run/radius-ca.pem
}

# stop_access_point RADIO
stop_access_point() {
    stop_daemon "$radio_state/$1.pid"
}

# join RADIO KIND NAME [NETWORK-LINE]...   joins and waits until the keys are in place
join() {
    start_joining "$@"
    wait_until_joined "$1"
}

wait_until_joined() {
    wait_for 200 supplicant_says "$1" wpa_state=COMPLETED ||
        fail "$1 did not join: $(tail -n 2 "$radio_state/$1.log" | tr '\n' ' ')"
}

# supplicant_says RADIO LINE
supplicant_says() {
    wpa_cli -p $supplicant_control -i "$1" status | grep -qxF -- "$2"
}

# start_joining RADIO KIND NAME [NETWORK-LINE]...   the same without waiting. `supplicant_settings` are lines for the
# supplicant as a whole.
supplicant_settings=()
start_joining() {
    local radio=$1 kind=$2 name=$3
    local config=$radio_state/$radio.supplicant
    shift 3
    leave "$radio"
    {
        printf 'ctrl_interface=DIR=%s GROUP=netdev\np2p_disabled=1\n' $supplicant_control
        # Before the network: settings of the supplicant itself.
        printf '%s\n' "${supplicant_settings[@]}"
        printf 'network={\nssid=%s\nscan_ssid=1\nscan_freq=%s\n' "$(name_hex "$name")" $frequency
        station_security "$kind"
        (($# == 0)) || printf '%s\n' "$@"
        printf '}\n'
    } >"$config"
    wpa_supplicant -B -P "$radio_state/$radio.pid" -D nl80211 -i "$radio" -c "$config" -f "$radio_state/$radio.log" \
        >/dev/null || fail "wpa_supplicant did not start on $radio"
}

# What an enterprise network's server has to show: lines for the station.
server_pin=('ca_cert="/run/radius-ca.pem"' 'domain_suffix_match="radius.example"')

station_security() {
    case $1 in
    open) echo key_mgmt=NONE ;;
    owe) printf 'key_mgmt=OWE\nieee80211w=2\n' ;;
    wpa1) printf 'key_mgmt=WPA-PSK\nproto=WPA\npsk="%s"\n' "$passphrase" ;;
    wpa2 | transition) printf 'key_mgmt=WPA-PSK\npsk="%s"\n' "$passphrase" ;;
    wpa3) printf 'key_mgmt=SAE\nieee80211w=2\nsae_password="%s"\n' "$passphrase" ;;
    enterprise)
        printf 'key_mgmt=WPA-EAP\neap=TTLS\nphase2="auth=PAP"\nanonymous_identity="anonymous"\n'
        printf 'identity="alice"\npassword="%s"\n' "$passphrase"
        printf '%s\n' "${server_pin[@]}"
        ;;
    fast) printf 'key_mgmt=FT-PSK\npsk="%s"\n' "$passphrase" ;;
    *) fail "no such kind of network: $1" ;;
    esac
}

# leave RADIO   ends its supplicant, and with it the association
leave() {
    [[ ! -f $radio_state/$1.pid ]] || stop_daemon "$radio_state/$1.pid"
}

# roam RADIO BSSID
roam() {
    wpa_cli -p $supplicant_control -i "$1" roam "$2" >/dev/null
    wait_for 100 is_on "$1" "$2" || fail "$1 did not roam to $2"
}

is_on() {
    supplicant_says "$1" "bssid=$2" && supplicant_says "$1" wpa_state=COMPLETED
}

# hear RADIO BSSID   scans until RADIO has heard that access point
hear() {
    ip link set "$1" up
    wait_for 50 heard "$1" "$2" || fail "$1 does not hear $2"
}

heard() {
    # Not `iw scan`, which waits for an event that it can miss. The supplicant may be scanning too: then this is refused.
    iw dev "$1" scan trigger freq $frequency || true
    sleep 0.3
    iw dev "$1" scan dump | grep -q "^BSS $2"
}
