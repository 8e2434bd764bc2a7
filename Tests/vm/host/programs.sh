# Fetches programs whose packages start services where they are installed. Sourced by `run`, `askers` and `bench`.
#
# Nothing is installed: on a laptop that builds the product an sshd or a remote desktop would be a surprise. What they
# need of libraries is among the packages of `make setup`.
programs=(openssh-server cron at greetd xrdp network-manager iwd)

# Prints the folder that holds one archive a package.
fetch_programs() {
    local cache work package
    cache=$(cd "$here/../.." && pwd)/build/vm
    mkdir -p "$cache"
    # Fetched again when one is missing.
    if (($(find "$cache/programs" -name "*.tar" 2>/dev/null | wc -l) != ${#programs[@]})); then
        rm -rf "$cache/programs"
        work=$(mktemp -d "$cache/programs.XXXXXX")
        if ! (cd "$work" && apt-get download -q "${programs[@]}") >"$cache/programs.log" 2>&1; then
            echo "apt-get download failed (run apt-get update): $(tail -n 1 "$cache/programs.log")" >&2
            rm -rf "$work"
            return 1
        fi
        for package in "${programs[@]}"; do
            # An archive keeps owners and modes, whoever makes it.
            dpkg-deb --fsys-tarfile "$work/$package"_*.deb >"$work/$package.tar" || return 1
        done
        rm "$work"/*.deb
        chmod 755 "$work"
        mv -T "$work" "$cache/programs" 2>/dev/null || rm -rf "$work" # another run was quicker
    fi
    echo "$cache/programs"
}
