# The helper is missing, dies, hangs or talks nonsense. A user with both factors gets in each time, soon; a user with
# one never does.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]"
join wlan1 wpa2 Corp-Staff
cp -p $gate /run/good-gate
expect trusted-network

# gate_is LINE...   puts a script in the place of the helper
gate_is() {
    printf '%s\n' '#!/bin/bash' 'PATH=/usr/bin:/bin' "$@" >$gate.new
    chmod 755 $gate.new
    mv $gate.new $gate
}

# A module that waits for ever would keep the user out: two seconds are its limit, the rest is this slow machine.
expect_bounded() {
    local started=$SECONDS
    expect_module 3
    ((SECONDS - started <= 4)) || fail "the module took $((SECONDS - started)) s"
    expect_login 3
}

rm $gate
expect_bounded
gate_is 'exit 0' && chmod 644 $gate
expect_bounded
mkdir -p /run/folder && rm $gate && mkdir $gate
expect_bounded
rmdir $gate

gate_is 'exit 0'
expect_bounded
gate_is 'kill -9 $$'
expect_bounded
gate_is 'kill -SEGV $$'
expect_bounded
gate_is 'exec sleep 60'
expect_bounded
# A child that keeps the pipe open must not keep the user waiting.
gate_is 'sleep 60 & exit 0'
expect_bounded

gate_is 'exec head -c 512 /dev/urandom'
expect_bounded
gate_is 'exec cat /dev/zero'
expect_bounded
gate_is 'echo not-required; exit 0'
expect_bounded
# The right words, all but one.
gate_is "/run/good-gate | head -c 511"
expect_bounded

cp -p /run/good-gate $gate.new && mv $gate.new $gate
expect trusted-network
