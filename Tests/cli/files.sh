# shellcheck shell=bash disable=SC2154
# Files that are missing, somebody else's, endless, half written, or written at once by many. F01, F03, F06 to F08.

good() {
    new
    on allow add corp --ssid Corp
    evidence "$(hex Corp)" > "$work/good"
}
cdb=/var/lib/onsite/policy.cdb
N=/etc/onsite/networks.d/corp.toml

# refuses NAME REASON WORDS COMMAND: after the command, whatever is asked, a second factor is required because it could
# not be decided, and there is a line that names the file and the reason, and one that says what to do.
refuses() {
    good
    (cd "$R" && eval "$4")
    t "$1" 3 "\\($2\\)$" "^onsite: $R/.*$3" check --evidence "$work/good"
    t "$1: what to do" 3 '^  hint: .+' '*' check --evidence "$work/good"
    t "$1: in JSON" 3 "\"reason\":\"$2\"" '*' check --evidence "$work/good" --json
}
refuses 'no compiled policy' policy-missing 'policy.cdb: No such file or directory' "rm .$cdb"
refuses 'the sources are gone' policy-stale 'etc/onsite/networks.d: is gone' 'rm -r etc'
refuses 'everybody may write a source' policy-insecure 'corp.toml: .*mode 0666.* \(chmod go-w\)' "chmod 666 .$N"
refuses 'everybody may write the policy' policy-insecure 'policy.cdb: .*lets others write \(chmod go-w\)' "chmod 666 .$cdb"
refuses 'a stranger owns a source' policy-insecure 'corp.toml: .*owned by uid 1000, must be root.s \(chown root\)' "chown 1000 .$N"
refuses 'a stranger owns the policy' policy-insecure 'policy.cdb: .*owned by uid 1000' "chown 1000 .$cdb"
refuses 'a stranger owns the directory' policy-insecure 'policy.cdb: .*directory above it, is owned by uid 1000' 'chown 1000 var/lib'
refuses 'a directory in its place' policy-insecure 'policy.cdb: not a regular file' "rm .$cdb; mkdir .$cdb"
refuses 'a FIFO in its place' policy-insecure 'policy.cdb: not a regular file' "rm .$cdb; mkfifo .$cdb"
refuses 'an endless device in its place' policy-insecure 'policy.cdb: not a regular file' "mkdir dev; mknod dev/zero c 1 5; ln -sf /dev/zero .$cdb"
refuses 'a link of a stranger in its place' policy-insecure 'policy.cdb: .*owned by uid 1000' "mv .$cdb real; ln -s /real .$cdb; chown -h 1000 .$cdb"
refuses 'an empty policy' policy-invalid 'policy.cdb: damaged' ": > .$cdb"
refuses 'a gigabyte of nothing' policy-invalid 'policy.cdb: damaged' ": > .$cdb; truncate -s 1G .$cdb"
refuses 'text in its place' policy-invalid 'policy.cdb: damaged' "yes > .$cdb & sleep 0.05; kill %1"
refuses 'an invalid first line' policy-stale 'corp.toml: changed since the policy was compiled' "echo x > .$N"

# The same files as sources: what reads them says so, at once, and leaves the policy.
# cannot NAME WORDS COMMAND
cannot() {
    good
    (cd "$R" && eval "$3")
    cp "$R$cdb" "$work/before"
    SECONDS=0
    for command in lint apply 'allow list' 'allow add corp --site x' 'allow remove corp'; do
        t "$1: $command" 1 '' "^onsite: $R/.*$2" $command
    done
    holds "$1: takes no time" test $SECONDS -le 5
    holds "$1: the policy stays" cmp "$R$cdb" "$work/before"
}
cannot 'a FIFO' 'corp.toml: not a regular file' "rm .$N; mkfifo .$N"
cannot 'a directory' 'corp.toml: not a regular file' "rm .$N; mkdir .$N"
cannot 'an endless device' 'corp.toml: not a regular file' "mkdir dev; mknod dev/zero c 1 5; ln -sf /dev/zero .$N"
cannot 'a gigabyte' 'corp.toml: larger than 1048576 bytes' "truncate -s 1G .$N"
cannot 'one long line' 'corp.toml: larger than 1048576 bytes' "yes | tr -d '\n' | head -c 2000000 > .$N"
cannot 'a link to nothing' 'corp.toml: .*symbolic link to nothing' "ln -sf gone .$N"
cannot 'a stranger owns it' 'corp.toml: .*owned by uid 1000.*chown root' "chown 1000 .$N"
cannot 'others may write it' 'corp.toml: .*mode 0664.*chmod go-w' "chmod 664 .$N"
cannot 'others may write its directory' 'mode 0777.*chmod go-w' "chmod 777 etc/onsite/networks.d"
cannot 'a file in the place of the directory' 'networks.d: not a directory' 'rm -r etc/onsite/networks.d; : > etc/onsite/networks.d'
cannot 'a file cut in the middle' 'corp.toml:1: not TOML' "truncate -s 8 .$N"
cannot 'a list that is missing' 'networks.d/hq: there is no such file' "echo 'bssid-file = \"hq\"' >> .$N"
cannot 'a list that is a FIFO' 'networks.d/hq: not a regular file' "echo 'bssid-file = \"hq\"' >> .$N; mkfifo etc/onsite/networks.d/hq"

