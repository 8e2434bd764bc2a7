# An administrator walks around with a laptop and collects the access points of the office.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Cafe $twin
apply
ip link set wlan1 up

onsite allow survey --scan --ssid Corp-Staff --interface wlan1 --output /run/survey.csv
grep -q "^Corp-Staff,436f72702d5374616666,$hq,wpa2-personal,2412," /run/survey.csv || fail "not found: $(cat /run/survey.csv)"
! grep -q "$twin" /run/survey.csv || fail "a stranger: $(cat /run/survey.csv)"
onsite allow survey | grep -q "$twin" || fail "what was heard is not told again"

# A plain user reads what was heard, and may not scan.
setpriv --reuid $user --regid $user --clear-groups onsite allow survey | grep -q "$hq" || fail "a plain user hears nothing"
! setpriv --reuid $user --regid $user --clear-groups onsite allow survey --scan 2>/run/why || fail "a plain user scanned"
grep -q 'does not let this program' /run/why || fail "why: $(cat /run/why)"

# What was found is imported, and the network is trusted.
onsite allow import /run/survey.csv --name corp-staff
join wlan1 wpa2 Corp-Staff
expect trusted-network

# Ctrl-C ends it, and what was found is kept.
onsite allow survey --duration 60s --output /run/kept.csv &
survey=$!
sleep 2
kill -INT $survey
wait $survey || fail "Ctrl-C is no failure"
grep -q "$hq" /run/kept.csv || fail "nothing was kept"
expect_log 'precise location read user=root purpose=enrolment command=allow survey'
