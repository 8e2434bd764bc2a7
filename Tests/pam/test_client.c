/* test_client.c - what becomes of a question when the gate misbehaves */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct onsite_question alice = { .user = "alice", .service = "sudo", .tty = "tty1" };

static void test_outcomes(void)
{
    static const struct {
        const char *gate;
        enum onsite_outcome outcome;
        uint64_t answer;
        int error;
        double more; /* seconds that the gate may have on top */
    } rows[] = {
        { "trusted", ONSITE_ANSWERED, ONSITE_NOT_REQUIRED, 0, 0 },
        { "required", ONSITE_ANSWERED, ONSITE_REQUIRED, 0, 0 },
        { "undecided", ONSITE_ANSWERED, ONSITE_UNDECIDED, 0, 0 },
        { "evil-twin", ONSITE_ANSWERED, ONSITE_REQUIRED, 0, 0 },
        { "writes-twice", ONSITE_ANSWERED, ONSITE_REQUIRED, 0, 0 },
        { "answers-and-hangs", ONSITE_ANSWERED, ONSITE_NOT_REQUIRED, 0, 0 },
        { "contradicts", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "garbage", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "short", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "long", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "in-pieces", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "text", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "floods", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "nothing", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "empty-record", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "ends-unread", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "closes-early", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "killed", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "faults", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "script-that-exits-0", ONSITE_NO_VERDICT, 0, 0, 0 },
        { "hangs-before-reading", ONSITE_TIMED_OUT, 0, 0, 0 },
        { "hangs-after-reading", ONSITE_TIMED_OUT, 0, 0, 0 },
        { "stops", ONSITE_TIMED_OUT, 0, 0, 0 },
        { "waits", ONSITE_ANSWERED, ONSITE_NOT_REQUIRED, 0, 0.4 },
        { "waits-and-hangs", ONSITE_TIMED_OUT, 0, 0, 0.2 },
        { "waits-twice", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "waits-for-ever", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "waits-for-nothing", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "waits-with-garbage", ONSITE_BAD_VERDICT, 0, 0, 0 },
        { "missing", ONSITE_NO_GATE, 0, ENOENT, 0 },
        { "not-executable", ONSITE_NO_GATE, 0, EACCES, 0 },
        { "not-a-program", ONSITE_NO_GATE, 0, ENOEXEC, 0 },
        { "directory", ONSITE_NO_GATE, 0, EACCES, 0 },
    };
    static const struct onsite_verdict zeros;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char name[128];
        struct onsite_verdict verdict;
        char before[4096];

        use_gate(rows[i].gate);
        strcpy(before, descriptors());
        errno = 12345;
        double started = seconds();
        enum onsite_outcome outcome = onsite_ask(&alice, 300, &verdict);
        int error = errno;
        double took = seconds() - started;
        bool alone = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;

        snprintf(name, sizeof name, "%s: %s, in time and without a trace", rows[i].gate,
                 onsite_outcome_text(rows[i].outcome));
        check(outcome == rows[i].outcome && verdict.answer == rows[i].answer &&
                  (outcome == ONSITE_ANSWERED || memcmp(&verdict, &zeros, sizeof zeros) == 0) &&
                  error == (rows[i].error != 0 ? rows[i].error : 12345) && took < 0.5 + rows[i].more &&
                  (outcome != ONSITE_TIMED_OUT || took > 0.26 + rows[i].more) && alone && strcmp(before, descriptors()) == 0,
              name, "outcome %d, answer %llx, errno %d, %.3f s, child left: %d, descriptors %s", (int)outcome,
              (unsigned long long)verdict.answer, error, took, !alone, descriptors());
    }

    /* A gate that does not read races with the client: believed or not, nothing else. */
    struct onsite_verdict verdict;
    use_gate("answers-unread");
    enum onsite_outcome outcome = onsite_ask(&alice, 300, &verdict);
    check(outcome == ONSITE_ANSWERED || outcome == ONSITE_NO_VERDICT, "a gate that does not read is no surprise",
          "outcome %d", (int)outcome);
}

