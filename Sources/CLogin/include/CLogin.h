/* The login session of a process (systemd-logind, if the machine runs it) and the groups of a user. */
#ifndef CLOGIN_H
#define CLOGIN_H

#include <stdbool.h>
#include <sys/types.h>

typedef enum {
    CLOGIN_UNAVAILABLE, /* systemd does not run this machine */
    CLOGIN_NO_SESSION,  /* the process belongs to no session */
    CLOGIN_IN_SESSION,
    CLOGIN_FAILED       /* it could not be found out: no library, no memory, no answer */
} clogin_result;

typedef struct {
    bool is_remote; /* the session was opened from another machine */
    bool has_seat;  /* the session has a keyboard and a screen of this machine */
} clogin_session;

/* The session of a process. `session` is filled in for CLOGIN_IN_SESSION only. The library is loaded by the first
 * call. */
clogin_result clogin_session_of(pid_t process, clogin_session *session);

typedef enum {
    CLOGIN_NO_USER_SERVICE, /* the process is none */
    CLOGIN_USER_IS_LOCAL,   /* its user has sessions, and every one is at a seat of this machine */
    CLOGIN_USER_UNKNOWN     /* its user has another session too, or none, or it could not be found out */
} clogin_user;

/* Where the user is whose own service manager started a process that has no session, as desktops start programs. */
clogin_user clogin_user_of_service(pid_t process);

/* Whether a local session with a seat shows the X display `display`, such as ":0". */
bool clogin_seat_shows(const char *display);

/* Whether a user is a member of a group: 1 yes, 0 no, -1 it could not be found out. A group that does not exist has
 * no members; a user who does not exist cannot be judged. */
int clogin_is_member(const char *user, const char *group);

/* Whether there is a group of this name: 1 yes, 0 no, -1 it could not be found out. */
int clogin_group_exists(const char *group);

/* Whether two names are of one account, as where a directory ignores case: 1 yes, 0 no or no such account, -1 it could
 * not be found out. */
int clogin_is_same_user(const char *user, const char *other);

#endif
