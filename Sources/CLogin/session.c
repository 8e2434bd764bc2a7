#include "CLogin.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libsystemd is loaded when a decision needs it, so that one without it costs nothing and a machine without it works.
 * These are the documented signatures of sd-login(3). */
static struct {
    int (*pid_get_cgroup)(pid_t, char **);
    int (*pid_get_session)(pid_t, char **);
    int (*pid_get_user_unit)(pid_t, char **);
    int (*pid_get_owner_uid)(pid_t, uid_t *);
    int (*session_is_remote)(const char *);
    int (*session_get_uid)(const char *, uid_t *);
    int (*session_get_class)(const char *, char **);
    int (*session_get_state)(const char *, char **);
    int (*session_get_seat)(const char *, char **);
    int (*session_get_display)(const char *, char **);
    int (*get_sessions)(char ***);
} login;

static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Whether systemd runs this machine, as sd_booted(3) has it. What cannot be looked at counts as a yes, and once a yes it
 * stays one. */
static bool is_booted(void) {
    static bool booted = false;
    booted = booted || access("/run/systemd/system", F_OK) == 0 || errno != ENOENT;
    return booted;
}

/* Loads the library once. The callers of this process are one thread. */
static bool load(void) {
    static enum { NOT_TRIED, LOADED, FAILED } state = NOT_TRIED;
    if (state != NOT_TRIED) return state == LOADED;
    state = FAILED;
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    if (find(library, "sd_pid_get_cgroup", &login.pid_get_cgroup) &&
        find(library, "sd_pid_get_session", &login.pid_get_session) &&
        find(library, "sd_pid_get_user_unit", &login.pid_get_user_unit) &&
        find(library, "sd_pid_get_owner_uid", &login.pid_get_owner_uid) &&
        find(library, "sd_session_get_class", &login.session_get_class) &&
        find(library, "sd_session_get_uid", &login.session_get_uid) &&
        find(library, "sd_session_is_remote", &login.session_is_remote) &&
        find(library, "sd_session_get_state", &login.session_get_state) &&
        find(library, "sd_session_get_seat", &login.session_get_seat) &&
        find(library, "sd_session_get_display", &login.session_get_display) &&
        find(library, "sd_get_sessions", &login.get_sessions)) {
        state = LOADED;
    }
    return state == LOADED;
}

static bool has_seat(const char *session) {
    char *seat = NULL;
    const bool found = login.session_get_seat(session, &seat) >= 0 && seat != NULL && seat[0] != 0;
    free(seat);
    return found;
}

/* Whether the user of a session has left: what the session leaves behind keeps its seat, and may be reached from
 * anywhere. */
static bool is_closing(const char *session) {
    char *state = NULL;
    const bool found = login.session_get_state(session, &state) >= 0 && state != NULL && strcmp(state, "closing") != 0;
    free(state);
    return !found;
}

/* Whether a session has a seat of this machine, and its user is still there. */
static bool is_seated(const char *session) { return has_seat(session) && !is_closing(session); }

/* Whether the number that was asked about stood for one process all the while, so that no answer is about another. */
static bool is_same_process(int process) {
    struct pollfd ended = {.fd = process, .events = POLLIN};
    return poll(&ended, 1, 0) == 0;
}

/* Whether a process is in no session and was started by nobody's service manager, because the path of its control group
 * has neither name in it. To ask for both costs the library four times as much. */
static bool is_of_system(pid_t process) {
    char *group = NULL;
    const bool is_plain = login.pid_get_cgroup(process, &group) >= 0 && group != NULL &&
                          strstr(group, "session-") == NULL && strstr(group, "user@") == NULL;
    free(group);
    return is_plain;
}

