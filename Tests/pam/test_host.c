/* test_host.c - the module leaves its host as it was, whatever host that is */
#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK "auth required " MODULE " debug timeout=1000\n"

static module_function *authenticate;

/* Asks without a stack, so that nothing but the module runs. */
static int ask(pam_handle_t *pamh)
{
    return authenticate(pamh, 0, 1, (const char *[]){ "timeout=1000" });
}

struct process {
    struct {
        void (*handler)(int);
        int flags;
        uint64_t mask;
    } actions[NSIG];
    uint64_t mask;
    int threads;
};

static uint64_t bits(const sigset_t *set)
{
    uint64_t result = 0;
    for (int number = 1; number < NSIG; number++)
        result |= (uint64_t)(sigismember(set, number) == 1) << (number - 1);
    return result;
}

static void observe(struct process *process)
{
    char line[256];

    memset(process, 0, sizeof *process);
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0)
            continue;
        process->actions[number].handler = action.sa_handler;
        process->actions[number].flags = action.sa_flags;
        process->actions[number].mask = bits(&action.sa_mask);
    }
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    process->mask = bits(&mask);
    FILE *status = fopen("/proc/self/status", "re");
    while (fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "Threads:", 8) == 0)
            process->threads = atoi(line + 8);
    fclose(status);
}

static void reap(int number)
{
    int saved = errno;
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    errno = saved;
}

static void ignore_children(void) { signal(SIGCHLD, SIG_IGN); }
static void reap_children(void) { signal(SIGCHLD, reap); }
static void keep_no_children(void)
{
    sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT }, NULL);
}
static void block_everything(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}
static void change_nothing(void) { }

static const struct host {
    const char *name;
    void (*prepare)(void);
} hosts[] = {
    { "an ordinary host", change_nothing },
    { "a host that ignores SIGCHLD", ignore_children },
    { "a host that reaps every child", reap_children },
    { "a host with SA_NOCLDWAIT", keep_no_children },
    { "a host that blocks every signal", block_everything },
};

static int run_host(const void *argument)
{
    static const struct { const char *gate; int result; } gates[] = {
        { "trusted", PAM_SUCCESS },
        { "required", PAM_AUTH_ERR },
        { "killed", PAM_AUTHINFO_UNAVAIL },
        { "answers-and-hangs", PAM_SUCCESS },
        { "hangs-before-reading", PAM_AUTHINFO_UNAVAIL },
    };
    const struct host *host = argument;
    struct process before, after;

    host->prepare();
    observe(&before);
    for (size_t i = 0; i < ARRAY_SIZE(gates); i++)
        for (int round = 0; round < 3 - (int)i / 2; round++) {
            use_gate(gates[i].gate);
            if (login_with("auth required " MODULE " timeout=200\n", 0) != gates[i].result)
                return 10 + (int)i;
            if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
                return 20 + (int)i;
        }
    observe(&after);
    return memcmp(&before, &after, sizeof before) == 0 ? 0 : 30;
}

static void test_signals(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
        char name[128];
        snprintf(name, sizeof name, "H01: %s gets the answer, keeps its signals and threads, and has no child left",
                 hosts[i].name);
        int result = in_child(run_host, &hosts[i]);
        check(result == 0, name, "step %d", result);
    }
}

/* Makes one system call unknown, as a sandbox or an old kernel does. */
static int forbid(unsigned int call)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = { ARRAY_SIZE(program), program };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0;
}

static int run_sandboxed(const void *argument)
{
    (void)argument;
    if (forbid(SYS_pidfd_open) != 0)
        return 1;
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });
    use_gate("trusted");
    if (ask(pamh) != PAM_SUCCESS || waitpid(-1, NULL, WNOHANG) != -1)
        return 2;
    use_gate("hangs-after-reading");
    double started = seconds();
    int result = ask(pamh);
    return result == PAM_AUTHINFO_UNAVAIL && seconds() - started < 1.5 ? 0 : 3;
}

static void tick(int number) { (void)number; }

static int run_alarms(const void *argument)
{
    (void)argument;
    const struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { 0 };
    sigaction(SIGALRM, &(struct sigaction){ .sa_handler = tick }, NULL);
    setitimer(ITIMER_REAL, &often, NULL);

    int wrong = 0;
    pam_handle_t *pamh = start(&(struct items){ .user = "alice" });
    use_gate("trusted");
    for (int round = 0; round < 200; round++)
        wrong += ask(pamh) != PAM_SUCCESS;
    use_gate("hangs-after-reading");
    double started = seconds();
    wrong += ask(pamh) != PAM_AUTHINFO_UNAVAIL;
    double took = seconds() - started;
    setitimer(ITIMER_REAL, &never, NULL);
    return wrong != 0 ? 1 : took < 0.85 ? 2 : took > 1.5 ? 3 : 0;
}

