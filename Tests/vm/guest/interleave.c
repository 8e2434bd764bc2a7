/* interleave ROUNDS INPUT -- COMMAND... [-- COMMAND...]...
 *
 * Runs the commands in turn, A B C A B C, so that whatever else the machine does meets all of them alike. Each reads
 * INPUT and writes nowhere. Prints one line a command: median and fastest in microseconds, and how many runs failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

enum { most_commands = 16 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Runs one command and returns its exit status, or -1 if it could not be run. */
static int run(char **command, const char *input)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child;
    int failure = posix_spawnp(&child, command[0], &files, NULL, command, environ), status = 0;
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0) {
        fprintf(stderr, "interleave: %s: %s\n", command[0], strerror(failure));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int count, char **words)
{
    char **commands[most_commands];
    double *times[most_commands];
    int failed[most_commands] = {0};
    int found = 0, rounds = count > 2 ? atoi(words[1]) : 0;

    for (int word = 3; word < count; word++) {
        if (strcmp(words[word], "--") == 0) {
            words[word] = NULL;
        } else if (words[word - 1] == NULL) {
            if (found == most_commands) return 2;
            commands[found] = &words[word];
            times[found++] = calloc(rounds > 0 ? (size_t)rounds : 1, sizeof(double));
        }
    }
    if (rounds < 1 || found == 0) {
        fprintf(stderr, "usage: interleave ROUNDS INPUT -- COMMAND... [-- COMMAND...]...\n");
        return 2;
    }
    /* The first round only warms the caches. */
    for (int round = -1; round < rounds; round++) {
        for (int turn = 0; turn < found; turn++) {
            /* Another one goes first each time: what ran before it, and where, would favour the same one always. */
            int which = (turn + round + 1) % found;
            double start = now();
            int status = run(commands[which], words[2]);
            double took = now() - start;
            if (round < 0) continue;
            times[which][round] = took;
            failed[which] += status != 0;
        }
    }
    for (int which = 0; which < found; which++) {
        qsort(times[which], (size_t)rounds, sizeof(double), compare);
        printf("%.0f %.0f %d\n", times[which][rounds / 2], times[which][0], failed[which]);
    }
    return 0;
}
