#!/bin/bash
# bench.sh ROUNDS [INTERFACE]   measures logins and checks in the machine, or with INTERFACE on whatever machine this is.
set -euo pipefail

source /mnt/vm/guest/library.sh
exec 3>&2

rounds=$1
interface=${2:-}
nmcli=''
[[ -n $interface ]] || unpack_manager network-manager
if [[ -z $interface ]] && command -v NetworkManager nmcli dbus-daemon >/dev/null; then nmcli=yes; fi
prepare_laptop
reset_login
install_product
reset_policy
if [[ -z $interface ]]; then
    interface=wlan1
    start_system_log
    reset_radios
    access_point wlan0 wpa2 Corp-Staff "$hq"
    if [[ -n $nmcli ]]; then
        # It joins in the supplicant's place, so that its list holds what nmcli has to show.
        manage_by_network_manager '[wifi-security]' key-mgmt=wpa-psk "psk=$passphrase"
    else
        join wlan1 wpa2 Corp-Staff
    fi
fi
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
where="on $interface, not on a trusted network"
! onsite check --user "$user" --tty tty1 --quiet || where="on $interface, on a trusted network"

# What an administrator would write without onsite: a script that looks at the name.
# What administrators write today, as guides and forums have it.
cat >/etc/wifi-check <<CHECK
#!/bin/bash
SSID=\$(iw dev $interface link | grep SSID | awk '{print \$2}')
if [ "\$SSID" = "Corp-Staff" ]; then exit 0; fi
exit 1
CHECK
chmod 755 /etc/wifi-check

# stack NAME MODULE   the documented stack with another module in the place of pam_onsite. Where the network is not
# trusted, all go on to the last line; that nobody is asked for a code keeps what is measured the same for the three.
stack() {
    pam_service "$1" "$(documented_stack | sed "s|pam_onsite.so|$2|; s|pam_google_authenticator.so|pam_permit.so|")"
}
stack bench-permit pam_permit.so
stack bench-onsite pam_onsite.so
stack bench-exec 'pam_exec.so quiet /etc/wifi-check'
echo "$password" >/run/bench-password

login() {
    commands+=(-- pamtester -I tty=tty1 "$1" "$user" authenticate)
}

commands=()
login bench-permit
login bench-onsite
login bench-exec
commands+=(-- onsite check --user "$user" --tty tty1 -- iw dev "$interface" link)
if [[ -n $nmcli ]]; then
    commands+=(-- nmcli -t -f "active,ssid,bssid" device wifi list --rescan no)
fi
medians=() fails=()
while read -r median _ failed; do
    medians+=("$median") fails+=("$failed")
done < <(/mnt/tools/interleave "$rounds" /run/bench-password "${commands[@]}")

over=0
# row LABEL INDEX
row() {
    printf '%-46s %5d.%02d ms' "$1" $((${medians[$2]} / 1000)) $((${medians[$2]} % 1000 / 10))
}
# limit most|least OF BY TENTHS   OF is at most, or at least, so many tenths of BY
limit() {
    local ratio=$((medians[$2] * 100 / medians[$3])) verdict=ok
    case $1 in
    most) ((ratio <= $4 * 10)) || verdict=over ;;
    least) ((ratio >= $4 * 10)) || verdict=under ;;
    esac
    [[ $verdict == ok ]] || over=$((over + 1))
    printf '   %3d.%02d   at %-5s %2d.%d   %s\n' $((ratio / 100)) $((ratio % 100)) "$1" $(($4 / 10)) $(($4 % 10)) "$verdict"
}

printf 'median of %s runs in turn, %s\n\n%-46s %11s   %6s   %-13s\n' "$rounds" "$where" '' median ratio limit
row 'login, pam_permit.so in the place of onsite' 0 && echo
row 'login, pam_onsite.so' 1 && limit most 1 0 23
row 'login, pam_exec.so with bash, iw, grep, awk' 2 && limit least 2 1 30
row 'iw dev INTERFACE link' 4 && echo
# Without nl80211, iw gives up before it has asked anything.
row 'onsite check' 3 && if iw dev >/dev/null 2>&1; then limit most 3 4 20; else echo; fi
if [[ -n $nmcli ]]; then
    row 'nmcli device wifi list' 5 && limit least 5 3 50
else
    echo 'nmcli device wifi list                         not measured: NetworkManager is not installed or not used here'
fi
# Who asks, where systemd runs the machine: its library has to be loaded, whatever it then finds.
if [[ -n ${2:-} ]]; then
    for name in allow require; do
        mkdir -p /run/bench/$name/etc/onsite
        cp -r /etc/onsite/networks.d /run/bench/$name/etc/onsite
        printf '[decision]\nremote-sessions = "%s"\n' $name | cat <(echo 'version = 1') - >/run/bench/$name/etc/onsite/policy.toml
        onsite apply --root /run/bench/$name >/dev/null
    done
    mkdir -p /run/systemd/system
    session=(onsite check --user "$user" --tty tty1 --root)
    while read -r median _; do
        medians+=("$median")
    done < <(/mnt/tools/interleave "$rounds" /dev/null -- "${session[@]}" /run/bench/allow -- "${session[@]}" /run/bench/require)
    last=$((${#medians[@]} - 1))
    row 'onsite check, whoever asks' $((last - 1)) && echo
    row 'onsite check, with the login session' $last && limit most $last $((last - 1)) 15
fi
printf '\nratio: pam_onsite to pam_permit, pam_exec to pam_onsite, onsite to iw, nmcli to onsite, with to without\n'
((fails[0] == 0 && fails[1] == 0)) || echo "logins failed: ${fails[0]} and ${fails[1]}"
((over == 0 && fails[0] == 0 && fails[1] == 0))
