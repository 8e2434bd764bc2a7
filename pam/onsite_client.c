/* onsite_client.c - call the gate or start one, hand it one request, believe at most one verdict
 *
 * Everything here runs inside somebody else's process, often set-uid root and started by the very user who is to
 * be authenticated. So nothing is read from the environment, nothing of the process is changed, and each step that
 * fails ends in an outcome other than ONSITE_ANSWERED.
 *
 * Copyright (C) 2026 the onsite authors
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "onsite_client.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where the gate that runs already listens. Both the folder and the socket have to be root's. */
#ifndef ONSITE_SOCKET_DIR
#define ONSITE_SOCKET_DIR "/run/onsite"
#endif
#define ONSITE_SOCKET_PATH ONSITE_SOCKET_DIR "/gate.sock"

_Static_assert(sizeof(struct onsite_request_header) == 24, "the header has no padding");
_Static_assert(sizeof(struct onsite_verdict) == 512, "the verdict has no padding");
_Static_assert(sizeof(struct onsite_wait) == 16, "the announcement has no padding");

/* Whether `field` is one text, filled up with NUL to its end. */
static bool is_padded(const char *field, size_t size)
{
    size_t length = strnlen(field, size);
    for (size_t i = length; i < size; i++)
        if (field[i] != '\0')
            return false;
    return length < size;
}

/* Whether every character of `text` is one of `alphabet`. */
static bool is_made_of(const char *text, const char *alphabet)
{
    return text[strspn(text, alphabet)] == '\0';
}

/* Whether a character can move the cursor, end the line or reorder what stands around it. */
static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character <= 0x9f) || character == 0x61c ||
           character == 0x200e || character == 0x200f || (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* Whether `text` is valid UTF-8 (RFC 3629) that is safe to print as one line. */
static bool is_one_line(const char *text)
{
    static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 }; /* by the number of bytes that follow */
    const unsigned char *next = (const unsigned char *)text;

    while (*next != 0) {
        uint32_t character = *next++;
        int following = character < 0x80 ? 0 : character < 0xe0 ? 1 : character < 0xf0 ? 2 : 3;
        if (following > 0) {
            if (character < 0xc0 || character > 0xf4)
                return false;
            character &= 0x3fu >> following;
        }
        for (int i = 0; i < following; i++) {
            if ((*next & 0xc0) != 0x80) /* also true of the final NUL, so the text is not left */
                return false;
            character = character << 6 | (*next++ & 0x3fu);
        }
        if (character < smallest[following] || character > 0x10ffff ||
            (character >= 0xd800 && character <= 0xdfff) || is_control(character))
            return false;
    }
    return true;
}

static bool is_evidence(const char *text)
{
    return strcmp(text, "none") == 0 || strcmp(text, "claimed") == 0 || strcmp(text, "protected") == 0 ||
           strcmp(text, "verified") == 0;
}

/* Whether the parts of the verdict agree: "not required" comes with the one reason for it, a network and evidence,
 * and that reason comes with nothing else. */
static bool is_consistent(const struct onsite_verdict *verdict)
{
    bool trusted = strcmp(verdict->reason, "trusted-network") == 0;

    if (verdict->answer == ONSITE_NOT_REQUIRED)
        return trusted && verdict->network[0] != '\0' && strcmp(verdict->evidence, "none") != 0;
    return !trusted && (verdict->answer == ONSITE_REQUIRED || verdict->answer == ONSITE_UNDECIDED);
}

