# P07: Options that the module does not know, and the one that makes it talk.
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

module_says() {
    pam_service onsite-alone "auth required pam_onsite.so $*"
    said=$(pamtester -I tty=tty1 onsite-alone $user authenticate </dev/null 2>&1) || true
}
for options in timeout=99 timeout=30001 timeout= timeout=1s interface=wlan1 nullok; do
    module_says "$options"
    [[ $said == *'Error in service module'* ]] || fail "with $options: $said"
done
for options in '' debug notify timeout=100 timeout=30000 'debug notify timeout=5000'; do
    module_says "$options"
    [[ $said == 'pamtester: successfully authenticated' ]] || fail "with '$options': $said"
done

# One line to the user where a second factor is asked for, and only with `notify`.
distrust corp-staff
module_says
[[ $(wc -l <<<"$said") == 1 ]] || fail "chatty: $said"
module_says notify
[[ $(wc -l <<<"$said") == 2 ]] || fail "with notify: $said"
