#!/bin/bash
# Runs the cases that are named, each from the same start. Prints "ok - NAME" or "not ok - NAME: why".
set -euo pipefail

source /mnt/vm/guest/library.sh

# No case may keep the others from their turn.
limit=${ONSITE_VM_CASE_LIMIT:-60}

prepare_laptop
start_system_log
failures=0
for name in "$@"; do
    started=$SECONDS status=0
    # A shell of its own: a case may change anything, and what it breaks is put back before the next.
    timeout -k 2 "$limit" bash /mnt/vm/guest/case.sh "$name" 3>/run/why >/run/case-log 2>&1 </dev/null || status=$?
    took=$((SECONDS - started))
    if ((status == 0)); then
        echo "ok - $name ($took s)"
        continue
    fi
    why=$(head -n 1 /run/why)
    ((status != 124)) || why="not done after $limit s"
    echo "not ok - $name: ${why:-it ended with status $status} ($took s)"
    tail -n 15 /run/case-log | sed 's/^/#   /'
    tail -n 5 /run/system-log | sed 's/^/#   log: /'
    failures=$((failures + 1))
done
exit $((failures > 0))
