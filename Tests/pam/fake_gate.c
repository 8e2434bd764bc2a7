/* fake_gate.c - a gate that misbehaves in the way that its own file name says
 *
 * A real gate is told nothing but the request, so neither is this one: no argument and no variable selects the
 * behaviour. One executable is linked under many names. */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char request[ONSITE_REQUEST_MAX + 1];

static struct onsite_verdict verdict(uint64_t answer, const char *reason, const char *evidence)
{
    struct onsite_verdict verdict = { .answer = answer };

    memcpy(verdict.magic, ONSITE_VERDICT_MAGIC, sizeof verdict.magic);
    strcpy(verdict.reason, reason);
    strcpy(verdict.evidence, evidence);
    strcpy(verdict.detail, "local: a fact that decided");
    strcpy(verdict.message, "One line for people: caf\xc3\xa9");
    return verdict;
}

static struct onsite_verdict trusted(void)
{
    struct onsite_verdict answer = verdict(ONSITE_NOT_REQUIRED, "trusted-network", "protected");
    strcpy(answer.network, "hq-berlin");
    strcpy(answer.id, "0123456789abcdef");
    return answer;
}

static struct onsite_verdict required(void)
{
    return verdict(ONSITE_REQUIRED, "not-connected", "none");
}

static void answer(struct onsite_verdict verdict, size_t size)
{
    char record[2 * sizeof verdict] = { 0 };
    memcpy(record, &verdict, sizeof verdict);
    if (write(STDOUT_FILENO, record, size) != (ssize_t)size)
        _exit(1);
}

static _Noreturn void hang(void)
{
    alarm(10); /* a test that fails leaves nothing behind for ever */
    for (;;)
        pause();
}

/* Writes what this process was given, for the test to compare. */
static void report(int argc, char **argv, char **environment)
{
    struct stat null, standard_error;
    char line[256];
    FILE *status = fopen("/proc/self/status", "re");
    FILE *file = fopen(BUILD_DIR "/report", "we");
    int variables = 0;

    while (environment[variables] != NULL)
        variables++;
    fprintf(file, "arguments=%d name=%s variables=%d leader=%d descriptors=", argc, argv[0], variables,
            getsid(0) == getpid());
    for (int fd = 0; fd < 4096; fd++)
        if (fd != fileno(file) && fd != fileno(status) && fcntl(fd, F_GETFD) != -1)
            fprintf(file, "%d,", fd);
    stat("/dev/null", &null);
    fstat(STDERR_FILENO, &standard_error);
    fprintf(file, " null=%d", null.st_rdev == standard_error.st_rdev);
    while (fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "SigBlk:", 7) == 0 || strncmp(line, "SigIgn:", 7) == 0)
            /* Signals 32 and 33 belong to libc, whose posix_spawn ignores them in every child. */
            fprintf(file, " %.6s=%llx", line, strtoull(line + 7, NULL, 16) & ~0x180000000ULL);
    fclose(file);
    fclose(status);
}

/* Flips the bit of `verdict` whose number the test wrote into a file. */
static struct onsite_verdict flipped(struct onsite_verdict verdict)
{
    unsigned int bit = 0;
    int fd = open(BUILD_DIR "/flip", O_RDONLY);

    if (read(fd, &bit, sizeof bit) != sizeof bit || bit >= 8 * sizeof verdict)
        _exit(1);
    ((unsigned char *)&verdict)[bit / 8] ^= (unsigned char)(1 << bit % 8);
    return verdict;
}

static void announce(uint32_t wait_ms, char garbage)
{
    struct onsite_wait wait = { .wait_ms = wait_ms, .reserved = { 0, 0, garbage } };

    memcpy(wait.magic, ONSITE_WAIT_MAGIC, sizeof wait.magic);
    if (write(STDOUT_FILENO, &wait, sizeof wait) != sizeof wait)
        _exit(1);
}

