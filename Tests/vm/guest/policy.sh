# The allowlist and the policy. Sourced in the machine.

# Starts from a laptop on which nothing is trusted.
reset_policy() {
    # Whatever sample policy the product brings, a case shows all that it relies on.
    rm -rf /etc/onsite /var/lib/onsite /run/onsite
    mkdir -m 755 /etc/onsite /etc/onsite/networks.d /var/lib/onsite
    echo 'version = 1' >/etc/onsite/policy.toml
}

# policy LINE...   writes policy.toml
policy() {
    printf '%s\n' 'version = 1' "$@" >/etc/onsite/policy.toml
    apply
}

# trust NAME LINE...   writes one network of the allowlist
trust() {
    local name=$1
    shift
    printf '%s\n' "$@" >"/etc/onsite/networks.d/$name.toml"
    apply
}

distrust() {
    rm "/etc/onsite/networks.d/$1.toml"
    apply
}

apply() {
    local said
    said=$(onsite apply 2>&1) || fail "onsite apply failed: $said"
}
