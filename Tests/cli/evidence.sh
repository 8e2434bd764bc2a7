# shellcheck shell=bash disable=SC2154
# Recorded evidence that cannot be: status 2, and the place named. The unit tests have all of the rows.

new
file /etc/onsite/networks.d/corp.toml 'ssid = "Corp-Staff"'
t 'apply' 0 'policy applied: 1 network,' '' apply

# The example of the manual.
cat > "$work/example" << 'JSON'
{ "format": 1, "source": "nl80211", "unavailable": null,
  "session": { "remote": false },
  "interfaces": [
    { "name": "wlan0", "index": 3, "type": "station", "state": "connected",
      "ssid_hex": "436f72702d5374616666", "links": [ { "bssid": "02:11:22:33:44:55" } ], "mld": null,
      "authorized": true, "mfp": true, "security": ["wpa3-personal"], "negotiated": null, "verified": false } ] }
JSON
t 'the example of the manual' 0 'trusted-network' '' check --evidence "$work/example"

# wrong PLACE SED: with the example changed, the command line is wrong, and the message names the place.
wrong() {
    sed "$2" "$work/example" > "$work/changed"
    t "evidence changed by $2" 2 '' "^onsite: $work/changed: $1" check --evidence "$work/changed"
}
wrong 'format: must be 1' 's/"format": 1/"format": 2/'
wrong 'source: must be one of: nl80211, wext' 's/nl80211/iw/'
wrong 'unavailable: must be null or a reason of step 5' 's/"unavailable": null/"unavailable": "trusted-network"/'
wrong 'session.remote: is missing' 's/"remote": false//'
wrong 'interfaces: must be an array' 's/"interfaces": \[/"interfaces": 1, "x": [/'
wrong 'extra: is not known' 's/"format"/"extra": 1, "format"/'
for key in name index type state ssid_hex links mld authorized mfp security negotiated verified; do
    wrong "interfaces\[0\].x$key: is not known|interfaces\[0\].$key: is missing" "s/\"$key\":/\"x$key\":/"
done
wrong 'interfaces\[0\].index: must be above 0' 's/"index": 3/"index": 0/'
wrong 'interfaces\[0\].type: must be one of: station, ap, ' 's/station/Station/'
wrong 'interfaces\[0\].state: contradicts' 's/connected/disconnected/'
wrong 'interfaces\[0\].ssid_hex: must be 1 to 32 bytes' 's/436f72702d5374616666//'
wrong 'interfaces\[0\].links.bssid: all zeros' 's/02:11:22:33:44:55/00:00:00:00:00:00/'
wrong 'interfaces\[0\].authorized: must be true or false' 's/"authorized": true/"authorized": 1/'
wrong 'interfaces\[0\].security: holds a name that does not exist' 's/wpa3-personal/wpa4/'
wrong 'line 6: not JSON: end of file expected near .x.' 's/} \] }$/} ] } x/'
wrong 'line 1: not JSON: invalid token near .format.' 's/{ "format"/format/'
wrong 'line 6: not JSON' 's/} \] }$/} ], }/'
wrong 'line 1: not JSON: duplicate object key near .*' 's/{ "format": 1/{ "format": 1, "format": 1/'
printf '{"format":1,"\\u001b[2J":0,"source":"nl80211","unavailable":null,"interfaces":[]}' > "$work/changed"
t 'a key that steers a terminal' 2 '' 'u\{1b\}\[2J: is not known' check --evidence "$work/changed"

: > "$work/changed"
t 'evidence of no bytes' 2 '' 'not JSON' check --evidence "$work/changed"
t 'evidence that is not there' 2 '' '^onsite: /none: No such file' check --evidence /none
t 'evidence that is a directory' 2 '' '^onsite: /tmp: Is a directory' check --evidence /tmp
t 'evidence without an end' 2 '' '^onsite: /dev/zero: larger than' check --evidence /dev/zero
mkfifo "$work/fifo"
t 'evidence in a FIFO that nobody writes' 2 '' 'not JSON' check --evidence "$work/fifo"
t 'evidence of no option' 2 '' "unknown option --evidence" status --evidence "$work/example"
