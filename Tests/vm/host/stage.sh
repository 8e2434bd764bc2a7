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