static bool is_verdict(const struct onsite_verdict *verdict)
{
    static const char zeros[sizeof verdict->reserved];

    return memcmp(verdict->magic, ONSITE_VERDICT_MAGIC, sizeof verdict->magic) == 0 &&
           is_padded(verdict->reason, sizeof verdict->reason) &&
           is_padded(verdict->network, sizeof verdict->network) &&
           is_padded(verdict->evidence, sizeof verdict->evidence) &&
           is_padded(verdict->id, sizeof verdict->id) &&
           is_padded(verdict->message, sizeof verdict->message) &&
           is_padded(verdict->detail, sizeof verdict->detail) &&
           verdict->reason[0] != '\0' && is_made_of(verdict->reason, "abcdefghijklmnopqrstuvwxyz-") &&
           is_made_of(verdict->network, "abcdefghijklmnopqrstuvwxyz0123456789-") &&
           is_evidence(verdict->evidence) &&
           is_made_of(verdict->id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-") &&
           verdict->warning <= 1 && memcmp(verdict->reserved, zeros, sizeof zeros) == 0 &&
           is_one_line(verdict->message) && is_one_line(verdict->detail) && is_consistent(verdict);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until `descriptor` can be read or the deadline has come. */
static bool wait_readable(int descriptor, int64_t deadline)
{
    struct pollfd wanted = { .fd = descriptor, .events = POLLIN };
    int64_t left;
    int ready;

    do {
        left = deadline - now_ms();
        ready = poll(&wanted, 1, left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);
    } while (ready < 0 && errno == EINTR && left > 0);
    return ready > 0;
}

/* Closes a descriptor and keeps errno for the caller's report. */
static void close_quietly(int descriptor)
{
    int saved = errno;
    close(descriptor);
    errno = saved;
}

/* Opens a pair of connected sockets, none of them descriptor 0, 1 or 2.
 *
 * A host may have closed those, and then anything that it prints would go into our conversation. Sockets that keep
 * records apart make a verdict whole or absent. */
static bool open_channel(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        if (ends[i] > STDERR_FILENO)
            continue;
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (moved < 0) {
            close_quietly(ends[0]);
            close_quietly(ends[1]);
            return false;
        }
        close(ends[i]);
        ends[i] = moved;
    }
    return true;
}

/* Puts the request into the channel, where it waits for a helper that is not started yet: so the helper cannot
 * make this block or fail. The strings are sent from where they are, which keeps the stack small. */
static bool send_request(int channel, pid_t process, const char *const strings[4], const uint16_t lengths[4])
{
    struct onsite_request_header header = { .length = sizeof header, .process = (uint32_t)process };
    struct iovec parts[5] = { { .iov_base = &header, .iov_len = sizeof header } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 5 };

    memcpy(header.magic, ONSITE_REQUEST_MAGIC, sizeof header.magic);
    for (int i = 0; i < 4; i++) {
        header.lengths[i] = lengths[i];
        header.length += lengths[i];
        parts[i + 1] = (struct iovec){ .iov_base = (void *)strings[i], .iov_len = lengths[i] };
    }
    return sendmsg(channel, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)header.length;
}

/* Starts the gate on `channel`. Returns 0 or an error number.
 *
 * The gate keeps the user ids of the host. Falling back to the real user would run it as the caller of sudo, who
 * could then trace it and answer in its place. It gets a session of its own: a Ctrl-C or Ctrl-Z meant for the host
 * would only turn the answer into "no verdict". posix_spawn, unlike fork, costs the same in a large host and runs
 * no handlers of pthread_atfork. */
static int start_gate(int channel, pid_t *pid)
{
    char name[] = "onsite-gate";
    char *arguments[] = { name, NULL };
    char *environment[] = { NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);

    posix_spawn_file_actions_init(&actions);
    int error = posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (error == 0)
        error = posix_spawn(pid, ONSITE_GATE_PATH, &actions, &attributes, arguments, environment);

    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Ends the helper and takes its exit status, which means nothing, out of the host's way. */
static void end_gate(pid_t pid, int64_t deadline)
{
    /* A host that ignores SIGCHLD, or reaps what it did not start, sets the number free, and a user who can stop
     * the host has all the time to have it given to another process. The descriptor cannot change its meaning. That
     * it means our child is certain if the number still does after it was opened. */
    int process = (int)syscall(SYS_pidfd_open, pid, 0);

    if (process < 0) {
        /* A sandbox may refuse. Kill nothing then; a gate whose channel is closed ends by itself. */
        const struct timespec moment = { .tv_nsec = 1000000 };
        while (waitpid(pid, NULL, WNOHANG) == 0 && now_ms() < deadline)
            nanosleep(&moment, NULL);
        return;
    }
    if (waitpid(pid, NULL, WNOHANG) == 0) {
        syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
        wait_readable(process, deadline);
        waitpid(pid, NULL, WNOHANG);
    }
    close(process);
}

/* Whether a record of `length` bytes says how long the gate will wait. */
static bool is_wait(const struct onsite_wait *wait, ssize_t length)
{
    static const char zeros[sizeof wait->reserved];

    return length == sizeof *wait && memcmp(wait->magic, ONSITE_WAIT_MAGIC, sizeof wait->magic) == 0 &&
           wait->wait_ms >= 1 && wait->wait_ms <= ONSITE_WAIT_MAX &&
           memcmp(wait->reserved, zeros, sizeof zeros) == 0;
}

/* Receives the verdict. An announcement before it moves the deadline, once, by no more than `most_wait` milliseconds. */
static enum onsite_outcome receive(int channel, int64_t *deadline, uint32_t most_wait, struct onsite_verdict *verdict)
{
    union {
        struct onsite_verdict verdict;
        struct onsite_wait wait;
    } record;
    bool waited = false;

    for (;;) {
        if (!wait_readable(channel, *deadline))
            return ONSITE_TIMED_OUT;
        /* With MSG_TRUNC a record that is too long tells its true length. */
        ssize_t length = recv(channel, &record, sizeof record, MSG_DONTWAIT | MSG_TRUNC);
        if (length <= 0)
            return ONSITE_NO_VERDICT;
        if (!waited && is_wait(&record.wait, length)) {
            waited = true;
            *deadline += record.wait.wait_ms < most_wait ? record.wait.wait_ms : most_wait;
            continue;
        }
        if (length != sizeof record.verdict || !is_verdict(&record.verdict))
            return ONSITE_BAD_VERDICT;
        *verdict = record.verdict;
        return ONSITE_ANSWERED;
    }
}

/* Whether what stands at a path is root's, of this kind, and nobody else may put something in its place. */
static bool is_of_root(const char *path, mode_t kind)
{
    struct stat status;

    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == 0 &&
           (kind != S_IFDIR || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0);
}

/* Connects to the gate that is running already. Answers -1 when there is none to rely on. */
static int call_resident(void)
{
    static const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = ONSITE_SOCKET_PATH };
    struct ucred owner;
    socklen_t size = sizeof owner;

    if (!is_of_root(ONSITE_SOCKET_DIR, S_IFDIR) || !is_of_root(ONSITE_SOCKET_PATH, S_IFSOCK))
        return -1;
    int channel = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* A queue that is full is no reason to wait. The kernel, too, says whose socket it is. */
    if (channel >= 0 && connect(channel, (const struct sockaddr *)&address, sizeof address) == 0 &&
        getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0 && owner.uid == 0)
        return channel;
    if (channel >= 0)
        close(channel);
    return -1;
}

/* Asks the gate that is running already. It has a third of the time; the rest is for a gate of our own. `waited` is how
 * many milliseconds longer it took, because it waited for a network. */
static enum onsite_outcome ask_resident(pid_t process, const char *const strings[4], const uint16_t lengths[4],
                                        unsigned int timeout_ms, struct onsite_verdict *verdict, uint32_t *waited)
{
    int64_t third = now_ms() + timeout_ms / 3, deadline = third;
    int channel = call_resident();
    enum onsite_outcome outcome = ONSITE_NO_GATE;

    *waited = 0;
    if (channel < 0)
        return outcome;
    if (send_request(channel, process, strings, lengths))
        outcome = receive(channel, &deadline, ONSITE_WAIT_MAX, verdict);
    close(channel);
    int64_t longer = now_ms() - third;
    if (longer > 0)
        *waited = longer < ONSITE_WAIT_MAX ? (uint32_t)longer : ONSITE_WAIT_MAX;
    return outcome;
}

enum onsite_outcome onsite_ask(const struct onsite_question *question, unsigned int timeout_ms,
                               struct onsite_verdict *verdict)
{
    const char *strings[4] = { question->user, question->service, question->rhost, question->tty };
    uint16_t lengths[4];
    uint32_t waited;
    /* The last tenth is for ending the helper, so that the caller has waited for no longer than it said. */
    unsigned int rest = timeout_ms / 10;
    int64_t deadline = now_ms() + timeout_ms - rest;
    int saved = errno;
    int ends[2];
    pid_t pid;

    memset(verdict, 0, sizeof *verdict);
    for (int i = 0; i < 4; i++) {
        size_t length = strings[i] == NULL ? 0 : strnlen(strings[i], ONSITE_STRING_MAX + 1);
        if (length > ONSITE_STRING_MAX)
            return ONSITE_TOO_LONG;
        lengths[i] = (uint16_t)length;
    }

    if (ask_resident(question->process, strings, lengths, timeout_ms, verdict, &waited) == ONSITE_ANSWERED) {
        errno = saved;
        return ONSITE_ANSWERED;
    }
    deadline += waited;
    if (!open_channel(ends))
        return ONSITE_NO_GATE;
    if (!send_request(ends[0], question->process, strings, lengths)) {
        close_quietly(ends[0]);
        close_quietly(ends[1]);
        return ONSITE_NO_GATE;
    }
    int error = start_gate(ends[1], &pid);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        errno = error;
        return ONSITE_NO_GATE;
    }

    enum onsite_outcome outcome = receive(ends[0], &deadline, ONSITE_WAIT_MAX - waited, verdict);
    close(ends[0]);
    end_gate(pid, deadline + rest);
    errno = saved;
    return outcome;
}

const char *onsite_outcome_text(enum onsite_outcome outcome)
{
    switch (outcome) {
    case ONSITE_ANSWERED: return "the gate answered";
    case ONSITE_TOO_LONG: return "a text of the request is too long";
    case ONSITE_NO_GATE: return "the gate could not be started";
    case ONSITE_TIMED_OUT: return "the gate did not answer in time";
    case ONSITE_NO_VERDICT: return "the gate ended without an answer";
    case ONSITE_BAD_VERDICT: return "the answer of the gate is not a verdict";
    }
    return "unknown outcome";
}
