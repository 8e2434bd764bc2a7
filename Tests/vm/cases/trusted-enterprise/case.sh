# 802.1X with a certificate that the supplicant pins. A passphrase network by the same name is not the same.
access_point wlan0 enterprise Corp-Staff $hq
access_point wlan2 wpa2 Corp-Staff $annex
trust corp-staff 'ssid = "Corp-Staff"' 'security = ["wpa2-enterprise", "wpa3-enterprise"]'

join wlan1 enterprise Corp-Staff
expect trusted-network

join wlan1 wpa2 Corp-Staff
expect security-too-weak
