/* callers COUNT PARALLEL
 *
 * Asks COUNT questions, so many at once, as the PAM module asks: the gate that listens, or else one that is started.
 *
 * Prints the median and the 99th percentile in microseconds, how many questions were answered in a second, and how often
 * each reason came, as REASON:COUNT; what came without an answer goes by the name of its outcome. The last word is
 * "started:COUNT": for how many a gate was started.
 */
#define _GNU_SOURCE
#include "../../../pam/onsite_client.h"

#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const outcomes[] = {
    [ONSITE_ANSWERED] = "ONSITE_ANSWERED", [ONSITE_TOO_LONG] = "ONSITE_TOO_LONG",
    [ONSITE_NO_GATE] = "ONSITE_NO_GATE",   [ONSITE_TIMED_OUT] = "ONSITE_TIMED_OUT",
    [ONSITE_NO_VERDICT] = "ONSITE_NO_VERDICT", [ONSITE_BAD_VERDICT] = "ONSITE_BAD_VERDICT",
};

struct answer {
    double took; /* microseconds */
    char reason[32];
};

static int count;
static atomic_int next_question, started;
static struct answer *answers;

/* The linker has the client call these in the place of its own. */
int __real_posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
                       char *const[]);
int __wrap_posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
                       char *const[]);
int __wrap_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    atomic_fetch_add(&started, 1);
    return __real_posix_spawn(pid, path, actions, attributes, arguments, environment);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void *call(void *unused)
{
    static const struct onsite_question question = { .user = "alice", .service = "sudo", .tty = "tty1" };

    for (;;) {
        int number = atomic_fetch_add(&next_question, 1);
        struct onsite_verdict verdict;
        if (number >= count) return unused;
        double start = now();
        enum onsite_outcome outcome = onsite_ask(&question, 2000, &verdict);
        answers[number].took = now() - start;
        strcpy(answers[number].reason, outcome == ONSITE_ANSWERED ? verdict.reason : outcomes[outcome]);
    }
}

static int by_time(const void *left, const void *right)
{
    double a = ((const struct answer *)left)->took, b = ((const struct answer *)right)->took;
    return (a > b) - (a < b);
}

static int by_reason(const void *left, const void *right)
{
    return strcmp(((const struct answer *)left)->reason, ((const struct answer *)right)->reason);
}

int main(int argc, char **argv)
{
    pthread_t threads[256];
    int parallel = argc == 3 ? atoi(argv[2]) : 0;

    count = argc == 3 ? atoi(argv[1]) : 0;
    if (count < 1 || parallel < 1 || parallel > 256) {
        fprintf(stderr, "usage: callers COUNT PARALLEL\n");
        return 2;
    }
    answers = calloc((size_t)count, sizeof *answers);
    if (answers == NULL) return 1;

    double start = now();
    for (int i = 0; i < parallel; i++)
        if (pthread_create(&threads[i], NULL, call, NULL) != 0) return 1;
    for (int i = 0; i < parallel; i++)
        pthread_join(threads[i], NULL);
    double took = now() - start;

    qsort(answers, (size_t)count, sizeof *answers, by_time);
    printf("%.0f %.0f %.0f", answers[count / 2].took, answers[(size_t)count * 99 / 100].took, count / took * 1e6);
    qsort(answers, (size_t)count, sizeof *answers, by_reason);
    for (int i = 0, first = 0; i < count; i++)
        if (i + 1 == count || strcmp(answers[i].reason, answers[i + 1].reason) != 0) {
            printf(" %s:%d", answers[i].reason, i + 1 - first);
            first = i + 1;
        }
    printf(" started:%d\n", atomic_load(&started));
    return 0;
}