static int run_silent(const void *argument)
{
    const char *gate = argument;
    int pipes[2];
    char byte;

    signal(SIGPIPE, SIG_DFL);
    if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0)
        return 9;
    for (int fd = 0; fd <= 2; fd++)
        dup2(pipes[1], fd);
    use_gate(gate);
    int result = login_with("auth required " MODULE " debug\n", (int)PAM_SILENT);
    int other = login_with("auth required " MODULE " debug nonsense\n", 0);
    if (read(pipes[0], &byte, 1) != -1)
        return 1; /* something was written */
    close(pipes[0]);
    /* Now a write would kill. */
    return login_with("auth required " MODULE " debug\n", (int)PAM_SILENT) == result && other == PAM_SERVICE_ERR ? 0 : 2;
}

static void *log_in_often(void *argument)
{
    long wrong = 0, odd = (long)argument % 2;
    for (int round = 0; round < 100; round++)
        wrong += login("login", &(struct items){ .user = odd ? "trusty" : "alice" }, &listening, 0) !=
                 (odd ? PAM_SUCCESS : PAM_AUTH_ERR);
    return (void *)wrong;
}

static void test_threads(void)
{
    pthread_t threads[50];
    pthread_attr_t small;
    long wrong = 0;

    use_gate("by-user");
    write_stack("login", "auth required " MODULE " timeout=30000\n");
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 * 1024);
    for (long i = 0; i < 50; i++)
        if (pthread_create(&threads[i], &small, log_in_often, (void *)i) != 0)
            abort();
    for (int i = 0; i < 50; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    check(wrong == 0, "H05: 50 threads with stacks of 128 KiB log in 100 times each and get their own answers",
          "%ld wrong answers", wrong);
}

static void test_locales(void)
{
    static const char *const names[] = { "C", "C.utf8", "tr_TR.UTF-8", "de_DE.ISO-8859-1", "" };

    use_gate("required");
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        char name[128], expected[4096];
        snprintf(name, sizeof name, "H07: the locale \"%s\" changes neither the log nor the message, nor is it changed",
                 names[i]);
        const char *set = setlocale(LC_ALL, names[i]);
        if (set == NULL) {
            check(false, name, "the locale is missing");
            continue;
        }
        strcpy(expected, set);
        forget_log();
        int result = login_with("auth required " MODULE " notify\n", 0);
        use_gate("missing");
        login_with("auth required " MODULE "\n", 0);
        use_gate("required");
        check(result == PAM_AUTH_ERR && strcmp(expected, setlocale(LC_ALL, NULL)) == 0 &&
                  strcmp(last_message, "One line for people: caf\xc3\xa9") == 0 &&
                  strstr(log_text, "user=alice service=login reason=not-connected") != NULL &&
                  strstr(log_text, "started: No such file or directory)") != NULL,
              name, "%d, %s, %s", result, last_message, log_text);
    }
    setlocale(LC_ALL, "C");
}

static int mappings(void)
{
    int count = 0, byte;
    FILE *maps = fopen("/proc/self/maps", "re");
    while ((byte = fgetc(maps)) != EOF)
        count += byte == '\n';
    fclose(maps);
    return count;
}

static int run_reloading(const void *argument)
{
    (void)argument;
    char before[4096];
    size_t used = 0;
    int maps = 0;

    use_gate("trusted");
    write_stack("login", STACK);
    for (int round = 0; round < 260; round++) {
        if (round == 60) {
            maps = mappings();
            used = mallinfo2().uordblks;
            strcpy(before, descriptors());
        }
        if (login("login", &(struct items){ .user = "alice" }, &listening, 0) != PAM_SUCCESS)
            return 1;
    }
    if (mallinfo2().uordblks > used + 1024)
        return 2;
    return mappings() > maps + 1 ? 3 : strcmp(before, descriptors()) != 0 ? 4 : 0;
}

int main(void)
{
    int result = in_child(run_reloading, NULL); /* before anything holds the module in memory */
    check(result == 0, "200 times loaded, asked and unloaded, memory and descriptors do not grow", "step %d", result);
    authenticate = module_symbol("pam_sm_authenticate");
    test_signals();
    result = in_child(run_alarms, NULL);
    check(result == 0, "a storm of SIGALRM neither breaks the answer nor moves the deadline", "step %d", result);
    result = in_child(run_sandboxed, NULL);
    check(result == 0, "without pidfds the answer still comes, in time, and its helper is reaped", "step %d", result);
    static const char *const gates[] = { "trusted", "required", "missing", "floods", "text" };
    for (size_t i = 0; i < ARRAY_SIZE(gates); i++) {
        char name[128];
        snprintf(name, sizeof name, "P07: with PAM_SILENT and the gate \"%s\" nothing reaches descriptors 0 to 2", gates[i]);
        result = in_child(run_silent, gates[i]);
        check(result == 0, name, "step %d", result);
    }
    test_threads();
    test_locales();
    return 0;
}
