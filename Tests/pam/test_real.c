/* test_real.c - the real gate, on a machine that has no compiled policy */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"
#include "harness.h"

#include <malloc.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_verdict(void)
{
    struct onsite_verdict verdict;
    const struct onsite_question question = { .user = "root", .service = "sudo", .tty = "tty1" };
    double started = seconds();
    enum onsite_outcome outcome = onsite_ask(&question, 5000, &verdict);

    check(outcome == ONSITE_ANSWERED && verdict.answer == ONSITE_UNDECIDED &&
              strcmp(verdict.reason, "policy-missing") == 0,
          "the real gate without a policy answers \"undecided\" for that reason", "%s, reason %s",
          onsite_outcome_text(outcome), verdict.reason);
    check(outcome == ONSITE_ANSWERED && verdict.message[0] != '\0', "its verdict has a message for people",
          "it is empty");
    printf("# one answer took %.2f ms\n", (seconds() - started) * 1000);
}

/* How many bytes the gate answers to `request` with, before it ends. -1: it did not end. */
static ssize_t answer_to(const void *request, size_t size)
{
    int ends[2], status;
    char answer[1024];
    pid_t pid;
    char *arguments[] = { "onsite-gate", NULL }, *environment[] = { NULL };
    posix_spawn_file_actions_t actions;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        abort();
    if (size > 0)
        send(ends[0], request, size, 0);
    shutdown(ends[0], SHUT_WR);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (posix_spawn(&pid, ONSITE_GATE_PATH, &actions, NULL, arguments, environment) != 0)
        abort();
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);

    struct pollfd wanted = { .fd = ends[0], .events = POLLIN };
    ssize_t length = poll(&wanted, 1, 5000) == 1 ? recv(ends[0], answer, sizeof answer, 0) : -1;
    if (length < 0 && wanted.revents != 0)
        length = 0; /* reset: it ended and left the request unread */
    if (length < 0)
        kill(pid, SIGKILL);
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && length >= 0 ? -2 : length;
}

static void test_requests(void)
{
    static char request[2 * ONSITE_REQUEST_MAX];
    struct onsite_request_header good = { .length = sizeof good + 5, .lengths = { 5, 0, 0, 0 } };
    memcpy(good.magic, ONSITE_REQUEST_MAGIC, sizeof good.magic);

    struct onsite_request_header magic = good, longer = good, sum = good, over = good, full = good;
    magic.magic[0] ^= 1;
    longer.length++;
    sum.lengths[3] = 1;
    over.lengths[0] = ONSITE_STRING_MAX + 1;
    over.length = sizeof over + ONSITE_STRING_MAX + 1;
    full.length = sizeof request;

    const struct {
        const char *name;
        struct onsite_request_header header;
        size_t size;
        ssize_t answer;
    } rows[] = {
        { "the real gate answers a request that the test made", good, sizeof good + 5, sizeof(struct onsite_verdict) },
        { "the real gate gives an empty request no verdict", good, 0, 0 },
        { "the real gate gives half a header no verdict", good, 10, 0 },
        { "the real gate gives a header alone no verdict", good, sizeof good, 0 },
        { "the real gate gives a wrong magic number no verdict", magic, sizeof good + 5, 0 },
        { "the real gate gives a length beyond the record no verdict", longer, sizeof good + 5, 0 },
        { "the real gate gives lengths that do not add up no verdict", sum, sizeof good + 5, 0 },
        { "the real gate gives a string that is too long no verdict", over, sizeof good + ONSITE_STRING_MAX + 1, 0 },
        { "the real gate gives an oversized request no verdict", full, sizeof request, 0 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        memset(request, 'x', sizeof request);
        memcpy(request, &rows[i].header, sizeof rows[i].header);
        ssize_t length = answer_to(request, rows[i].size);
        check(length == rows[i].answer, rows[i].name,
              length == -2 ? "it crashed" : length == -1 ? "it did not end" : "%zd bytes", length);
    }
}

static void test_reloading(void)
{
    char before[4096] = "";
    size_t used = 0;
    int wrong = 0;

    write_stack("real", "auth required " BUILD_DIR "/pam_onsite_real.so\n");
    for (int round = 0; round < 260; round++) {
        if (round == 60) {
            used = mallinfo2().uordblks;
            strcpy(before, descriptors());
        }
        wrong += login("real", &(struct items){ .user = "root" }, &listening, 0) != PAM_AUTHINFO_UNAVAIL;
    }
    check(wrong == 0 && mallinfo2().uordblks <= used + 1024 && strcmp(before, descriptors()) == 0,
          "200 times loaded, asked and unloaded with the real gate, nothing grows", "%d wrong, %zu bytes, %s", wrong,
          mallinfo2().uordblks - used, descriptors());
}

int main(void)
{
    test_verdict();
    test_requests();
    test_reloading();
    return 0;
}
