# 802.1X proves the operator only where the server has to show a certificate that nobody else has. Whoever runs an
# imitation has a certificate, too.
access_point wlan0 enterprise Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'

join wlan1 enterprise Corp-Staff
expect trusted-network
expect_json evidence verified
expect_sudo password-only
onsite check --explain --user $user --tty tty1 | grep -q 'evidence verified, as wpa_supplicant has it' ||
    fail "--explain does not say whose word it was"

# An authority alone: everybody whom it has certified could be the server.
server_pin=('ca_cert="/run/radius-ca.pem"')
join wlan1 enterprise Corp-Staff
expect evidence-too-weak
expect_json evidence protected

server_pin=()
join wlan1 enterprise Corp-Staff
expect evidence-too-weak
expect_json evidence protected

server_pin=("ca_cert=\"hash://server/sha256/$(openssl x509 -in /run/radius.pem -outform DER | sha256sum | cut -c1-64)\"")
join wlan1 enterprise Corp-Staff
expect trusted-network

# What the least evidence allows needs nobody's word.
server_pin=()
trust corp-staff 'ssid = "Corp-Staff"'
join wlan1 enterprise Corp-Staff
expect trusted-network
expect_json evidence protected
