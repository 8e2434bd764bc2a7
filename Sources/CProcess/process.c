#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool cprocess_become(unsigned int user, unsigned int group, const unsigned int *groups, size_t count) {
    if (setgroups(count, groups) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) {
        return false;
    }
    /* The way back must be closed. */
    return setuid(0) != 0 && geteuid() == user && getuid() == user && getegid() == group;
}

unsigned int cprocess_local_group(const char *name) {
    unsigned int number = 0;
    char *line = NULL;
    size_t room = 0;
    /* Not fgetgrent: it seeks at every line. */
    FILE *file = fopen("/etc/group", "re");
    while (file != NULL && number == 0 && getline(&line, &room, file) > 0) {
        char password[2];
        const size_t length = strlen(name);
        if (strncmp(line, name, length) == 0 && line[length] == ':' &&
            sscanf(line + length, ":%1[^:]:%u:", password, &number) != 2) {
            break;
        }
    }
    free(line);
    if (file != NULL) fclose(file);
    return number;
}

bool cprocess_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

bool cprocess_lift_limits(void) {
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY}, files = {1024, 1024};
    const __rlimit_resource_t resources[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CPU, RLIMIT_FSIZE};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) setrlimit(resources[i], &none);
    setrlimit(RLIMIT_NOFILE, &files);
    struct rlimit now;
    return getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur >= 32;
}

void cprocess_limit_life(unsigned int seconds) {
    signal(SIGALRM, SIG_DFL);
    alarm(seconds);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* What the new process does first: it dies with its parent, and what it prints goes nowhere. */
static bool settle(pid_t parent) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) close(descriptor);
    /* Takes the three that are free. Where there is no such file, they stay so. */
    for (int descriptor = 0; descriptor <= 2; descriptor++) (void)!open("/dev/null", O_RDWR);
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/* Reads until there are `size` bytes, the other end is closed, or the time has come. */
static size_t collect(int descriptor, long long deadline, unsigned char *answer, size_t size) {
    struct pollfd readable = {.fd = descriptor, .events = POLLIN};
    size_t length = 0;
    while (length < size) {
        const long long left = deadline - now();
        const int ready = poll(&readable, 1, left < 0 ? 0 : (int)left);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) break;
        const ssize_t count = read(descriptor, answer + length, size - length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        length += (size_t)count;
    }
    return length;
}

size_t cprocess_answer(unsigned int limit, void (*work)(int descriptor, void *context), void *context,
                       unsigned char *answer, size_t size) {
    const long long deadline = now() + limit;
    int ends[2];
    /* Whoever started this process may have had its children forgotten, and their numbers given to others. */
    signal(SIGCHLD, SIG_DFL);
    if (limit == 0 || pipe2(ends, O_CLOEXEC) != 0) return 0;
    /* With the standard descriptors closed, the pipe could be taken for one of them. */
    const pid_t parent = getpid(), child = ends[1] > 2 ? fork() : -1;
    if (child == 0) {
        if (settle(parent)) work(ends[1], context);
        _exit(0);
    }
    close(ends[1]);
    const size_t length = child < 0 ? 0 : collect(ends[0], deadline, answer, size);
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        /* A process that the kernel holds in a call of its own may not end so soon. It is not waited for. */
        const struct timespec moment = {.tv_nsec = 200000};
        for (int i = 0; waitpid(child, NULL, WNOHANG) == 0 && i < 100; i++) nanosleep(&moment, NULL);
    }
    return length;
}

int cprocess_fork(unsigned int seconds, int *ended) {
    const pid_t parent = getpid();
    int ends[2];
    signal(SIGCHLD, SIG_IGN);
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t child = fork();
    if (child != 0) close(ends[1]);
    if (child <= 0) close(ends[0]);
    *ended = ends[0];
    if (child != 0) return child;
    cprocess_limit_life(seconds);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
    return 0;
}

bool cprocess_listen(int descriptor) {
    int type = 0, listening = 0, domain = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET &&
           getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
           getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening != 0 &&
           fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

bool cprocess_peer(int descriptor, unsigned int *user, int *process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    *user = peer.uid;
    *process = peer.pid;
    return true;
}

int cprocess_accept(int listener, unsigned int *user, int *process) {
    const int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return -1;
    if (!cprocess_peer(descriptor, user, process)) {
        close(descriptor);
        errno = ECONNABORTED;
        return -1;
    }
    return descriptor;
}
