/* test_descriptors.c - the module leaves no descriptor behind, lends none, and lives without any */
#define _GNU_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static module_function *authenticate;

/* Asks without a stack, so that nothing but the module runs. */
static int ask(pam_handle_t *pamh)
{
    return authenticate(pamh, 0, 1, (const char *[]){ "timeout=1000" });
}

static void test_leaks(void)
{
    static const struct { const char *gate; int rounds; } paths[] = {
        { "trusted", 100 }, { "required", 100 }, { "undecided", 100 }, { "garbage", 100 }, { "short", 50 },
        { "long", 50 }, { "nothing", 100 }, { "killed", 100 }, { "missing", 100 }, { "not-executable", 100 },
        { "closes-early", 40 }, { "floods", 40 }, { "answers-and-hangs", 40 }, { "hangs-after-reading", 10 },
        { "hangs-before-reading", 10 },
    };
    char before[4096], after[4096];
    int count = 0;

    write_stack("login", "auth required " MODULE " timeout=100\n");
    login("login", &(struct items){ .user = "alice" }, &listening, 0);
    strcpy(before, descriptors());
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        use_gate(paths[i].gate);
        for (int round = 0; round < paths[i].rounds; round++, count++)
            login("login", &(struct items){ .user = "alice" }, &listening, 0);
    }
    strcpy(after, descriptors());
    check(count >= 1000 && strcmp(before, after) == 0, "H03: 1000 logins over all error paths leave no descriptor",
          "%d logins, before: %s, after: %s", count, before, after);
}

static _Atomic bool stop;

/* The number of descriptors above 2 that a child sees. */
static int census(void)
{
    char *arguments[] = { "census", NULL }, *environment[] = { NULL };
    pid_t pid;
    int status;

    if (posix_spawn(&pid, BUILD_DIR "/gates/census", NULL, NULL, arguments, environment) != 0 ||
        waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        abort();
    return WEXITSTATUS(status);
}

struct censuses {
    int expected, count, wrong;
};

static void *keep_counting(void *argument)
{
    struct censuses *censuses = argument;
    while (!stop) {
        censuses->count++;
        censuses->wrong += census() != censuses->expected;
    }
    return NULL;
}

static void test_inheritance(void)
{
    pthread_t thread;
    struct censuses censuses = { .expected = census() };
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });

    use_gate("trusted");
    pthread_create(&thread, NULL, keep_counting, &censuses);
    for (int round = 0; round < 500; round++)
        ask(pamh);
    stop = true;
    pthread_join(thread, NULL);
    pam_end(pamh, PAM_SUCCESS);
    check(censuses.wrong == 0 && censuses.count > 100, "H03: a child that another thread starts sees no descriptor of the module",
          "%d of %d children did", censuses.wrong, censuses.count);
}

/* In the middle of a question, sees which of descriptors 0 to 2 are open. */
static void *look(void *argument)
{
    int *open = argument;
    usleep(20000);
    for (int fd = 0; fd <= 2; fd++)
        *open |= (fcntl(fd, F_GETFD) != -1) << fd;
    return NULL;
}

static int run_closed(const void *argument)
{
    int mask = *(const int *)argument, open = 0;
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });
    pthread_t thread;
    char before[4096];

    for (int fd = 0; fd <= 2; fd++)
        if ((mask & 1 << fd) != 0)
            close(fd);
    strcpy(before, descriptors());
    use_gate("trusted");
    int trusted = ask(pamh);
    use_gate("slow");
    pthread_create(&thread, NULL, look, &open);
    int required = ask(pamh);
    pthread_join(thread, NULL);
    if (trusted != PAM_SUCCESS || required != PAM_AUTH_ERR)
        return 1;
    return strcmp(before, descriptors()) != 0 ? 2 : open == (7 & ~mask) ? 0 : 3;
}

/* Allows `limit` descriptors of which all but `free` are used. */
static int run_exhausted(const void *argument)
{
    const struct { int limit, free; } *row = argument;
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });
    char before[4096];

    use_gate("trusted");
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)row->limit, (rlim_t)row->limit });
    int last = dup(0), next;
    while ((next = dup(0)) >= 0)
        last = next;
    for (int fd = last; fd > last - row->free && fd > 2; fd--)
        close(fd);
    strcpy(before, descriptors());
    int result = ask(pamh);
    if (strcmp(before, descriptors()) != 0)
        return 1;
    if (row->free < 2)
        return result == PAM_AUTHINFO_UNAVAIL ? 0 : 2;
    return result == PAM_SUCCESS || (row->limit < 8 && result == PAM_AUTHINFO_UNAVAIL) ? 0 : 3;
}

static int run_no_memory(const void *argument)
{
    (void)argument;
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });
    use_gate("trusted");
    ask(pamh);
    setrlimit(RLIMIT_AS, &(struct rlimit){ 1, 1 });
    return ask(pamh) == PAM_AUTHINFO_UNAVAIL ? 0 : 1;
}

static void test_descriptors(void)
{
    int wrong = 0;
    for (int mask = 1; mask < 8; mask++)
        wrong += in_child(run_closed, &mask) != 0;
    check(wrong == 0, "descriptors 0, 1 and 2 may be closed in any combination, and stay so", "%d combinations fail",
          wrong);

    wrong = 0;
    for (int limit = 0; limit <= 32; limit += limit < 8 ? 1 : 8)
        for (int spare = 0; spare <= 4; spare++) {
            const int row[] = { limit, spare };
            int result = in_child(run_exhausted, row);
            if (result != 0)
                printf("# limit %d, free %d: %d\n", limit, spare, result);
            wrong += result != 0;
        }
    check(wrong == 0, "without descriptors the second factor is asked for", "%d limits fail", wrong);
    check(in_child(run_no_memory, NULL) == 0, "without memory the second factor is asked for", "it was not");
}

int main(void)
{
    authenticate = module_symbol("pam_sm_authenticate");
    test_leaks();
    test_inheritance();
    test_descriptors();
    return 0;
}
