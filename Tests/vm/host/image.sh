# Prepares what the machine boots from: a kernel, an initramfs, an accelerator. Sourced by `machine`.

cache=$(cd "$here/../.." && pwd)/build/vm
kernel_root=$cache/kernel
initramfs=$cache/initramfs

# In the order of need; each brings the modules that it depends on.
modules=(virtio_pci 9pnet_virtio 9p overlay virtio-rng mac80211_hwsim ccm ctr gcm cmac)
# iwd lets the kernel reckon.
modules+=(algif_hash algif_skcipher ecb cbc md4 md5 sha1_generic sha256_generic sha512_generic des_generic arc4)

# Sets `kernel_image` and makes `initramfs`.
prepare_image() {
    require_tools
    mkdir -p "$cache"
    # Two runs at once must not build the same file. The lock goes when this process does.
    exec {cache_lock}>"$cache/lock"
    flock "$cache_lock"
    [[ -d $kernel_root ]] || fetch_kernel
    kernel_version=$(basename "$kernel_root"/lib/modules/*)
    kernel_image=$kernel_root/boot/vmlinuz-$kernel_version
    [[ -r $kernel_image ]] || die "no kernel in $kernel_root; remove that folder and try again"

    local inputs
    inputs=$(cat "$here/host/image.sh" "$here/host/init" /bin/busybox <(echo "$kernel_version") | sha256sum)
    if [[ ! -f $initramfs || $(cat "$initramfs.inputs" 2>/dev/null) != "$inputs" ]]; then
        build_initramfs
        echo "$inputs" >"$initramfs.inputs"
    fi
    exec {cache_lock}>&-
}

require_tools() {
    local tool missing=()
    for tool in qemu-system-x86_64:qemu-system-x86 /bin/busybox:busybox-static modprobe:kmod depmod:kmod \
        apt-get:apt dpkg-deb:dpkg hostapd:hostapd wpa_supplicant:wpasupplicant iw:iw pamtester:pamtester \
        sudo:sudo openssl:openssl oathtool:oathtool strace:strace; do
        # Daemons and kernel tools are in sbin, which is not on every user's path.
        PATH=$PATH:/usr/sbin:/sbin command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}")
    done
    compgen -G '/usr/lib/*/security/pam_google_authenticator.so' >/dev/null ||
        compgen -G '/lib/*/security/pam_google_authenticator.so' >/dev/null ||
        missing+=(libpam-google-authenticator)
    ((${#missing[@]} == 0)) || die "missing packages: ${missing[*]} (make setup installs them)"
    PATH=$PATH:/usr/sbin:/sbin
}

# Downloads Debian's kernel package and keeps the few parts of it that the machine needs. Nothing is installed.
fetch_kernel() {
    local package work=$cache/fetch
    package=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image/ { print $2; exit }')
    [[ -n $package ]] || die "apt knows no linux-image-amd64 (on Debian for amd64: run apt-get update)"
    [[ ! -t 2 ]] || printf 'fetching %s, once\n' "$package" >&2
    rm -rf "$work"
    mkdir -p "$work/kernel"
    (cd "$work" && apt-get download -q "$package") >"$cache/fetch.log" 2>&1 ||
        die "apt-get download $package failed (run apt-get update): $(tail -n 1 "$cache/fetch.log")"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -x -C "$work/kernel" --wildcards \
        './boot/vmlinuz-*' './lib/modules/*/modules.*' './lib/modules/*/kernel/net/*' \
        './lib/modules/*/kernel/crypto/*' './lib/modules/*/kernel/lib/*' './lib/modules/*/kernel/arch/*' \
        './lib/modules/*/kernel/fs/*' './lib/modules/*/kernel/drivers/virtio/*' \
        './lib/modules/*/kernel/drivers/char/*' './lib/modules/*/kernel/drivers/net/wireless/*' ||
        die "could not unpack $package"
    depmod -b "$work/kernel" "$(basename "$work"/kernel/lib/modules/*)" 2>/dev/null || true
    # Last, so that an interrupted run leaves no half kernel behind.
    mv "$work/kernel" "$kernel_root"
    rm -rf "$work"
}

build_initramfs() {
    local tree module name number=10
    tree=$(mktemp -d "$cache/tree.XXXXXX")
    mkdir -p "$tree"/{bin,modules,proc,dev,mnt/lower,mnt/top,mnt/new}
    cp /bin/busybox "$tree/bin/busybox"
    cp "$here/host/init" "$tree/init"
    chmod 755 "$tree/init" "$tree/bin/busybox"
    while read -r module; do
        name=$(basename "$module")
        # Later Debian releases ship compressed modules, which the first stage cannot load.
        case $name in
        *.xz) xz -dc "$module" >"$tree/modules/$number-${name%.xz}" ;;
        *) cp "$module" "$tree/modules/$number-$name" ;;
        esac
        number=$((number + 1))
    done < <(for name in "${modules[@]}"; do
        # A module that is built into this kernel has nothing to show.
        modprobe -d "$kernel_root" -S "$kernel_version" --show-depends "$name" 2>/dev/null || true
    done | awk '/^insmod/ && !seen[$2]++ { print $2 }')
    compgen -G "$tree/modules/*mac80211_hwsim.ko" >/dev/null || die "this kernel has no mac80211_hwsim"
    # Not compressed: unpacking costs the emulated processor more than reading does.
    (cd "$tree" && find . | /bin/busybox cpio -o -H newc 2>/dev/null) >"$initramfs.new"
    mv "$initramfs.new" "$initramfs"
    rm -r "$tree"
}

# Prints the accelerator to use. KVM counts only if a guest runs on it: a device node alone says little inside a
# container or another virtual machine. The trial guest is five instructions that end QEMU with status 33.
choose_accelerator() {
    local trial=$1/trial-firmware status=0
    case ${ONSITE_VM_ACCEL:-} in
    kvm) echo kvm && return ;;
    tcg) echo tcg && return ;;
    esac
    if [[ -r /dev/kvm && -w /dev/kvm ]]; then
        # mov al,0x10; out 0xf4,al; hlt — at the reset vector, the last 16 bytes of 64 KiB
        head -c 65520 /dev/zero >"$trial"
        printf '\xb0\x10\xe6\xf4\xf4\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90' >>"$trial"
        # The braces keep the shell quiet, should QEMU abort.
        { timeout 3 qemu-system-x86_64 -accel kvm -cpu max -smp 1 -m 16 -nodefaults -display none -no-reboot \
            -device isa-debug-exit,iobase=0xf4 -bios "$trial" </dev/null || status=$?; } >/dev/null 2>&1
        if ((status == 33)); then
            echo kvm
            return
        fi
    fi
    echo tcg
}
