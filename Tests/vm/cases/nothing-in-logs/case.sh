# F09: A log tells what was decided, and not where people are: no name or address of the network or of a neighbour, no
# password, no code, also where the module is told to debug.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Neighbour $twin
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
hear wlan1 $twin
pam_service laptop "$(documented_stack | sed 's/pam_unix.so/& nodelay/; s/pam_onsite.so/& debug notify/')"

expect_check trusted-network
log_in "$password" '' || fail "login: $login_said"
leave wlan1
read_code
log_in "$password" "$code" || fail "login: $login_said"
onsite check --explain --user $user --tty tty1 || true

expect_log 'second factor not required .*network=corp-staff .*id=[0-9a-f]{16}'
expect_log 'second factor required .*reason=not-connected'
expect_log 'asked with user='
expect_no_log "Corp-Staff|Neighbour|$hq|$twin|$password|$code"
[[ $login_said != *Corp-Staff* && $login_said != *"$hq"* ]] || fail "notify told: $login_said"

# Where the policy says so, and nowhere else, the log has them in clear.
printf '[privacy]\nlog-identifiers = "clear"\n' >/etc/onsite/policy.toml
apply
join wlan1 wpa2 Corp-Staff
log_in "$password" '' || fail "login: $login_said"
expect_log "id=Corp-Staff@$hq"
