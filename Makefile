# onsite: the one entry point. `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:

prefix      ?= /usr
DESTDIR     ?=
multiarch   := $(shell $(CC) -print-multiarch)
pamdir      ?= $(prefix)/lib/$(multiarch)/security
libexecdir  ?= $(prefix)/libexec/onsite
B           := build

PAM_CFLAGS  := -std=c11 -O2 -g -fPIC -fvisibility=hidden -fstack-protector-strong -D_FORTIFY_SOURCE=3 \
               -Wall -Wextra -Wconversion -Wformat=2 -Werror
PAM_LDFLAGS := -shared -Wl,-z,relro,-z,now,-z,noexecstack,-z,defs -Wl,--as-needed

$(B)/pam_onsite.so: pam/pam_onsite.c pam/onsite_client.c pam/onsite_client.h | $(B)
	$(CC) $(PAM_CFLAGS) -DONSITE_GATE_PATH='"$(libexecdir)/onsite-gate"' $(PAM_LDFLAGS) \
	    -o $@ pam/pam_onsite.c pam/onsite_client.c -lpam

$(B):
	mkdir -p $@
