#!/bin/bash
# demo.sh plain|colour   the demo, inside the machine.
set -euo pipefail

source /mnt/vm/guest/library.sh
exec 3>&2

bold='' dim='' green='' red='' yellow='' off=''
if [[ $1 == colour ]]; then
    bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' yellow=$'\e[33m' off=$'\e[0m'
fi

heading() {
    local rule='────────────────────────────────────────────────────────────────────────────────'
    echo
    printf '%s── %s %s%s\n' "$bold" "$1" "${rule:$((${#1} + 4))}" "$off"
    printf '   %s%s%s\n\n' "$dim" "$2" "$off"
}

# Shows a dialogue as it looked on the screen. What was typed unseen is shown as dots.
show_screen() {
    local line typed
    while IFS= read -r line; do
        if [[ $line =~ ^(.*:\ )\{(.*)\}$ ]]; then
            typed=${BASH_REMATCH[2]}
            printf '   %s%s%s%s\n' "${BASH_REMATCH[1]}" "$yellow" "${typed//?/•}" "$off"
        elif [[ -n $line ]]; then
            line=${line/#second factor not required/$green&$off}
            line=${line/#second factor required/$yellow&$off}
            line=${line/✓/$green✓$off}
            line=${line/✗/$red✗$off}
            printf '   %s\n' "$line"
        else
            echo
        fi
    done
}

prompt() {
    printf '   %salice@laptop:~$%s %s%s%s\n' "$dim" "$off" "$bold" "$1" "$off"
}

rows=() broken=0

# ask_sudo WHERE CODE-ASKED OUTCOME TYPED-CODE   runs sudo and holds it against what is promised
ask_sudo() {
    local where=$1 promised="$2, $3" said status=0 asked=no outcome verdict
    prompt 'sudo id -un'
    said=$(sudo_dialogue "$password" "$4") || status=$?
    show_screen <<<"$said"
    [[ $said != *'Verification code'* ]] || asked=yes
    outcome=refused
    [[ $status != 0 || ${said##*$'\n'} != root ]] || outcome=root
    verdict="${green}as promised$off"
    if [[ "$asked, $outcome" != "$promised" ]]; then
        verdict="${red}NOT as promised (code: $2, result: $3)$off"
        broken=$((broken + 1))
    fi
    # By hand, because printf counts the bytes of "é" and not its width.
    rows+=("$where$(printf '%*s' $((44 - ${#where})) '')$(printf 'yes       %-6s %-9s %s' "$asked" "$outcome" "$verdict")")
}

# explain REASON   what the command says to alice at the same place
explain() {
    local said
    echo
    prompt 'onsite check --explain'
    said=$(perl /mnt/vm/guest/dialogue.pl "$user" -- onsite check --explain) || true
    show_screen <<<"$said"
    if [[ $said != *"($1)"* ]]; then
        printf '   %sNOT as promised: the reason is not %s%s\n' "$red" "$1" "$off"
        broken=$((broken + 1))
    fi
}

printf '%sonsite: what sudo asks, and why%s\n' "$bold" "$off"
cat <<TEXT

   A virtual laptop among virtual access points. This machine needs no Wi-Fi, and nothing on it changes.
   The laptop trusts one network: Corp-Staff, at the access point $hq.
   Its sudo asks for a password and, unless onsite says otherwise, for a code from the telephone.
TEXT
prepare_laptop
start_system_log
reset_radios
reset_login
install_product
reset_policy
access_point wlan0 wpa2 Corp-Staff "$hq"
onsite allow add corp-staff --ssid Corp-Staff --bssid "$hq" --site 'Berlin HQ' >/dev/null
read_code

heading '1  At the office' "Wi-Fi: Corp-Staff, WPA2, access point $hq"
join wlan1 wpa2 Corp-Staff
ask_sudo 'At the office' no root "$code"
explain trusted-network
stop_access_point wlan0

heading '2  In a café' "Wi-Fi: Café Central, open, access point $twin"
access_point wlan2 open 'Café Central' "$twin"
join wlan1 open 'Café Central'
ask_sudo 'In a café' yes root "$code"
explain network-not-listed
stop_access_point wlan2

heading '3  Beside an evil twin' "Wi-Fi: Corp-Staff, open. Name and address are copied: $hq"
access_point wlan2 open Corp-Staff "$hq"
join wlan1 open Corp-Staff
ask_sudo 'Evil twin with the same name and address' yes root "$code"
explain security-too-weak
stop_access_point wlan2

heading '4  Beside an evil twin that knows the passphrase' "Wi-Fi: Corp-Staff, WPA2 with the office's key, access point $twin"
access_point wlan2 wpa2 Corp-Staff "$twin"
join wlan1 wpa2 Corp-Staff
ask_sudo 'Evil twin with the same name and key' yes root "$code"
explain bssid-not-listed

heading '5  At the same place, with a stolen password' "A thief has alice's password and sets up the evil twin himself. He can but guess the code."
ask_sudo 'Thief with the password, guessing the code' yes refused "$wrong_code"

heading Summary 'What was asked, and what came of it'
printf '   %s%-44s%-10s%-6s %-9s%s\n' "$bold" where password code sudo "$off"
printf '   %s\n' "${rows[@]}"
echo
if ((broken)); then
    printf '   %s%s of what was shown is not as promised.%s\n' "$red" "$broken" "$off"
    exit 1
fi
printf '   %sThe code is asked for everywhere but on the trusted network.%s\n' "$green" "$off"
