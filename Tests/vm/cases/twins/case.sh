# Networks that go by the name of another, from the outside in. Each has its reason.
trust corp-staff 'ssid = "Corp-Staff"' "bssid = [\"$hq\"]" 'security = ["wpa3-personal"]'

# The listed name at the listed access point, without a key.
access_point wlan2 open Corp-Staff $hq
join wlan1 open Corp-Staff
expect security-too-weak
stop_access_point wlan2

# The same with the old passphrase: the network is known to be wpa3.
access_point wlan2 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
expect security-too-weak
stop_access_point wlan2

# Right name, right passphrase, right kind, another network: somebody who was given the passphrase.
access_point wlan2 wpa3 Corp-Staff $twin
join wlan1 wpa3 Corp-Staff
expect bssid-not-listed
expect_log '^<84>.*second factor required .*reason=bssid-not-listed'
trust corp-staff 'ssid = "Corp-Staff"'
expect trusted-network
trust corp-staff 'ssid = "Corp-Staff"' 'minimum-evidence = "verified"'
expect evidence-too-weak
stop_access_point wlan2

# A network of the company that is not trusted, and has the same passphrase: the name decides.
access_point wlan2 wpa3 Corp-Guest $hq
join wlan1 wpa3 Corp-Guest
expect network-not-listed
stop_access_point wlan2

access_point wlan0 wpa3 Corp-Staff $hq sae_pwe=1
supplicant_settings=(sae_pwe=1)
join wlan1 wpa3 Corp-Staff
expect trusted-network
