# One association, and every rule that can speak against it, each followed by its absence.
access_point wlan0 wpa2 Corp-Staff $hq
join wlan1 wpa2 Corp-Staff
name='ssid = "Corp-Staff"'

# with REASON LINE...   the network's file holds the name and LINE...
with() {
    local reason=$1
    shift
    trust corp-staff "$name" "$@"
    expect_check "$reason"
    expect_module "$(status_of "$reason")"
}
trust other 'ssid = "corp-staff"'
expect network-not-listed
with trusted-network
with entry-expired 'expires = 2001-01-31'
with trusted-network 'expires = 2099-01-31'
with not-for-user 'users = ["bob"]'
with trusted-network 'users = ["bob", "alice"]'
with not-for-user 'groups = ["wheel"]'
with trusted-network 'groups = ["sudo"]'
with not-for-user 'services = ["gdm-password"]'
with trusted-network 'services = ["laptop", "onsite-alone"]'
with bssid-not-listed "bssid = [\"$annex\"]"
with bssid-not-listed "bssid = [\"${hq%50}40/44\"]"
with trusted-network "bssid = [\"$hq/44\"]"
with security-too-weak 'security = ["wpa3-personal", "wpa2-enterprise"]'
with trusted-network 'security = ["wpa2-personal"]'
with evidence-too-weak 'minimum-evidence = "verified"'
with trusted-network 'minimum-evidence = "claimed"'
with network-denied 'action = "require"'

# A denial wins over another file that trusts the same name.
trust also-corp-staff "$name"
expect network-denied
distrust corp-staff
expect trusted-network

policy '[always-require]' 'users = ["alice"]'
expect user-excluded
policy '[always-require]' 'groups = ["sudo"]'
expect_check user-excluded
policy '[always-require]' 'services = ["laptop"]'
expect_check service-excluded
expect_login 1
policy '[always-require]' 'users = ["bob"]' 'groups = ["wheel"]' 'services = ["sudo"]'
expect trusted-network
expect_sudo code-needed
