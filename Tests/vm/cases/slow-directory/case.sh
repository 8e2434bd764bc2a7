# Groups come from a directory that may be far away. What it does not say in time is a yes where a second factor is always
# asked for, and a no where a network is trusted for some.
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
cp /mnt/tools/libnss_far.so.2 /usr/lib/x86_64-linux-gnu/
sed -i 's/^group: files$/group: files far [SUCCESS=merge]/' /etc/nsswitch.conf
trap 'rm -f /run/far; sed -i "s/^group: .*/group: files/" /etc/nsswitch.conf' EXIT

# directory WORD REASON   how the directory behaves, and what follows. A look-up has half a second.
directory() {
    local before took
    echo "$1" >/run/far
    before=$(date +%s%N)
    expect_check "$2"
    took=$((($(date +%s%N) - before) / 1000000))
    ((took < 1500)) || fail "the directory $1: $took ms"
    expect_module "$(status_of "$2")"
}

trust corp-staff 'ssid = "Corp-Staff"'
policy '[always-require]' 'groups = ["far"]'
directory answers user-excluded
directory is-empty trusted-network
for trouble in hangs is-slow crashes exits is-away; do
    directory $trouble user-excluded
done
directory prints user-excluded
directory is-large user-excluded

policy ''
trust corp-staff 'ssid = "Corp-Staff"' 'groups = ["far"]'
directory answers trusted-network
directory is-large trusted-network
directory prints trusted-network
directory is-empty not-for-user
for trouble in hangs is-slow crashes exits is-away; do
    directory $trouble not-for-user
done
expect_log 'second factor required .*reason=not-for-user'

# Who need not be looked up is not.
trust corp-staff 'ssid = "Corp-Staff"'
directory hangs trusted-network
! pgrep onsite-gate || fail "a gate is left over"
