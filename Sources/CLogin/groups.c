#define _GNU_SOURCE
#include "CLogin.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest answer that is read from a directory, in bytes: a group may list many thousand members. */
#define ANSWER_MAX ((size_t)4 << 20)

/* The number of a group, or (gid_t)-1 when there is none, and whether it lists a user. Sets errno to 0 or to what
 * failed. */
static gid_t group_number(const char *name, const char *user, bool *lists_user) {
    gid_t number = (gid_t)-1;
    int failure = ERANGE;
    for (size_t size = 4096; failure == ERANGE && size <= ANSWER_MAX; size *= 4) {
        char *buffer = malloc(size);
        if (buffer == NULL) break;
        struct group entry, *found = NULL;
        failure = getgrnam_r(name, &entry, buffer, size, &found);
        if (failure == 0 && found != NULL) {
            number = found->gr_gid;
            for (char **member = found->gr_mem; *member != NULL; member++) {
                *lists_user = *lists_user || strcmp(*member, user) == 0;
            }
        }
        free(buffer);
    }
    /* Not even ENOENT is a no: it is what a directory says whose server is away. */
    errno = failure;
    return number;
}

/* The numbers of a user and of the user's first group, or -1 for both when there is none. Sets errno as above. */
static gid_t first_group(const char *user, uid_t *account) {
    gid_t number = (gid_t)-1;
    *account = (uid_t)-1;
    int failure = ERANGE;
    for (size_t size = 4096; failure == ERANGE && size <= ANSWER_MAX; size *= 4) {
        char *buffer = malloc(size);
        if (buffer == NULL) break;
        struct passwd entry, *found = NULL;
        failure = getpwnam_r(user, &entry, buffer, size, &found);
        if (failure == 0 && found != NULL) {
            number = found->pw_gid;
            *account = found->pw_uid;
        }
        free(buffer);
    }
    errno = failure;
    return number;
}

static int group_exists(const char *group) {
    bool lists_user = false;
    if (group_number(group, "", &lists_user) != (gid_t)-1) return 1;
    return errno == 0 ? 0 : -1;
}

static int is_same_user(const char *user, const char *other) {
    uid_t first, second;
    if (first_group(user, &first) == (gid_t)-1) return errno == 0 ? 0 : -1;
    if (first_group(other, &second) == (gid_t)-1) return errno == 0 ? 0 : -1;
    return first == second;
}

static int has_number(const char *user, const char *number) {
    uid_t account;
    char text[16];
    if (first_group(user, &account) == (gid_t)-1) return errno == 0 ? 0 : -1;
    snprintf(text, sizeof text, "%u", account);
    return strcmp(text, number) == 0;
}

static int is_member(const char *user, const char *group) {
    bool lists_user = false;
    const gid_t wanted = group_number(group, user, &lists_user);
    if (wanted == (gid_t)-1) return errno == 0 ? 0 : -1;
    /* Asked for the groups of a user, the library keeps silent about a directory that does not answer. */
    if (lists_user) return 1;
    uid_t account;
    const gid_t first = first_group(user, &account);
    if (first == (gid_t)-1) return -1;

    int count = 64;
    for (int attempt = 0; attempt < 4; attempt++) {
        const int capacity = count;
        gid_t *groups = malloc((size_t)capacity * sizeof *groups);
        if (groups == NULL) return -1;
        const bool complete = getgrouplist(user, first, groups, &count) >= 0;
        bool found = false;
        for (int i = 0; complete && i < count && i < capacity; i++) found = found || groups[i] == wanted;
        free(groups);
        if (complete) return found;
        /* `count` is now what is needed; a library that does not say gets more room all the same. */
        if (count <= capacity) count = capacity * 8;
        if (count > 1 << 20) return -1;
    }
    return -1;
}

void clogin_ask_directory(int descriptor, void *inquiry) {
    const clogin_inquiry *asked = inquiry;
    const char *user = asked->texts[0];
    for (size_t i = 1; i <= asked->count; i++) {
        const char *name = asked->texts[i];
        int answer = -1;
        switch (asked->question) {
        case CLOGIN_IS_MEMBER: answer = is_member(user, name); break;
        case CLOGIN_IS_SAME: answer = is_same_user(user, name); break;
        case CLOGIN_HAS_NUMBER: answer = has_number(user, name); break;
        case CLOGIN_GROUP_EXISTS: answer = group_exists(name); break;
        }
        const unsigned char byte = answer < 0 ? 2 : (unsigned char)answer;
        if (write(descriptor, &byte, 1) != 1) return;
    }
}