static void test_flips(const char *gate)
{
    char name[128];
    int file = open(BUILD_DIR "/flip", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int skipped = 0, lost = 0;

    use_gate(gate);
    for (unsigned int bit = 0; bit < 8 * sizeof(struct onsite_verdict); bit++) {
        struct onsite_verdict verdict;
        if (pwrite(file, &bit, sizeof bit, 0) != sizeof bit)
            abort();
        enum onsite_outcome outcome = onsite_ask(&alice, 5000, &verdict);
        skipped += verdict.answer == ONSITE_NOT_REQUIRED;
        lost += outcome != ONSITE_ANSWERED && outcome != ONSITE_BAD_VERDICT;
    }
    close(file);
    snprintf(name, sizeof name, "%s: none of 4096 flipped bits skips the second factor", gate);
    check(skipped == 0 && lost == 0, name, "%d skipped it, %d got no record", skipped, lost);
}

/* Whether the request that the gate got is exactly this one. */
static bool request_is(const struct onsite_question *question)
{
    const char *strings[] = { question->user, question->service, question->rhost, question->tty };
    unsigned char expected[ONSITE_REQUEST_MAX], got[ONSITE_REQUEST_MAX + 1];
    struct onsite_request_header header = { .length = sizeof header, .process = (uint32_t)question->process };
    unsigned char *end = expected + sizeof header;

    memcpy(header.magic, "onsiteQ2", 8);
    for (int i = 0; i < 4; i++) {
        size_t length = strings[i] == NULL ? 0 : strlen(strings[i]);
        header.lengths[i] = (uint16_t)length;
        header.length += (uint32_t)length;
        if (length > 0)
            end = mempcpy(end, strings[i], length);
    }
    memcpy(expected, &header, sizeof header);

    int file = open(BUILD_DIR "/request", O_RDONLY | O_CLOEXEC);
    ssize_t size = read(file, got, sizeof got);
    close(file);
    return size == (ssize_t)header.length && memcmp(got, expected, (size_t)size) == 0;
}

static void test_requests(void)
{
    char long_host[301], longest[ONSITE_STRING_MAX + 1], too_long[ONSITE_STRING_MAX + 2];
    memset(long_host, 'h', 300);
    memset(longest, 'x', ONSITE_STRING_MAX);
    memset(too_long, 'x', ONSITE_STRING_MAX + 1);
    long_host[300] = longest[ONSITE_STRING_MAX] = too_long[ONSITE_STRING_MAX + 1] = '\0';

    const struct {
        const char *name;
        struct onsite_question question;
        enum onsite_outcome outcome;
    } rows[] = {
        { "P08: RHOST unset is sent as nothing", { "alice", "sshd", NULL, "ssh", 0 }, ONSITE_ANSWERED },
        { "P08: an empty RHOST is sent as nothing", { "alice", "sshd", "", "ssh", 0 }, ONSITE_ANSWERED },
        { "P08: localhost is sent as it is", { "alice", "sshd", "localhost", "ssh", 0 }, ONSITE_ANSWERED },
        { "P08: an address is sent as it is", { "alice", "sshd", "203.0.113.9", "ssh", 0 }, ONSITE_ANSWERED },
        { "P08: RHOST of 300 bytes is sent whole", { "alice", "sshd", long_host, "ssh", 0 }, ONSITE_ANSWERED },
        { "P08: escape codes are sent as they are", { "a", "b", "\x1b[2J\n\xff", "d", 0 }, ONSITE_ANSWERED },
        { "a question without anything is sent", { NULL, NULL, NULL, NULL, 0 }, ONSITE_ANSWERED },
        { "the process that the login is for is sent", { "alice", "polkit-1", NULL, NULL, 4711 }, ONSITE_ANSWERED },
        { "four strings of the greatest length are sent", { longest, longest, longest, longest, 0 }, ONSITE_ANSWERED },
        { "P08: RHOST that is too long is not sent", { "alice", "sshd", too_long, "ssh", 0 }, ONSITE_TOO_LONG },
        { "a user that is too long is not sent", { too_long, NULL, NULL, NULL, 0 }, ONSITE_TOO_LONG },
    };
    use_gate("request");
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct onsite_verdict verdict;
        unlink(BUILD_DIR "/request");
        enum onsite_outcome outcome = onsite_ask(&rows[i].question, 2000, &verdict);
        bool sent = access(BUILD_DIR "/request", F_OK) == 0;
        check(outcome == rows[i].outcome &&
                  (outcome == ONSITE_TOO_LONG ? !sent : sent && request_is(&rows[i].question)),
              rows[i].name, "outcome %d, sent %d", (int)outcome, sent);
    }
}

static void test_environment_of_the_helper(void)
{
    static const char expected[] = "arguments=1 name=onsite-gate variables=0 leader=1 descriptors=0,1,2, null=1"
                                   " SigBlk=0 SigIgn=0";
    struct onsite_verdict verdict;
    char got[512] = "";
    sigset_t all, before;

    /* The worst that a host can hand down. */
    use_gate("report");
    setenv("LD_PRELOAD_NOT", "x", 1);
    int inherited = open("/", O_RDONLY);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    onsite_ask(&alice, 2000, &verdict);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    close(inherited);

    int file = open(BUILD_DIR "/report", O_RDONLY | O_CLOEXEC);
    if (read(file, got, sizeof got - 1) < 0)
        abort();
    close(file);
    check(strcmp(got, expected) == 0,
          "the helper gets no variable, no signal setting, three descriptors and a session of its own", "%s", got);
}

int main(void)
{
    test_outcomes();
    test_requests();
    test_environment_of_the_helper();
    test_flips("flips-required");
    test_flips("flips-undecided");
    return 0;
}