# A list of a hundred thousand, within a moment; the limit is stated.
good
echo 'bssid-file = "hq"' >> "$R$N"
awk 'BEGIN { for (i = 1; i <= 100000; i++) printf "02:00:%02x:%02x:%02x:01\n", i / 65536, i / 256 % 256, i % 256 }' > "$R/etc/onsite/networks.d/hq"
SECONDS=0
t 'a hundred thousand access points' 0 '^policy applied: 1 network, 100000 pinned access points$' '' apply
decides 'the last of them' 0 trusted-network "$(hex Corp)" 02:00:01:86:a0:01
decides 'one that is not among them' 1 bssid-not-listed "$(hex Corp)" 02:00:01:86:a1:01
holds 'take a moment' test $SECONDS -le 10
truncate -s 100M "$R/etc/onsite/networks.d/hq"
t 'a list beyond the limit' 1 '' 'networks.d/hq: larger than 67108864 bytes' apply

# F06: twenty at once, and a reader meanwhile.
good
pids=()
for i in {1..20}; do "$onsite" allow add "net$i" --ssid "Net$i" --root "$R" > "$work/add$i" 2>&1 & pids+=($!); done
torn=0
for i in {1..20}; do
    "$onsite" check --quiet --evidence "$work/good" --root "$R" 2> /dev/null
    case $? in 0 | 3) ;; *) torn=1 ;; esac
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + 1)); done
holds 'twenty commands at once all succeed' test $failed -eq 0
holds 'and a reader meanwhile sees no half of a policy' test $torn -eq 0
holds 'all twenty are there' test "$(ls "$R/etc/onsite/networks.d" | wc -l)" -eq 21
for i in 1 7 20; do decides "network $i of twenty counts" 0 trusted-network "$(hex "Net$i")"; done
holds 'and nothing else' test -z "$(find "$R" -name '.*.onsite-new')"

# Killed at any moment, the old or the new is there.
good
for i in {1..30}; do
    "$onsite" allow add corp --site "Site $i" --root "$R" > /dev/null 2>&1 & pid=$!
    sleep "0.00$((i % 10))"; kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
    "$onsite" lint --root "$R" > /dev/null 2>&1 || { say "not ok - killed after $i ms, the files are whole"; break; }
done
t 'after thirty kills a change succeeds' 0 'changed corp' '' allow add corp --site End
holds 'and leaves nothing behind' test "$(ls -A "$R/etc/onsite/networks.d" "$R/var/lib/onsite" | tr '\n' ' ')" = "$R/etc/onsite/networks.d: corp.toml  $R/var/lib/onsite: lock policy.cdb privacy.key "

# F07: owner and mode.
new
(umask 077; exec "$onsite" allow add corp --ssid Corp --root "$R" > /dev/null)
modes() { (cd "$R" && stat -c '%n %U %a' "$@"); }
modes_are() { [ "$(modes "${@:2}" | tr '\n' ' ')" = "$1" ] || { modes "${@:2}"; false; }; }
holds 'new files and directories are for all to read, whatever the umask' modes_are \
    'etc/onsite root 755 etc/onsite/networks.d root 755 etc/onsite/networks.d/corp.toml root 644 var/lib/onsite root 755 var/lib/onsite/policy.cdb root 644 var/lib/onsite/privacy.key root 600 ' \
    etc/onsite etc/onsite/networks.d etc/onsite/networks.d/corp.toml var/lib/onsite var/lib/onsite/policy.cdb var/lib/onsite/privacy.key
