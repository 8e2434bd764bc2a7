/* callers SOCKET COUNT PARALLEL [GATE]
 *
 * Asks COUNT questions, so many at once, each on a connection of its own: of the gate that listens on SOCKET, or of one
 * that is started for each, as the PAM module does. Prints the median and the 99th percentile in microseconds, how many
 * were answered in a second, and how many got no verdict.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *path, *gate;
static int count;
static atomic_int next_question, unanswered;
static double *times;
static char request[64];
static size_t request_length;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int ask(void)
{
    char verdict[1024];
    int ends[2] = { -1, -1 };
    pid_t child = 0;
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    if (gate != NULL) {
        char *arguments[] = { (char *)(uintptr_t)gate, NULL }, *environment[] = { NULL };
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return 0;
        posix_spawn_file_actions_adddup2(&files, ends[1], 0);
        posix_spawn_file_actions_adddup2(&files, ends[1], 1);
        if (posix_spawn(&child, gate, &files, NULL, arguments, environment) != 0) child = 0;
        posix_spawn_file_actions_destroy(&files);
        close(ends[1]);
    } else {
        snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
        ends[0] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (connect(ends[0], (struct sockaddr *)&address, sizeof address) != 0) {
            close(ends[0]);
            return 0;
        }
    }
    int answered = send(ends[0], request, request_length, MSG_NOSIGNAL) == (ssize_t)request_length &&
                   recv(ends[0], verdict, sizeof verdict, 0) == 512;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return answered;
}

static void *call(void *unused)
{
    for (;;) {
        int question = atomic_fetch_add(&next_question, 1);
        if (question >= count) return unused;
        double start = now();
        if (!ask()) atomic_fetch_add(&unanswered, 1);
        times[question] = now() - start;
    }
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    static const char *const strings[4] = { "alice", "sudo", "", "tty1" };
    pthread_t threads[256];
    int parallel = argc > 3 ? atoi(argv[3]) : 0;

    count = argc > 3 ? atoi(argv[2]) : 0;
    if (count < 1 || parallel < 1 || parallel > 256) {
        fprintf(stderr, "usage: callers SOCKET COUNT PARALLEL [GATE]\n");
        return 2;
    }
    path = argv[1];
    gate = argv[4];
    times = calloc((size_t)count, sizeof *times);
    request_length = 20;
    memcpy(request, "onsiteQ1", 8);
    for (int i = 0; i < 4; i++) {
        uint16_t length = (uint16_t)strlen(strings[i]);
        memcpy(request + 12 + 2 * i, &length, 2);
        memcpy(request + request_length, strings[i], length);
        request_length += length;
    }
    uint32_t whole = (uint32_t)request_length;
    memcpy(request + 8, &whole, 4);

    double start = now();
    for (int i = 0; i < parallel; i++)
        if (pthread_create(&threads[i], NULL, call, NULL) != 0) return 1;
    for (int i = 0; i < parallel; i++)
        pthread_join(threads[i], NULL);
    double took = now() - start;
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("%.0f %.0f %.0f %d\n", times[count / 2], times[(size_t)count * 99 / 100], count / took * 1e6, unanswered);
    return 0;
}
