/* libnl-3 and libnl-genl-3, the kernel's nl80211 numbers, and what Swift cannot say by itself. */
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/if_ether.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>
#include <linux/wireless.h>
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

/* What a driver answers to one question of the Wireless Extensions. */
struct cnetlink_answer {
    int error;                                  /* errno, or 0 */
    unsigned int value;                         /* of SIOCGIFINDEX, SIOCGIWMODE; the flags of SIOCGIWESSID */
    unsigned int length;                        /* of the bytes, at most their room */
    unsigned char bytes[IW_ESSID_MAX_SIZE + 2]; /* of SIOCGIWAP and SIOCGIWESSID */
};

/* Asks one such question, or SIOCGIFINDEX. Any socket will do. */
static inline struct cnetlink_answer cnetlink_ask(int socket, const char *name, unsigned long question) {
    struct cnetlink_answer answer;
    union {
        struct ifreq plain;
        struct iwreq wireless;
    } request;
    memset(&answer, 0, sizeof answer);
    memset(&request, 0, sizeof request);
    if (strlen(name) >= sizeof request.plain.ifr_name) {
        answer.error = ENODEV;
        return answer;
    }
    strcpy(request.plain.ifr_name, name);
    if (question == SIOCGIWESSID) {
        /* Room for one byte more would ask for the old manner, in which a NUL at the end is counted. */
        request.wireless.u.essid.pointer = answer.bytes;
        request.wireless.u.essid.length = sizeof answer.bytes;
    }
    if (ioctl(socket, question, &request) != 0) {
        answer.error = errno;
        return answer;
    }
    switch (question) {
    case SIOCGIFINDEX:
        answer.value = (unsigned int)request.plain.ifr_ifindex;
        break;
    case SIOCGIWMODE:
        answer.value = request.wireless.u.mode;
        break;
    case SIOCGIWAP:
        answer.length = ETH_ALEN;
        memcpy(answer.bytes, request.wireless.u.ap_addr.sa_data, ETH_ALEN);
        break;
    case SIOCGIWESSID:
        answer.value = request.wireless.u.essid.flags;
        answer.length = request.wireless.u.essid.length;
        if (answer.length > sizeof answer.bytes)
            answer.length = sizeof answer.bytes;
        break;
    default: /* SIOCGIWNAME: that there is an answer says all. */
        break;
    }
    return answer;
}
