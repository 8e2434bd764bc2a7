# Installs the product into a folder that the machine can see. Sourced by `run`, `demo` and `bench`.

# Prints the folder's path.
stage_product() {
    local root stage
    if [[ -n ${ONSITE_VM_STAGE:-} ]]; then
        (cd "$ONSITE_VM_STAGE" && pwd)
        return
    fi
    root=$(cd "$here/../.." && pwd)
    stage=$root/build/vm/stage
    rm -rf "$stage"
    mkdir -p "$stage"
    if ! make -C "$root" --no-print-directory install DESTDIR="$stage" prefix=/usr >"$stage.log" 2>&1; then
        tail -n 20 "$stage.log" >&2
        echo "make install failed" >&2
        return 1
    fi
    echo "$stage"
}

# Compiles what cases and measurements need into a folder that the machine can see. Prints its path.
build_tools() {
    local root tools
    root=$(cd "$here/../.." && pwd)
    tools=$root/build/vm/tools
    mkdir -p "$tools"
    cc -O2 -Wall -Wextra -Werror -o "$tools/interleave" "$here/guest/interleave.c"
    cc -O2 -Wall -Wextra -Werror -pthread -Wl,--wrap=posix_spawn \
        '-DONSITE_GATE_PATH="/usr/libexec/onsite/onsite-gate"' \
        -o "$tools/callers" "$here/guest/callers.c" "$root/pam/onsite_client.c"
    cc -O2 -Wall -Wextra -Werror -shared -fPIC -o "$tools/libnss_far.so.2" "$here/guest/nss-far.c"
    echo "$tools"
}
