/* The login sessions of this machine (systemd-logind, if the machine runs it) and the groups of a user. */
#ifndef CLOGIN_H
#define CLOGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef enum {
    CLOGIN_UNAVAILABLE, /* systemd does not run this machine */
    CLOGIN_NONE,        /* the process belongs to none */
    CLOGIN_FOUND,
    CLOGIN_FAILED       /* it could not be found out: no library, no memory, no answer, or the process has ended */
} clogin_result;

typedef struct {
    bool is_remote; /* it was opened from another machine */
    bool has_seat;  /* it has a keyboard and a screen of this machine, and its user has not left */
} clogin_session;

/* The session of a process. `session` is filled in for CLOGIN_FOUND only. The library is loaded by the first
 * call. */
clogin_result clogin_session_of(pid_t process, clogin_session *session);

/* The name of the session of a process, with its NUL in `size` bytes, for CLOGIN_FOUND only. */
clogin_result clogin_session_name(pid_t process, char *name, size_t size);

/* The user whose own service manager started a process that has no session, as desktops start programs. `user` is
 * filled in for CLOGIN_FOUND only. */
clogin_result clogin_user_of_service(pid_t process, uid_t *user);

typedef enum {
    CLOGIN_ABSENT,   /* nobody, but for root, is elsewhere, and the user has no session */
    CLOGIN_AT_SEAT,  /* nobody, but for root, is elsewhere, and the user has a session at a seat of this machine */
    CLOGIN_ELSEWHERE /* somebody has a session from another machine, or without a seat; or it could not be found out */
} clogin_presence;

/* Whether all who are logged in are at a seat of this machine, and whether this user is. */
clogin_presence clogin_presence_of(uid_t user);

/* Whether a local session with a seat shows the X display `display`, such as ":0". */
bool clogin_seat_shows(const char *display);

/* What can be asked of the machine's directory (NSS) about a user. */
typedef enum {
    CLOGIN_IS_MEMBER,   /* is the user a member of the group? One that does not exist has no members */
    CLOGIN_IS_SAME,     /* is the name another one of the same account, as where a directory ignores case? */
    CLOGIN_HAS_NUMBER,  /* is this, in decimal, the number of the user's account? */
    CLOGIN_GROUP_EXISTS /* is there a group of this name, whoever the user? */
} clogin_question;

typedef struct {
    clogin_question question;
    const char *const *texts; /* the user, then the names */
    size_t count;             /* of the names */
} clogin_inquiry;

/* Asks the same of each name, and writes one byte for each to `descriptor`: 1 yes, 0 no, 2 it could not be found out.
 * A directory may hang, and it brings libraries that may crash: this is for a process of its own. */
void clogin_ask_directory(int descriptor, void *inquiry);

#endif
