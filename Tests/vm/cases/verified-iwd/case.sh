# iwd in the supplicant's place: it tells what was negotiated, and nothing of hash-to-element or certificates.
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'
trap stop_managers EXIT
access_point wlan0 fast Corp-Staff $hq
manage_by_iwd
expect trusted-network
expect_json evidence verified
stop_managers
stop_access_point wlan0

access_point wlan0 wpa2 Corp-Staff $hq
manage_by_iwd
expect evidence-too-weak
stop_managers
stop_access_point wlan0

access_point wlan0 transition Corp-Staff $hq
manage_by_iwd
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'
expect trusted-network
expect_json evidence protected
