# P05: "Second factor required" is an answer and not a failed login. Whoever presents it is not locked out by a counter.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
pam_service laptop 'auth required pam_faillock.so preauth silent deny=3' \
    'auth [success=1 default=bad] pam_unix.so nodelay' \
    'auth [default=die] pam_faillock.so authfail deny=3' \
    "$(documented_stack | sed 1d)" \
    'auth required pam_faillock.so authsucc deny=3'

for _ in 1 2 3 4 5; do
    expect_module 1
    read_code
    log_in "$password" "$code" || fail "locked out: $login_said"
done
[[ $(faillock --user $user | grep -c 'V$') == 0 ]] || fail "counted as failed: $(faillock --user $user)"
join wlan1 wpa2 Corp-Staff
expect_module 0
log_in "$password" '' || fail "at the office: $login_said"
