# N04: The listed name and access point, but the station does not know the key. While it tries, the association is there to
# be seen; it must never be believed.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"

# The line of the configuration that comes last counts.
start_joining wlan1 wpa2 Corp-Staff 'psk="not the office key"'
seen=0
for _ in {1..200}; do
    check_json=$(onsite check --json --user $user --service laptop --tty tty1) && fail "a wrong key was trusted: $check_json"
    reason=$(json_value reason)
    case $reason in
    not-authorized | associating | not-connected | probe-inconsistent) ;;
    *) fail "reason while the key is wrong: $reason" ;;
    esac
    [[ $reason == not-authorized ]] || continue
    seen=$((seen + 1))
    if ((seen == 1)); then
        read_code
        ! log_in "$password" "$wrong_code" || fail "a wrong code was enough while the key was wrong"
        code_was_asked || fail "no code was asked for while the key was wrong: $login_said"
    fi
    ((seen < 20)) || break
done
((seen > 0)) || fail "not-authorized was never the reason"

join wlan1 wpa2 Corp-Staff
expect trusted-network
