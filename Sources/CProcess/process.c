#define _GNU_SOURCE
#include "CProcess.h"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

bool cprocess_become(unsigned int user, unsigned int group) {
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) {
        return false;
    }
    /* The way back must be closed. */
    return setuid(0) != 0 && geteuid() == user && getuid() == user && getegid() == group;
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
