# Runs the cases that are named, each from the same start. Prints "ok - NAME" or "not ok - NAME: why".
# A case is sourced in a shell of its own: it may change anything, and what it breaks is put back for the next.
set -euo pipefail

source /mnt/vm/guest/laptop.sh
source /mnt/vm/guest/radio.sh
source /mnt/vm/guest/policy.sh
source /mnt/vm/guest/expect.sh

# run_case NAME   in a subshell, where the reason of a failure goes to descriptor 3
run_case() (
    set -euo pipefail
    trap 'echo "line $LINENO of ${BASH_SOURCE[0]##*/vm/}: $BASH_COMMAND" >&3' ERR
    set -E
    : >/run/system-log
    reset_radios
    reset_login
    install_product
    reset_policy
    # The log of the case, should it fail.
    set -x
    source "/mnt/vm/cases/$1/case.sh"
)

prepare_laptop
failures=0
for name in "$@"; do
    started=$SECONDS
    # In the background, because a shell ignores `set -e` in whatever an `if` looks at.
    run_case "$name" 3>/run/why >/run/case-log 2>&1 </dev/null &
    if wait $!; then
        echo "ok - $name ($((SECONDS - started)) s)"
    else
        why=$(head -n 1 /run/why)
        echo "not ok - $name: ${why:-it ended early} ($((SECONDS - started)) s)"
        tail -n "${ONSITE_VM_LOG_LINES:-15}" /run/case-log | sed 's/^/#   /'
        tail -n 5 /run/system-log | sed 's/^/#   log: /'
        failures=$((failures + 1))
    fi
done
exit $((failures > 0))
