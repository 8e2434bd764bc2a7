# A supplicant is believed only as root's, and only of the network and the access point that the kernel shows.
access_point wlan0 wpa2 Corp-Staff $hq
supplicant_control=/run/elsewhere
join wlan1 wpa2 Corp-Staff
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'
expect evidence-too-weak

said=("bssid=$hq" ssid=Corp-Staff id=0 mode=station pairwise_cipher=CCMP key_mgmt=FT-PSK wpa_state=COMPLETED)

# pretend USER BEHAVIOUR LINE...   puts a program in the place of the supplicant
pretend() {
    local user=$1 behaviour=$2
    shift 2
    rm -rf /run/wpa_supplicant
    mkdir -m 777 /run/wpa_supplicant
    # /dev/full: a program that prints has failed.
    setpriv --reuid "$user" --regid "$user" --clear-groups -- \
        python3 /mnt/vm/guest/false-supplicant.py /run/wpa_supplicant/wlan1 "$behaviour" "$@" >/dev/full &
    impostor=$!
    wait_for 50 test -S /run/wpa_supplicant/wlan1
    chmod 777 /run/wpa_supplicant/wlan1
}
stop_pretending() { kill $impostor && wait $impostor || true; }

# The reason, and that it came in time: the program has 50 ms, and an emulated processor is slow.
expect_in_time() {
    local before after
    before=$(date +%s%N)
    expect_check "$1"
    after=$(date +%s%N)
    (((after - before) / 1000000 < 600)) || fail "$(((after - before) / 1000000)) ms with a supplicant that misbehaves"
    expect_module "$(status_of "$1")"
}

pretend root answer "${said[@]}"
expect_in_time trusted-network
stop_pretending
pretend 1000 answer "${said[@]}"
expect_in_time evidence-too-weak
stop_pretending
for change in "bssid=$twin" ssid=Corp-Guest key_mgmt=NONE wpa_state=ASSOCIATED mode=AP id=x pairwise_cipher=TKIP; do
    lines=()
    for line in "${said[@]}"; do [[ ${line%%=*} == "${change%%=*}" ]] || lines+=("$line"); done
    pretend root answer "${lines[@]}" "$change"
    expect_in_time evidence-too-weak
    stop_pretending
done
for behaviour in hang die-first die-later nonsense flood empty huge change; do
    pretend root $behaviour "${said[@]}"
    expect_in_time evidence-too-weak
    stop_pretending
done
# Nothing is left behind.
! pgrep onsite-gate || fail "a gate is left over"
