# A desktop: NetworkManager has the profile, and its supplicant only the bus.
access_point wlan0 enterprise Corp-Staff $hq
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'
trap stop_managers EXIT
profile=('[wifi-security]' key-mgmt=wpa-eap '[802-1x]' eap=ttls phase2-auth=pap identity=alice
    anonymous-identity=anonymous "password=$passphrase")

manage_by_network_manager "${profile[@]}" ca-cert=/run/radius-ca.pem domain-suffix-match=radius.example
expect trusted-network
expect_json evidence verified
expect_sudo password-only
expect trusted-network --as alice

# The profile is edited afterwards: what counts is what the machine joined with.
manage_by_network_manager "${profile[@]}" ca-cert=/run/radius-ca.pem
expect evidence-too-weak
nmcli connection modify office 802-1x.domain-suffix-match radius.example
expect evidence-too-weak

manage_by_network_manager "${profile[@]}"
expect evidence-too-weak
expect_json evidence protected