chmod 640 "$R$N"; chgrp 4321 "$R$N"
(umask 077; exec "$onsite" allow add corp --site x --root "$R" > /dev/null)
holds 'a file keeps its group and its mode' test "$(stat -c '%u:%g %a' "$R$N")" = '0:4321 640'
chmod 644 "$R$N"; on apply
# An access control list that lets user 1234 read, and a note: xattr(7), acl(5).
attributes() { "$python" -c 'import os, struct, sys
acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in
    [(1, 6, 2**32 - 1), (2, 4, 1234), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 4, 2**32 - 1)])
wanted = {"system.posix_acl_access": acl, "user.note": b"by hand"}
if sys.argv[1] == "set":
    for name, value in wanted.items(): os.setxattr(sys.argv[2], name, value)
sys.exit(any(os.getxattr(sys.argv[2], name) != value for name, value in wanted.items()))' "$@"; }
holds 'F07: a file gets an access control list and a note' attributes set "$R$N"
t 'F07: and is edited' 0 'changed corp' '' allow add corp --site Elsewhere
holds 'F07: and keeps both' attributes get "$R$N"
evidence "$(hex Corp)" > "$work/good"; chmod 644 "$work/good"; chmod 755 "$work"
cp "$onsite" "$work/onsite"
as() { capture setpriv --reuid 1000 --regid 1000 --clear-groups "$work/onsite" "$@" --root "$R"; }
as check --evidence "$work/good"; was 'a user without privilege gets the same answer' 0 trusted-network ''
as allow list; was 'and the same list' 0 '^corp ' ''
as allow add x --ssid X; was 'but may not change it' 1 '' '^onsite: .*: Permission denied \(run it as root\)$'
as apply; was 'nor apply it' 1 '' '^onsite: .*(Permission denied|owned by)'
holds 'the key of the logs stays as it is' bash -c 'cp -p "$0" "$1"; "$2" apply --root "$3" > /dev/null && cmp "$0" "$1"' "$R/var/lib/onsite/privacy.key" "$work/key" "$onsite" "$R"

# H09: installing changes no PAM stack: nothing is written below /etc, so there is nothing to undo.
make -C "$here/../.." --no-print-directory install DESTDIR="$work/stage" > /dev/null 2>&1
holds 'H09: installing writes the module' test -n "$(find "$work/stage" -name pam_onsite.so)"
holds 'H09: and nothing in /etc' test ! -e "$work/stage/etc"

# F08: a full and a read-only file system. Nothing is half written.
# blocked NAME WORDS COMMAND...
blocked() {
    local before
    before=$(find "$R" -type f -exec md5sum {} + | sort)
    t "$1" 1 '' "^onsite: $R/.*: $2" "${@:3}"
    [ "$before" = "$(find "$R" -type f -exec md5sum {} + | sort)" ] || status=changed
    was "$1: every file stays as it was" 1 '' '*'
}
mkdir -p "$work/full" "$work/readonly"
if mount -t tmpfs -o size=256k,mode=755 tmpfs "$work/full" && mount -t tmpfs -o mode=755 tmpfs "$work/readonly"; then
    R=$work/full; on allow add corp --ssid Corp; on allow add two --ssid Two
    dd if=/dev/zero of="$R/filler" bs=4k 2> /dev/null
    blocked 'a full disk: add' 'No space left on device' allow add three --ssid Three
    blocked 'a full disk: change' 'No space left on device' allow add two --site x
    blocked 'a full disk: apply' 'No space left on device' apply
    rm "$R/filler"
    t 'room again: apply' 0 'policy applied: 2 networks' '' apply
    decides 'room again: what was there counts' 0 trusted-network "$(hex Corp)"
    R=$work/readonly; on allow add corp --ssid Corp; mount -o remount,ro "$R"
    blocked 'read-only: add' 'Read-only file system' allow add two --ssid Two
    blocked 'read-only: remove' 'Read-only file system' allow remove corp
    blocked 'read-only: apply' 'Read-only file system' apply
    decides 'read-only: the policy counts' 0 trusted-network "$(hex Corp)"
else
    say 'not ok - file systems of a few kilobytes: cannot be mounted here'
fi
