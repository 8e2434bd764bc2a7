# N08: The station goes to and fro between a listed and an unlisted access point while somebody keeps asking. The name of
# one and the facts of the other must never make one answer.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff

# `place` says where the station is for certain, or that it moves. A check between two equal answers was made there.
place=$radio_state/place
put() {
    echo "$1" >$place.new
    mv $place.new $place
}
put moving
checked=$radio_state/checked
(
    round=0
    while ((round++ < 6)); do
        for bssid in $twin $hq; do
            put "moving $round $bssid"
            roam wlan1 $bssid
            put "$bssid $round"
            # Stay until somebody has asked here.
            wait_for 50 grep -qxF "$bssid $round" $checked || fail "nobody asks any more"
        done
    done
    put over
) &
roamer=$!

listed=0 unlisted=0
while before=$(cat $place) && [[ $before != over ]]; do
    check_json=$(onsite check --json --user $user --service laptop --tty tty1) || true
    reason=$(json_value reason)
    after=$(cat $place)
    case $reason in
    trusted-network | bssid-not-listed | not-authorized | authorization-unknown | associating | not-connected | \
        probe-inconsistent) ;;
    *) fail "reason while roaming: $reason" ;;
    esac
    echo "$before" >$checked
    [[ $before == "$after" ]] || continue
    case $before in
    "$twin "*)
        [[ $reason == bssid-not-listed ]] || fail "at the unlisted access point: $reason"
        unlisted=$((unlisted + 1))
        ;;
    "$hq "*)
        [[ $reason == trusted-network ]] || fail "at the listed access point: $reason"
        listed=$((listed + 1))
        ;;
    esac
done
wait $roamer
# Only a race that took place says anything.
((listed >= 5 && unlisted >= 5)) || fail "too few checks between the moves: $listed and $unlisted"
