# The staff network with its passphrase: the password alone is enough.
access_point wlan0 wpa2 Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]" 'site = "Berlin HQ"'
join wlan1 wpa2 Corp-Staff

expect trusted-network
expect_json network corp-staff
expect_json site 'Berlin HQ'
expect_json evidence protected
expect_json ssid null
expect_sudo password-only

# F09: what the log says of it names neither the network nor the access point in clear.
expect_log 'second factor not required .*reason=trusted-network network=corp-staff evidence=protected'
expect_no_log "Corp-Staff|$hq"
