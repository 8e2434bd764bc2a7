/* libnl-3 and libnl-genl-3, the kernel's nl80211 numbers, and what Swift cannot say by itself. */
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/nl80211.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

/* The flags of a network interface (IFF_UP and others), or -1 with errno. Any socket will do. */
static inline int cnetlink_interface_flags(int socket, const char *name) {
    struct ifreq request;
    memset(&request, 0, sizeof request);
    if (strlen(name) >= sizeof request.ifr_name) {
        errno = ENODEV;
        return -1;
    }
    strcpy(request.ifr_name, name);
    return ioctl(socket, SIOCGIFFLAGS, &request) == 0 ? (unsigned short)request.ifr_flags : -1;
}
