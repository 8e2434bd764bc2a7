# Start of the interactive shell: everything that a case can say is at hand.
source /mnt/vm/guest/library.sh
exec 3>&2
# In a case this ends the case.
fail() {
    echo "failed: $*" >&2
    return 1
}
prepare_laptop
start_system_log
reset_radios
reset_login
if [[ -d /mnt/stage ]]; then
    install_product
    reset_policy
fi
PS1='test machine \w # '
cat <<'TEXT'
Try:  access_point wlan0 wpa2 Corp-Staff $hq
      trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
      join wlan1 wpa2 Corp-Staff && onsite check --tty tty1 --explain
TEXT
