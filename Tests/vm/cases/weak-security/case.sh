# Kinds of network that prove no key, and an access point that offers more kinds than the list names.
trust corp-staff 'ssid = "Corp-Staff"'
access_point wlan0 owe Corp-Staff $hq
join wlan1 owe Corp-Staff
expect security-too-weak
stop_access_point wlan0

access_point wlan0 wpa1 Corp-Staff $hq
join wlan1 wpa1 Corp-Staff
expect security-too-weak
stop_access_point wlan0

# The name of wpa2 and the cipher of wpa1, also in the supplicant's words.
access_point wlan0 wpa2 Corp-Staff $hq rsn_pairwise=TKIP
join wlan1 wpa2 Corp-Staff pairwise=TKIP group=TKIP
expect security-too-weak
expect_json evidence claimed
stop_access_point wlan0

# wpa2 and wpa3 at once: both count, because the station may have been talked down to the weaker one.
access_point wlan0 transition Corp-Staff $hq
join wlan1 transition Corp-Staff
expect trusted-network
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'
expect security-too-weak
