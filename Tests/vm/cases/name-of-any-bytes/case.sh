# S01, S06: A name of 32 bytes with a NUL, bytes that are not UTF-8, a line feed, an escape code and a blank at the end.
name=436f727000fffec3280a1b5b324a5c7861616161616161616161616161616120
almost=${name%20}21
access_point wlan0 wpa2 hex:$name $hq
policy '[privacy]' 'log-identifiers = "clear"'
trust strange "ssid-hex = \"$name\""
join wlan1 wpa2 hex:$name
expect trusted-network
expect_no_log '<control '

check_json=$(onsite check --json --precise --purpose enrolment --user $user --service laptop --tty tty1)
expect_json ssid_hex $name
expect_json ssid null

# One byte less, one byte other, and the text up to the NUL are other names.
trust strange "ssid-hex = [\"$almost\", \"${name%20}\"]" 'ssid = "Corp"'
expect network-not-listed
expect_no_log '<control '
