/* record.c - one record with fields for the journal of systemd
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "CRecord.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Tests have one of their own. */
#ifndef CRECORD_SOCKET
#define CRECORD_SOCKET "/run/systemd/journal/socket"
#endif

static const struct sockaddr_un journal = { .sun_family = AF_UNIX, .sun_path = CRECORD_SOCKET };

struct record {
    size_t size;
    bool is_full;
    unsigned char bytes[8192];
};

static void append(struct record *record, const void *bytes, size_t size)
{
    if (size > sizeof record->bytes - record->size) {
        record->is_full = true;
        return;
    }
    memcpy(record->bytes + record->size, bytes, size);
    record->size += size;
}

/* Appends a field in the form that says how long the text is, so that no text can begin another field. */
static void append_field(struct record *record, const struct crecord_field *field)
{
    size_t length = strlen(field->text);
    uint64_t size = htole64(length);

    append(record, field->name, strlen(field->name));
    append(record, "\n", 1);
    append(record, &size, sizeof size);
    append(record, field->text, length);
    append(record, "\n", 1);
}

/* Sends in the name of the effective user. By itself the kernel names the real one, which in a set-uid program is whoever
 * started it, and anyone can write records in that name. */
static void send_as_effective_user(int descriptor, struct record *record)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(struct ucred))];
    } control = { .header = { .cmsg_len = CMSG_LEN(sizeof(struct ucred)),
                              .cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_CREDENTIALS } };
    struct ucred self = { .pid = getpid(), .uid = geteuid(), .gid = getegid() };
    struct sockaddr_un address = journal;
    struct iovec whole = { .iov_base = record->bytes, .iov_len = record->size };
    struct msghdr message = { .msg_name = &address,
                              .msg_namelen = sizeof address,
                              .msg_iov = &whole,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof control };

    memcpy(CMSG_DATA(&control.header), &self, sizeof self);
    sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void crecord_send(const struct crecord_field *fields, size_t count)
{
    struct record record = { .size = 0 };
    int before = errno;

    for (size_t i = 0; i < count; i++)
        if (fields[i].text != NULL)
            append_field(&record, &fields[i]);
    int descriptor = record.is_full ? -1 : socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0) {
        if (getuid() != geteuid())
            send_as_effective_user(descriptor, &record);
        else
            sendto(descriptor, record.bytes, record.size, MSG_DONTWAIT | MSG_NOSIGNAL,
                   (const struct sockaddr *)&journal, sizeof journal);
        close(descriptor);
    }
    errno = before;
}
