/* nss-far.c - a directory of groups that behaves as the file /run/far says (see nss(5)). It knows one group, "far". */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <nss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER = 4711, CROWD = 150000 };

/* Does what the file says before an answer. Answers whether the directory has one. */
static int is_there(char *word, size_t size) {
    FILE *file = fopen("/run/far", "re");
    if (file == NULL || fgets(word, (int)size, file) == NULL) return 0;
    fclose(file);
    word[strcspn(word, "\n")] = 0;
    if (strcmp(word, "hangs") == 0) pause();
    if (strcmp(word, "is-slow") == 0) sleep(2);
    if (strcmp(word, "crashes") == 0) abort();
    if (strcmp(word, "exits") == 0) exit(0);
    if (strcmp(word, "prints") == 0) {
        /* Where the verdict goes, for those who know no better. */
        static const char text[512] = "onsiteV1";
        for (int descriptor = 0; descriptor < 3; descriptor++) {
            if (write(descriptor, text, sizeof text) < 0) continue;
        }
    }
    return strcmp(word, "is-away") != 0;
}

enum nss_status _nss_far_getgrnam_r(const char *name, struct group *group, char *buffer, size_t size, int *error) {
    static char nobody[] = "somebody", alice[] = "alice", password[] = "x";
    char word[32];
    if (strcmp(name, "far") != 0) return NSS_STATUS_NOTFOUND;
    if (!is_there(word, sizeof word)) {
        *error = EAGAIN;
        return NSS_STATUS_UNAVAIL;
    }
    if (strcmp(word, "is-empty") == 0) return NSS_STATUS_NOTFOUND;
    const size_t crowd = strcmp(word, "is-large") == 0 ? CROWD : 1;
    if (size < (crowd + 2) * sizeof(char *)) {
        *error = ERANGE;
        return NSS_STATUS_TRYAGAIN;
    }
    char **members = (char **)(void *)buffer;
    for (size_t i = 0; i < crowd; i++) members[i] = nobody;
    members[crowd] = alice;
    members[crowd + 1] = NULL;
    if (crowd == 1) members[0] = alice, members[1] = NULL;
    *group = (struct group){.gr_name = (char *)(size_t)name, .gr_passwd = password, .gr_gid = NUMBER, .gr_mem = members};
    return NSS_STATUS_SUCCESS;
}

enum nss_status _nss_far_initgroups_dyn(const char *user, gid_t skip, long *count, long *room, gid_t **groups,
                                        long limit, int *error) {
    char word[32];
    (void)skip, (void)limit;
    if (!is_there(word, sizeof word)) {
        *error = EAGAIN;
        return NSS_STATUS_UNAVAIL;
    }
    if (strcmp(user, "alice") != 0 || strcmp(word, "is-empty") == 0) return NSS_STATUS_NOTFOUND;
    if (*count == *room) {
        *room *= 2;
        *groups = realloc(*groups, (size_t)*room * sizeof **groups);
    }
    (*groups)[(*count)++] = NUMBER;
    return NSS_STATUS_SUCCESS;
}
