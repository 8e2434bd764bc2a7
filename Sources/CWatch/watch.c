#define _GNU_SOURCE
#include "CWatch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

int cwatch_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    /* Whoever started this program may have had its children forgotten. */
    signal(SIGCHLD, SIG_DFL);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int cwatch_next_signal(int descriptor) {
    struct signalfd_siginfo signal;
    return read(descriptor, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
}

int cwatch_clock(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

bool cwatch_wake(int descriptor, long long seconds) {
    const struct itimerspec when = {.it_value = {.tv_sec = (time_t)seconds}};
    uint64_t count;
    while (read(descriptor, &count, sizeof count) > 0) {}
    /* ECANCELED: the clock was set once more in between. The descriptor can then be read at once. */
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL) == 0 ||
           errno == ECANCELED;
}

int cwatch_start(const char *command) {
    char *const arguments[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t none, usual;
    pid_t child = -1;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    if ((errno = posix_spawnattr_init(&attributes)) != 0) return -1;
    if ((errno = posix_spawn_file_actions_init(&actions)) == 0) {
        int error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
        if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &usual);
        if (error == 0) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (error == 0) error = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
        if (error != 0) child = -1;
        posix_spawn_file_actions_destroy(&actions);
        errno = error;
    }
    const int error = errno;
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return child;
}

int cwatch_ended(int *status) {
    const pid_t child = waitpid(-1, status, WNOHANG);
    return child > 0 ? child : 0;
}
