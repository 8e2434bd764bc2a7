# Edits of the policy that apply by themselves, as systemd sees to it.

network=/etc/onsite/networks.d/corp-staff.toml

# says FIELD VALUE   what `check` says of the network within 15 s. A policy that was not applied says policy-stale.
says() {
    local json
    wait_for 150 eval "json=\$(onsite check --network-only --json || true); [[ \$json == *'\"$1\":\"$2\"'* ]]" ||
        { echo "$json"; return 1; }
}
# trusting SITE   an entry that makes the network trusted
trusting() { printf 'ssid = "Corp-Staff"\nbssid = ["%s"]\nsite = "%s"\n' $hq "$1"; }
is_idle() { [[ -z $(systemctl list-jobs --no-legend 'onsite-*') && $(systemctl is-active onsite-apply) != activ* ]]; }

trusting before >$network
systemctl daemon-reload
systemctl start onsite-apply.path
examine 'what was edited before it started is applied' says site before

trusting written >$network
examine 'a file that is written' says site written
trusting renamed >/etc/onsite/networks.d/.new
mv /etc/onsite/networks.d/.new $network
examine 'a file that is renamed over another' says site renamed
printf 'ssid = "Corp-Staff"\naction = "require"\n' >/etc/onsite/networks.d/never.toml
examine 'a file that is added' says reason network-denied
rm /etc/onsite/networks.d/never.toml
examine 'a file that is removed' says site renamed
for folder in /run/onsite /usr/lib/onsite; do
    mkdir -p $folder/networks.d
    printf 'ssid = "Corp-Staff"\naction = "require"\n' >$folder/networks.d/never.toml
    examine "the first file in $folder/networks.d, which was not there" says reason network-denied
    rm -r $folder/networks.d
    examine "$folder/networks.d, which goes" says site renamed
done
printf 'version = 1\n[decision]\nstations = "any"\n' >/etc/onsite/policy.toml
examine 'the rules' says site renamed
rm /etc/onsite/policy.toml
examine 'rules that go' says site renamed
echo 'version = 1' >/etc/onsite/policy.toml
examine 'rules that come' says site renamed

for ((i = 1; i <= 50; i++)); do
    trusting "burst $i" >$network
    sleep 0.1
done
examine 'of 50 edits in a few seconds the last is in force' says site 'burst 50'
# About as far apart as it takes to apply one: some fall into the moments in which systemd does not watch.
for ((i = 10; i <= 40; i += 5)); do
    trusting "later $i" >$network
    sleep 1.$i
done
examine 'the last of edits that come while another is applied' says site 'later 40'

wait_for 50 is_idle
applications() { journalctl -u onsite-apply -o cat -t onsite | grep -c '^policy applied'; }
before=$(applications)
socket=$(mktemp -u /run/onsite/record.XXXX)
touch "$socket"
rm "$socket"
sleep 3
applied_nothing() { [[ $(applications) == "$before" ]]; }
examine 'what else is in /run/onsite is no edit' applied_nothing

# A list that takes a while, and an edit when it is being compiled.
awk 'BEGIN { for (i = 0; i < 32768; i++) printf "02:11:22:33:%02x:%02x\n", i / 256, i % 256 }' >/etc/onsite/networks.d/hq.bssids
printf 'ssid = "Corp-Staff"\nbssid-file = "hq.bssids"\nsite = "list"\n' >$network
is_compiling() { [[ -e /var/lib/onsite/.policy.cdb.onsite-new ]]; }
edit_while_compiling() {
    wait_for 100 is_compiling && is_compiling || { echo "nothing was compiled"; return 1; }
    trusting meanwhile >$network
    says site meanwhile && [[ ! -e /var/lib/onsite/.policy.cdb.onsite-new ]]
}
examine 'an edit while another is compiled' edit_while_compiling
rm /etc/onsite/networks.d/hq.bssids
examine 'and the next' says site meanwhile

wait_for 50 is_idle
running=$(stat -c %i /var/lib/onsite/policy.cdb)
trusting 'no end' | sed 's/\]//' >$network
complains_once() {
    wait_for 100 systemctl is-failed onsite-apply
    journalctl --sync
    local lines
    lines=$(journalctl -u onsite-apply -o cat -t onsite | grep -v '^policy applied')
    [[ $lines == "onsite: $network:"* && $(wc -l <<<"$lines") == 1 ]] || { echo "$lines"; return 1; }
    [[ $(stat -c %i /var/lib/onsite/policy.cdb) == "$running" ]] || { echo "another policy is in force"; return 1; }
    says reason policy-stale
}
examine 'a wrong edit leaves the policy, and the log has one line' complains_once
trusting repaired >$network
examine 'the repaired edit' says site repaired

is_sandboxed() {
    local exposure
    exposure=$(systemd-analyze security --no-pager onsite-apply.service | grep -oP 'Overall exposure level.*: \K[0-9.]+')
    [[ $exposure =~ ^(0\.|1\.[0-5]$) ]] || { echo "$exposure"; return 1; }
}
examine 'its exposure is 1.5 at most' is_sandboxed
examine 'systemd still watches' systemctl is-active onsite-apply.path
systemctl stop onsite-apply.path
wait_for 50 is_idle
