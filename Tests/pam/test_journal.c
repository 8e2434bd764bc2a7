/* test_journal.c - the record that the module writes for the journal */
#define _GNU_SOURCE
#include "harness.h"

#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ALONE "auth required " MODULE "\n"

/* What the journal was told, as "NAME=text" lines in their order, with a byte that is no text as a question mark. */
static char told[16384];
static int records;
static struct ucred sender;

static int open_journal(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = CRECORD_SOCKET };
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

    unlink(address.sun_path);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
        abort();
    chmod(address.sun_path, 0666);
    return descriptor;
}

/* Reads a record as systemd-journald does. Anything that is not one ends the text with "BROKEN". */
static void read_record(const unsigned char *bytes, size_t size)
{
    char *end = told + strlen(told);

    for (size_t at = 0; at < size;) {
        const unsigned char *line = memchr(bytes + at, '\n', size - at);
        uint64_t length;
        size_t name = line == NULL ? 0 : (size_t)(line - bytes) - at;
        if (line == NULL || size - at < name + 10 || (memcpy(&length, line + 1, 8), length = le64toh(length)) > 4096 ||
            size - at < name + 10 + length || line[9 + length] != '\n') {
            strcpy(end, "BROKEN");
            return;
        }
        end += sprintf(end, "%.*s=", (int)name, (const char *)bytes + at);
        for (uint64_t i = 0; i < length; i++)
            *end++ = line[9 + i] >= 0x20 && line[9 + i] < 0x7f ? (char)line[9 + i] : '?';
        *end++ = '\n';
        *end = '\0';
        at += name + 10 + length;
    }
}

static void read_journal(int journal)
{
    unsigned char bytes[16384];
    char control[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec room = { bytes, sizeof bytes };
    struct msghdr message = { .msg_iov = &room, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    ssize_t size;

    told[0] = '\0';
    for (records = 0; (size = recvmsg(journal, &message, 0)) >= 0; records++) {
        read_record(bytes, (size_t)size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header != NULL && header->cmsg_type == SCM_CREDENTIALS)
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
        message.msg_controllen = sizeof control;
    }
}

static int log_in(const char *user)
{
    write_stack("login", ALONE);
    return login("login", &(struct items){ .user = user }, &listening, 0);
}

static void test_fields(int journal)
{
#define HEAD(priority, message)                                                                                        \
    "MESSAGE=" message "\nMESSAGE_ID=5841dc77367249f09ea14b1b56972b23\nPRIORITY=" priority                             \
    "\nSYSLOG_FACILITY=10\nSYSLOG_IDENTIFIER=pam_onsite\n"
    static const struct {
        const char *name, *gate, *user, *record;
    } rows[] = {
        { "a skipped second factor is one record", "trusted", "alice",
          HEAD("5", "alice at login: second factor not required (trusted-network)")
          "ONSITE_DECISION=not-required\nONSITE_REASON=trusted-network\nONSITE_EVIDENCE=protected\nONSITE_USER=alice\n"
          "ONSITE_SERVICE=login\nONSITE_NETWORK=hq-berlin\nONSITE_ID=0123456789abcdef\n" },
        { "a required second factor is one record", "required", "alice",
          HEAD("5", "alice at login: second factor required (not-connected)")
          "ONSITE_DECISION=required\nONSITE_REASON=not-connected\nONSITE_EVIDENCE=none\nONSITE_USER=alice\n"
          "ONSITE_SERVICE=login\n" },
        { "a possible evil twin is a warning", "evil-twin", "alice",
          HEAD("4", "alice at login: second factor required (bssid-not-listed)")
          "ONSITE_DECISION=required\nONSITE_REASON=bssid-not-listed\nONSITE_EVIDENCE=claimed\nONSITE_USER=alice\n"
          "ONSITE_SERVICE=login\n" },
        { "a missing gate is one record", "missing", "alice",
          HEAD("3", "alice at login: second factor required (no-verdict)")
          "ONSITE_DECISION=required\nONSITE_REASON=no-verdict\nONSITE_EVIDENCE=none\nONSITE_USER=alice\n"
          "ONSITE_SERVICE=login\n" },
        { "a bad verdict is one record", "contradicts", "alice",
          HEAD("3", "alice at login: second factor required (no-verdict)")
          "ONSITE_DECISION=required\nONSITE_REASON=no-verdict\nONSITE_EVIDENCE=none\nONSITE_USER=alice\n"
          "ONSITE_SERVICE=login\n" },
        { "a user cannot forge a field of a record", "required", "a\nONSITE_DECISION=not-required",
          HEAD("5", "a\\x0aONSITE_DECISION\\x3dnot-required at login: second factor required (not-connected)")
          "ONSITE_DECISION=required\nONSITE_REASON=not-connected\nONSITE_EVIDENCE=none\n"
          "ONSITE_USER=a\\x0aONSITE_DECISION\\x3dnot-required\nONSITE_SERVICE=login\n" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        use_gate(rows[i].gate);
        log_in(rows[i].user);
        read_journal(journal);
        check(records == 1 && strcmp(told, rows[i].record) == 0, rows[i].name, "%d records: %s", records, told);
    }
}

/* In a set-uid program the real user is whoever started it. */
static int as_set_uid_program(const void *journal)
{
    if (setresuid(65534, 0, 0) != 0)
        return 2;
    use_gate("required");
    log_in("alice");
    read_journal(*(const int *)journal);
    return records == 1 && sender.uid == 0 ? 0 : 1;
}

static int as_plain_user(const void *journal)
{
    write_stack("login", ALONE);
    if (setresuid(65534, 65534, 65534) != 0)
        return 2;
    login("login", &(struct items){ .user = "alice" }, &listening, 0);
    read_journal(*(const int *)journal);
    return records == 1 && sender.uid == 65534 ? 0 : 1;
}

static void test_trouble(int journal)
{
    static const char *const gates[] = { "trusted", "required" };
    char before[8192];

    /* Nobody reads: the queue of the socket is soon full, and a record that had to wait would wait for ever. */
    use_gate("trusted");
    strcpy(before, descriptors());
    double start = seconds();
    int failures = 0;
    for (int i = 0; i < 300; i++)
        failures += log_in("alice") != PAM_SUCCESS;
    double took = seconds() - start;
    check(failures == 0 && took < 30, "a journal that hangs changes neither the answer nor the time", "%d, %.1f s",
          failures, took);
    read_journal(journal);
    check(records > 0 && records < 300, "the queue of the journal was full", "%d records", records);

    unlink(CRECORD_SOCKET);
    for (size_t i = 0; i < ARRAY_SIZE(gates); i++) {
        use_gate(gates[i]);
        check(log_in("alice") == (i == 0 ? PAM_SUCCESS : PAM_AUTH_ERR), "a missing journal changes nothing", "%s", gates[i]);
    }
    check(strcmp(before, descriptors()) == 0, "no descriptor is left open", "%s", descriptors());
}

int main(void)
{
    int journal = open_journal();
    test_fields(journal);
    check(in_child(as_set_uid_program, &journal) == 0, "a set-uid program writes in its effective user's name", "-");
    check(in_child(as_plain_user, &journal) == 0, "a plain program writes in its user's name", "-");
    test_trouble(journal);
    return 0;
}
