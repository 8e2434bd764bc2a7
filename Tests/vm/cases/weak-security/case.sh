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

# wpa2 and wpa3 at once: both count, because the station may have been talked down to the weaker one.
access_point wlan0 transition Corp-Staff $hq
join wlan1 transition Corp-Staff
expect trusted-network
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'
expect security-too-weak
