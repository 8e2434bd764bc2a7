// Makes the loopback interface a Wi-Fi station of a driver that has the Wireless Extensions and no nl80211.
//
// Loaded with LD_PRELOAD. The environment says what the driver answers: WEXT_MODE, WEXT_AP (one address, or two that
// take turns) and WEXT_SSID in hexadecimal digits. With WEXT_DENY there is no netlink to be had, as in a sandbox.
#define _GNU_SOURCE
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/wireless.h>

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value ? value : otherwise;
}

static size_t bytes(const char *digits, unsigned char *to, size_t room) {
    size_t count = 0;
    while (count < room && sscanf(digits + 2 * count, "%2hhx", &to[count]) == 1)
        count++;
    return count;
}

// What the kernel does for a driver with the handlers of wext-core.c.
static int answer(unsigned long question, struct iwreq *request) {
    static int turn;
    unsigned char address[12], name[64];
    switch (question) {
    case SIOCGIWNAME:
        strcpy(request->u.name, "IEEE 802.11");
        return 0;
    case SIOCGIWMODE:
        request->u.mode = (unsigned)atoi(setting("WEXT_MODE", "2"));
        return 0;
    case SIOCGIWAP: {
        size_t count = bytes(setting("WEXT_AP", "020000000001"), address, sizeof address);
        memcpy(request->u.ap_addr.sa_data, address + (count == 12 && turn++ % 2 ? 6 : 0), 6);
        return 0;
    }
    case SIOCGIWESSID: {
        size_t count = bytes(setting("WEXT_SSID", "436f72702d5374616666"), name, sizeof name - 1);
        size_t room = request->u.essid.length;
        // Programs that ask with room for 33 are old and want the NUL at the end counted.
        if (room == IW_ESSID_MAX_SIZE + 1)
            name[count++] = 0;
        if (count > room) {
            errno = E2BIG;
            return -1;
        }
        memcpy(request->u.essid.pointer, name, count);
        request->u.essid.length = (unsigned short)count;
        request->u.essid.flags = count > 0;
        return 0;
    }
    default:
        errno = EOPNOTSUPP;
        return -1;
    }
}

int ioctl(int descriptor, unsigned long question, ...) {
    va_list arguments;
    va_start(arguments, question);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (question >= SIOCIWFIRST && question <= SIOCIWLAST && strcmp(((struct iwreq *)argument)->ifr_name, "lo") == 0)
        return answer(question, argument);
    return (int)syscall(SYS_ioctl, descriptor, question, argument);
}

int socket(int domain, int type, int protocol) {
    if (domain == AF_NETLINK && getenv("WEXT_DENY")) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    return (int)syscall(SYS_socket, domain, type, protocol);
}
