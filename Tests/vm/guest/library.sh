# What cases, the demo and a shell work with. Sourced in the machine.
for part in laptop radio managers policy expect; do
    source "/mnt/vm/guest/$part.sh"
done
