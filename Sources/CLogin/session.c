#include "CLogin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libsystemd is loaded when a decision needs it, so that one without it costs nothing and a machine without it works.
 * These are the documented signatures of sd-login(3). */
static struct {
    int (*pid_get_session)(pid_t, char **);
    int (*pid_get_user_unit)(pid_t, char **);
    int (*session_is_remote)(const char *);
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

/* Whether systemd runs this machine, as sd_booted(3) has it. What cannot be looked at counts as a yes. */
static bool is_booted(void) { return access("/run/systemd/system", F_OK) == 0 || errno != ENOENT; }

/* Loads the library once. The callers of this process are one thread. */
static bool load(void) {
    static enum { NOT_TRIED, LOADED, FAILED } state = NOT_TRIED;
    if (state != NOT_TRIED) return state == LOADED;
    state = FAILED;
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    if (find(library, "sd_pid_get_session", &login.pid_get_session) &&
        find(library, "sd_pid_get_user_unit", &login.pid_get_user_unit) &&
        find(library, "sd_session_is_remote", &login.session_is_remote) &&
        find(library, "sd_session_get_state", &login.session_get_state) &&
        find(library, "sd_session_get_seat", &login.session_get_seat) &&
        find(library, "sd_session_get_display", &login.session_get_display) &&
        find(library, "sd_get_sessions", &login.get_sessions)) {
        state = LOADED;
    }
    return state == LOADED;
}

/* Whether a session has a seat and its user is still there: what a session leaves behind when it closes keeps its
 * seat, and may be reached from anywhere. */
static bool has_seat(const char *session) {
    char *seat = NULL, *state = NULL;
    const bool found = login.session_get_seat(session, &seat) >= 0 && seat != NULL && seat[0] != 0 &&
                       login.session_get_state(session, &state) >= 0 && state != NULL &&
                       strcmp(state, "closing") != 0;
    free(seat);
    free(state);
    return found;
}

clogin_result clogin_session_of(pid_t process, clogin_session *session) {
    if (!is_booted()) return CLOGIN_UNAVAILABLE;
    if (!load()) return CLOGIN_FAILED;
    char *name = NULL;
    const int found = login.pid_get_session(process, &name);
    if (found == -ENODATA || found == -ENXIO) return CLOGIN_NO_SESSION;
    if (found < 0 || name == NULL) return CLOGIN_FAILED;
    const int remote = login.session_is_remote(name);
    session->is_remote = remote > 0;
    session->has_seat = has_seat(name);
    free(name);
    return remote < 0 ? CLOGIN_FAILED : CLOGIN_IN_SESSION;
}

bool clogin_is_user_service(pid_t process) {
    if (!is_booted()) return false;
    if (!load()) return true;
    char *unit = NULL;
    const int found = login.pid_get_user_unit(process, &unit);
    free(unit);
    return found != -ENODATA && found != -ENXIO;
}

bool clogin_seat_shows(const char *display) {
    char **sessions = NULL;
    if (!is_booted() || !load() || login.get_sessions(&sessions) < 0 || sessions == NULL) return false;
    bool shown = false;
    for (char **session = sessions; *session != NULL; session++) {
        char *name = NULL;
        if (!shown && login.session_get_display(*session, &name) >= 0 && name != NULL &&
            strcmp(name, display) == 0 && login.session_is_remote(*session) == 0 && has_seat(*session)) {
            shown = true;
        }
        free(name);
        free(*session);
    }
    free(sessions);
    return shown;
}
