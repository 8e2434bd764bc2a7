#define _GNU_SOURCE
#include "CProcess.h"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
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

void cprocess_limit_life(unsigned int seconds) {
    signal(SIGALRM, SIG_DFL);
    alarm(seconds);
}
