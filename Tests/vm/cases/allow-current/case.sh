# An administrator lists the network that the machine is on, with the command and without an editor.
access_point wlan0 wpa2 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $twin
apply
! onsite allow current corp-staff --yes 2>/dev/null || fail "there is no current network to allow"
join wlan1 wpa2 Corp-Staff "bssid=$hq"
expect network-not-listed

onsite allow current corp-staff --yes
expect trusted-network
expect_json network corp-staff
join wlan1 wpa2 Corp-Staff "bssid=$twin"
expect_check bssid-not-listed
onsite allow add corp-staff --bssid $twin
expect_check trusted-network
onsite allow remove corp-staff
expect network-not-listed
