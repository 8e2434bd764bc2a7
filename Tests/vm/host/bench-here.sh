#!/bin/bash
# bench-here.sh STAGE TOOLS ROUNDS INTERFACE   `bench --here`, run by unshare --mount: no mount made here is seen elsewhere.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mount --make-rprivate /
# The same folders as in the test machine, so that the same script finds its way.
mount -t tmpfs -o mode=755 layers /mnt
mkdir -m 755 /mnt/{vm,stage,tools,etc,etc-work,usr,usr-work}
mount --bind "$here" /mnt/vm
mount --bind "$1" /mnt/stage
mount --bind "$2" /mnt/tools
for folder in etc usr; do
    mount -t overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder,workdir=/mnt/$folder-work" overlay "/$folder"
done
for folder in run home var/lib; do
    mount -t tmpfs -o mode=755 scratch "/$folder"
done
export ONSITE_BENCH_LAYERS=yes
exec bash /mnt/vm/guest/bench.sh "$3" "$4"
