# onsite: the one entry point. `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

prefix      ?= /usr
DESTDIR     ?=
multiarch    = $(shell $(CC) -print-multiarch)
pamdir       = $(prefix)/lib/$(multiarch)/security
bindir      ?= $(prefix)/bin
libexecdir  ?= $(prefix)/libexec/onsite
unitdir     ?= $(prefix)/lib/systemd/system
B           := build

# The gate and the command carry their libraries with them: only libc and libm are asked of the machine. The linker
# takes the archives because nothing else lies in this directory.
ARCHIVES    := $(addprefix $(B)/archives/,libnl-3.a libnl-genl-3.a libcdb.a libsodium.a libjansson.a libexpat.a libstdc++.a)
SWIFT_FLAGS := -Xswiftc -L$(CURDIR)/$(B)/archives
RELEASE     := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath \
               -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
               -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
               -Xlinker --as-needed -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
               -Xlinker -z -Xlinker noexecstack -Xlinker -s
SOURCES     := $(shell find Sources -type f) Package.swift

PAM_CFLAGS  := -std=c11 -O2 -g -fPIC -fvisibility=hidden -fstack-protector-strong -D_FORTIFY_SOURCE=3 \
               -Wall -Wextra -Wconversion -Wformat=2 -Werror
PAM_LDFLAGS := -shared -Wl,-z,relro,-z,now,-z,noexecstack,-z,defs -Wl,--as-needed

.PHONY: build
build: $(B)/onsite $(B)/onsite-gate $(B)/pam_onsite.so ## build the command, the gate and the module

# The journal record is the same piece of C in the module and in the command.
PAM_SOURCES := pam/pam_onsite.c pam/onsite_client.c Sources/CRecord/record.c

$(B)/pam_onsite.so: $(PAM_SOURCES) pam/onsite_client.h Sources/CRecord/include/CRecord.h
	@mkdir -p $(@D)
	$(CC) $(PAM_CFLAGS) -ISources/CRecord/include -DONSITE_GATE_PATH='"$(libexecdir)/onsite-gate"' $(PAM_LDFLAGS) \
	    -o $@ $(PAM_SOURCES) -lpam

$(B)/onsite $(B)/onsite-gate &: $(SOURCES) | $(ARCHIVES)
	swift build $(RELEASE) $(SWIFT_FLAGS)
	cp .build/release/onsite .build/release/onsite-gate $(B)/

# The compiler answers with the bare name when there is no such file.
$(B)/archives/%.a:
	@mkdir -p $(@D)
	@path=$$($(CXX) -print-file-name=$*.a); \
	    [[ $$path == /* ]] || { echo "there is no $*.a (run: make setup)" >&2; exit 1; }; ln -sf "$$path" $@


.PHONY: install
install: build ## install under $(DESTDIR)$(prefix)
	install -D -m 0755 $(B)/onsite $(DESTDIR)$(bindir)/onsite
	install -D -m 0711 $(B)/onsite-gate $(DESTDIR)$(libexecdir)/onsite-gate
	install -d $(DESTDIR)$(unitdir)
	install -m 0644 etc/systemd/* $(DESTDIR)$(unitdir)
	install -D -m 0644 etc/catalog/onsite.catalog $(DESTDIR)$(prefix)/lib/systemd/catalog/onsite.catalog
	install -D -m 0644 -s $(B)/pam_onsite.so $(DESTDIR)$(pamdir)/pam_onsite.so

.PHONY: demo
demo: setup build ## show on virtual Wi-Fi what sudo asks, without touching this machine
	Tests/vm/demo

.PHONY: test
test: setup build ## run every test: lint, unit, PAM, command line, real Wi-Fi in a test machine
	Tests/run

.PHONY: lint
lint: ## check the manner of the sources
	Tests/lint

.PHONY: bench
bench: setup build ## measure, and compare with the limits
	@status=0; Tests/vm/bench --here || status=1; Tests/vm/bench || status=1; \
	    Tests/vm/host/bench-lists.sh $(B)/onsite $(B)/vm/tools/interleave || status=1; exit $$status

.PHONY: clean
clean: ## remove everything that was made
	rm -rf .build $(B)

# What building, testing and the demo need, as packages of Debian 12. The first line is what Swift itself needs.
PACKAGES := binutils git libc6-dev libcurl4 libedit2 libncurses6 libsqlite3-0 libxml2 zlib1g \
            g++ libnl-3-dev libnl-genl-3-dev libpam0g-dev libcdb-dev libsodium-dev libjansson-dev libexpat1-dev libtomlplusplus-dev \
            qemu-system-x86 busybox-static kmod cpio zstd hostapd wpasupplicant iw iproute2 openssl pamtester sudo \
            libpam-google-authenticator oathtool strace locales python3 shellcheck procps perl \
            systemd dbus libpam-systemd systemd-container polkitd pkexec dbus-user-session openssh-client libwrap0 tmux vlock \
            tigervnc-standalone-server libcurl3-gnutls libell0 libndp0 libnm0 libpsl5 libreadline8

.PHONY: setup
setup: ## install the Debian packages that are missing
	@Tests/setup $(PACKAGES)

.PHONY: help
help: ## show this help
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1 \t\2/p' $(MAKEFILE_LIST) | expand -t 20
