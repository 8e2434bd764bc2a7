# What cases, the demo and a shell work with. Sourced in the machine.
# shellcheck shell=bash
for part in laptop radio policy expect; do
    # shellcheck source=/dev/null
    source "/mnt/vm/guest/$part.sh"
done
