/* test_resident.c - what becomes of a question when a gate listens already, or something that says so */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOCKET_PATH ONSITE_SOCKET_DIR "/gate.sock"

static const struct onsite_question alice = { .user = "alice", .service = "sudo", .tty = "tty1" };
static pid_t server;

static struct onsite_verdict trusted(void)
{
    struct onsite_verdict verdict = { .answer = ONSITE_NOT_REQUIRED };

    memcpy(verdict.magic, ONSITE_VERDICT_MAGIC, sizeof verdict.magic);
    strcpy(verdict.reason, "trusted-network");
    strcpy(verdict.network, "hq");
    strcpy(verdict.evidence, "protected");
    return verdict;
}

static void serve_one(int caller, const char *mode)
{
    static char request[ONSITE_REQUEST_MAX];
    struct onsite_verdict verdict = trusted();
    struct onsite_wait wait = { .wait_ms = strcmp(mode, "waits and hangs up") == 0 ? 2000 : 300 };
    size_t size = sizeof verdict;

    memcpy(wait.magic, ONSITE_WAIT_MAGIC, sizeof wait.magic);
    if (strcmp(mode, "hangs") == 0)
        pause();
    if (recv(caller, request, sizeof request, 0) <= 0 || strcmp(mode, "hangs up") == 0)
        return;
    if (strcmp(mode, "dies") == 0)
        raise(SIGKILL);
    if (strcmp(mode, "is slow") == 0)
        usleep(500000);
    if (strcmp(mode, "waits") == 0 && send(caller, &wait, sizeof wait, 0) > 0)
        usleep(250000);
    if (strcmp(mode, "waits and hangs up") == 0 && send(caller, &wait, sizeof wait, 0) > 0) {
        usleep(700000);
        return;
    }
    if (strcmp(mode, "lies") == 0)
        strcpy(verdict.reason, "not-connected");
    if (strcmp(mode, "answers in part") == 0)
        size--;
    if (strcmp(mode, "talks nonsense") == 0)
        memset(&verdict, 'x', sizeof verdict);
    send(caller, &verdict, size, MSG_NOSIGNAL);
}

/* Listens as a user: that one is whom the kernel names. */
static int listen_as(uid_t user, int backlog)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    strcpy(address.sun_path, SOCKET_PATH);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        (user != 0 && setresuid(user, user, user) != 0) || listen(listener, backlog) != 0)
        abort();
    return listener;
}

/* Starts a gate that behaves so, as a user. Its socket is there when this returns. */
static void start_server(const char *mode, uid_t user)
{
    int ready[2];
    char byte;

    if (pipe(ready) != 0)
        abort();
    server = fork();
    if (server == 0) {
        int listener = listen_as(user, 5);
        if (write(ready[1], "", 1) != 1)
            abort();
        for (;;) {
            int caller = accept(listener, NULL, NULL);
            serve_one(caller, mode);
            close(caller);
        }
    }
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1)
        abort();
    close(ready[0]);
}

static void stop_server(void)
{
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    server = 0;
}

static void clear(void)
{
    if (system("rm -rf " ONSITE_SOCKET_DIR " " ONSITE_SOCKET_DIR ".*") != 0)
        abort();
}

/* Asks once, and checks that the answer is that of the gate which listens, or of one that was started. */
static void ask(const char *name, bool by_resident, double least, double most)
{
    struct onsite_verdict verdict;
    char before[4096];

    strcpy(before, descriptors());
    errno = 12345;
    double started = seconds();
    enum onsite_outcome outcome = onsite_ask(&alice, 600, &verdict);
    int error = errno;
    double took = seconds() - started;
    check(outcome == ONSITE_ANSWERED && verdict.answer == (by_resident ? ONSITE_NOT_REQUIRED : ONSITE_REQUIRED) &&
              error == 12345 && took >= least && took < most && strcmp(before, descriptors()) == 0,
          name, "outcome %d, answer %llx, errno %d, %.3f s, descriptors %s", (int)outcome,
          (unsigned long long)verdict.answer, error, took, descriptors());
}

