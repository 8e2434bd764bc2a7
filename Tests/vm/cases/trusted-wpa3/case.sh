# SAE with protected management frames. A list that names wpa3 accepts it, and does not accept wpa2 by the same name.
access_point wlan0 wpa3 Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $annex
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa3-personal"]'

join wlan1 wpa3 Corp-Staff
expect trusted-network

join wlan1 wpa2 Corp-Staff
expect security-too-weak