static clogin_result read_session(pid_t process, clogin_session *session) {
    if (is_of_system(process)) return CLOGIN_NONE;
    char *name = NULL;
    const int found = login.pid_get_session(process, &name);
    if (found == -ENODATA || found == -ENXIO) return CLOGIN_NONE;
    if (found < 0 || name == NULL) return CLOGIN_FAILED;
    const int remote = login.session_is_remote(name);
    session->is_remote = remote > 0;
    session->has_seat = is_seated(name);
    free(name);
    return remote < 0 ? CLOGIN_FAILED : CLOGIN_FOUND;
}

clogin_result clogin_session_of(pid_t process, clogin_session *session) {
    if (!is_booted()) return CLOGIN_UNAVAILABLE;
    if (!load()) return CLOGIN_FAILED;
    const int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) return CLOGIN_FAILED;
    const clogin_result result = read_session(process, session);
    const bool is_same = is_same_process(handle);
    close(handle);
    return is_same ? result : CLOGIN_FAILED;
}

clogin_result clogin_session_name(pid_t process, char *name, size_t size) {
    if (!is_booted()) return CLOGIN_UNAVAILABLE;
    if (!load()) return CLOGIN_FAILED;
    char *found = NULL;
    const int error = login.pid_get_session(process, &found);
    const bool fits = error >= 0 && found != NULL && strlen(found) < size;
    if (fits) strcpy(name, found);
    free(found);
    if (error == -ENODATA || error == -ENXIO) return CLOGIN_NONE;
    return fits ? CLOGIN_FOUND : CLOGIN_FAILED;
}

clogin_result clogin_user_of_service(pid_t process, uid_t *user) {
    if (!is_booted()) return CLOGIN_NONE;
    if (!load()) return CLOGIN_FAILED;
    if (is_of_system(process)) return CLOGIN_NONE;
    char *unit = NULL;
    const int found = login.pid_get_user_unit(process, &unit);
    free(unit);
    if (found == -ENODATA || found == -ENXIO) return CLOGIN_NONE;
    return found < 0 || login.pid_get_owner_uid(process, user) < 0 ? CLOGIN_FAILED : CLOGIN_FOUND;
}

/* Whether nobody can sit at the far end of a session: it is the user's service manager, which systemd lists from
 * version 256 on, or a job of the machine's own clock. */
static bool is_unattended(const char *session) {
    char *class = NULL;
    const bool found = login.session_get_class(session, &class) >= 0 && class != NULL &&
                       (strncmp(class, "manager", strlen("manager")) == 0 ||
                        (strncmp(class, "background", strlen("background")) == 0 &&
                         login.session_is_remote(session) == 0));
    free(class);
    return found;
}

clogin_presence clogin_presence_of(uid_t user) {
    char **sessions = NULL;
    if (!is_booted() || !load() || login.get_sessions(&sessions) < 0) return CLOGIN_ELSEWHERE;
    clogin_presence presence = CLOGIN_ABSENT;
    for (char **session = sessions; sessions != NULL && *session != NULL; session++) {
        uid_t owner;
        if (login.session_get_uid(*session, &owner) < 0) {
            presence = CLOGIN_ELSEWHERE;
        } else if (login.session_is_remote(*session) != 0 || !has_seat(*session)) {
            /* Root can do everything, whatever we say. */
            if (owner != 0 && !is_unattended(*session)) presence = CLOGIN_ELSEWHERE;
        } else if (owner == user && presence == CLOGIN_ABSENT && !is_closing(*session)) {
            presence = CLOGIN_AT_SEAT;
        }
        free(*session);
    }
    free(sessions);
    return presence;
}

bool clogin_seat_shows(const char *display) {
    char **sessions = NULL;
    if (!is_booted() || !load() || login.get_sessions(&sessions) < 0 || sessions == NULL) return false;
    bool shown = false;
    for (char **session = sessions; *session != NULL; session++) {
        char *name = NULL;
        if (!shown && login.session_get_display(*session, &name) >= 0 && name != NULL &&
            strcmp(name, display) == 0 && login.session_is_remote(*session) == 0 && is_seated(*session)) {
            shown = true;
        }
        free(name);
        free(*session);
    }
    free(sessions);
    return shown;
}