static void test_behaviour(void)
{
    static const struct {
        const char *mode;
        bool believed;
        double least, most;
    } rows[] = {
        { "answers", true, 0, 0.1 },
        { "waits", true, 0.24, 0.5 },
        { "hangs", false, 0.19, 0.5 },
        { "is slow", false, 0.19, 0.5 },
        { "hangs up", false, 0, 0.2 },
        /* It was allowed to, so the gate that is started has no less time. */
        { "waits and hangs up", false, 0.69, 0.9 },
        { "dies", false, 0, 0.2 },
        { "lies", false, 0, 0.2 },
        { "answers in part", false, 0, 0.2 },
        { "talks nonsense", false, 0, 0.2 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char name[128];
        snprintf(name, sizeof name, "a gate that listens and %s is %s", rows[i].mode,
                 rows[i].believed ? "believed" : "done without");
        clear();
        mkdir(ONSITE_SOCKET_DIR, 0755);
        start_server(rows[i].mode, 0);
        ask(name, rows[i].believed, rows[i].least, rows[i].most);
        stop_server();
    }
}

static void test_places(void)
{
    clear();
    ask("without the folder a gate is started", false, 0, 0.2);

    mkdir(ONSITE_SOCKET_DIR, 0755);
    ask("without the socket a gate is started", false, 0, 0.2);

    start_server("answers", 0);
    stop_server();
    ask("a socket on which nobody listens is done without", false, 0, 0.2);

    clear();
    mkdir(ONSITE_SOCKET_DIR, 0755);
    start_server("answers", 0);
    chmod(ONSITE_SOCKET_DIR, 0777);
    ask("a folder that others may write is done without", false, 0, 0.2);
    chmod(ONSITE_SOCKET_DIR, 0755);
    ask("the same folder is good when they may not", true, 0, 0.1);
    if (chown(ONSITE_SOCKET_DIR, 1000, 1000) != 0)
        abort();
    ask("a folder of somebody else is done without", false, 0, 0.2);
    if (chown(ONSITE_SOCKET_DIR, 0, 0) != 0 || chown(SOCKET_PATH, 1000, 1000) != 0)
        abort();
    ask("a socket of somebody else is done without", false, 0, 0.2);
    if (chown(SOCKET_PATH, 0, 0) != 0 || rename(ONSITE_SOCKET_DIR, ONSITE_SOCKET_DIR ".true") != 0 ||
        symlink(ONSITE_SOCKET_DIR ".true", ONSITE_SOCKET_DIR) != 0)
        abort();
    ask("a link to the folder is done without", false, 0, 0.2);
    if (unlink(ONSITE_SOCKET_DIR) != 0 || mkdir(ONSITE_SOCKET_DIR, 0755) != 0 ||
        symlink(ONSITE_SOCKET_DIR ".true/gate.sock", SOCKET_PATH) != 0)
        abort();
    ask("a link to the socket is done without", false, 0, 0.2);
    stop_server();

    clear();
    mkdir(ONSITE_SOCKET_DIR, 0755);
    close(open(SOCKET_PATH, O_WRONLY | O_CREAT, 0666));
    ask("a file in the place of the socket is done without", false, 0, 0.2);

    clear();
    mkdir(ONSITE_SOCKET_DIR, 0755);
    start_server("answers", 1000);
    ask("a listener that is not root's is done without, whoever owns the socket", false, 0, 0.2);
    stop_server();

    clear();
    mkdir(ONSITE_SOCKET_DIR, 0755);
    int listener = listen_as(0, 0), callers[4];
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = SOCKET_PATH };
    for (size_t i = 0; i < ARRAY_SIZE(callers); i++) {
        callers[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (connect(callers[i], (struct sockaddr *)&address, sizeof address) != 0 && i == 0)
            abort();
    }
    ask("a queue that is full is done without", false, 0, 0.2);
    for (size_t i = 0; i < ARRAY_SIZE(callers); i++)
        close(callers[i]);
    close(listener);
    clear();
}

int main(void)
{
    use_gate("required");
    test_behaviour();
    test_places();
    return 0;
}