int main(int argc, char **argv, char **environment)
{
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return 1;
    const char *mode = strrchr(path, '/') + 1;

#define IS(name) (strcmp(mode, name) == 0)
    if (IS("census")) { /* not a gate: counts the descriptors that a child of the host sees */
        int count = 0;
        for (int fd = 3; fd < 1024; fd++)
            count += fcntl(fd, F_GETFD) != -1;
        return count;
    }
    if (IS("hangs-before-reading"))
        hang();
    if (IS("answers-unread"))
        answer(trusted(), sizeof(struct onsite_verdict));
    if (IS("answers-unread") || IS("ends-unread"))
        return 0;

    ssize_t length = read(STDIN_FILENO, request, sizeof request);
    if (length < (ssize_t)sizeof(struct onsite_request_header))
        return 1;

    if (IS("trusted"))
        answer(trusted(), sizeof(struct onsite_verdict));
    else if (IS("required"))
        answer(required(), sizeof(struct onsite_verdict));
    else if (IS("slow")) {
        usleep(60000);
        answer(required(), sizeof(struct onsite_verdict));
    } else if (IS("undecided"))
        answer(verdict(ONSITE_UNDECIDED, "policy-missing", "none"), sizeof(struct onsite_verdict));
    else if (IS("evil-twin")) {
        struct onsite_verdict twin = verdict(ONSITE_REQUIRED, "bssid-not-listed", "claimed");
        twin.warning = 1;
        answer(twin, sizeof twin);
    } else if (IS("no-message")) {
        struct onsite_verdict silent = required();
        memset(silent.message, 0, sizeof silent.message);
        answer(silent, sizeof silent);
    } else if (IS("by-user")) { /* the first byte of the user decides */
        answer(request[sizeof(struct onsite_request_header)] == 't' ? trusted() : required(),
               sizeof(struct onsite_verdict));
    } else if (IS("short"))
        answer(trusted(), sizeof(struct onsite_verdict) - 1);
    else if (IS("long"))
        answer(trusted(), sizeof(struct onsite_verdict) + 1);
    else if (IS("in-pieces")) {
        struct onsite_verdict whole = trusted();
        write(STDOUT_FILENO, &whole, 256);
        write(STDOUT_FILENO, (char *)&whole + 256, 256);
    } else if (IS("empty-record"))
        write(STDOUT_FILENO, "", 0);
    else if (IS("garbage"))
        write(STDOUT_FILENO, request, (size_t)length);
    else if (IS("text"))
        puts("trusted-network");
    else if (IS("floods"))
        while (write(STDOUT_FILENO, request, sizeof(struct onsite_verdict)) > 0)
            ;
    else if (IS("writes-twice")) {
        answer(required(), sizeof(struct onsite_verdict));
        answer(trusted(), sizeof(struct onsite_verdict));
    } else if (IS("contradicts")) {
        answer(verdict(ONSITE_NOT_REQUIRED, "not-connected", "none"), sizeof(struct onsite_verdict));
    } else if (IS("waits")) { /* for longer than the host gave it, which the host allows */
        announce(400, 0);
        usleep(400000);
        answer(trusted(), sizeof(struct onsite_verdict));
    } else if (IS("waits-and-hangs")) {
        announce(200, 0);
        hang();
    } else if (IS("waits-twice")) {
        announce(100, 0);
        announce(100, 0);
        hang();
    } else if (IS("waits-for-ever") || IS("waits-for-nothing") || IS("waits-with-garbage")) {
        announce(IS("waits-for-ever") ? ONSITE_WAIT_MAX + 1 : !IS("waits-for-nothing"), IS("waits-with-garbage"));
        answer(trusted(), sizeof(struct onsite_verdict));
    } else if (IS("killed"))
        kill(getpid(), SIGKILL);
    else if (IS("faults")) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
        raise(SIGSEGV);
    } else if (IS("stops"))
        raise(SIGSTOP);
    else if (IS("hangs-after-reading"))
        hang();
    else if (IS("closes-early")) {
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        hang();
    } else if (IS("answers-and-hangs")) {
        answer(trusted(), sizeof(struct onsite_verdict));
        hang();
    } else if (IS("request")) {
        int fd = open(BUILD_DIR "/request", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (write(fd, request, (size_t)length) != length)
            return 1;
        answer(required(), sizeof(struct onsite_verdict));
    } else if (IS("report")) {
        report(argc, argv, environment);
        answer(required(), sizeof(struct onsite_verdict));
    } else if (IS("flips-required"))
        answer(flipped(required()), sizeof(struct onsite_verdict));
    else if (IS("flips-undecided"))
        answer(flipped(verdict(ONSITE_UNDECIDED, "policy-missing", "none")), sizeof(struct onsite_verdict));
    return 0; /* "nothing" ends here, with the status that a shell script would take for yes */
}
