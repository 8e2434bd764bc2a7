#define _GNU_SOURCE
#include "CSupplicant.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int csupplicant_connect(const char *path) {
    struct sockaddr_un peer = {.sun_family = AF_UNIX}, own = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof peer.sun_path) return -1;
    strcpy(peer.sun_path, path);
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), yes = 1;
    if (descriptor < 0) return -1;
    /* Only the family: the kernel chooses an abstract address (unix(7), autobind). The kernel, too, says who sends. */
    if (bind(descriptor, (const struct sockaddr *)&own, offsetof(struct sockaddr_un, sun_path)) == 0 &&
        setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0 &&
        connect(descriptor, (const struct sockaddr *)&peer, sizeof peer) == 0) {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

/* Whether the kernel says that a process of root sent a message. */
static int is_from_root(struct msghdr *message) {
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        struct ucred sender;
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_CREDENTIALS &&
            part->cmsg_len == CMSG_LEN(sizeof sender)) {
            memcpy(&sender, CMSG_DATA(part), sizeof sender);
            return sender.uid == 0;
        }
    }
    return 0;
}

ssize_t csupplicant_ask(int socket, const char *command, char *reply, size_t size) {
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec room = {.iov_base = reply, .iov_len = size - 1};
    struct msghdr message = {
        .msg_iov = &room, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (size == 0 || send(socket, command, strlen(command), MSG_NOSIGNAL) < 0) return -1;
    const ssize_t length = recvmsg(socket, &message, 0);
    if (length < 0 || message.msg_flags != 0 || !is_from_root(&message)) return -1;
    reply[length] = 0;
    return length;
}
