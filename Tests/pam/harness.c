/* harness.c - what the tests of the module share */
#define _GNU_SOURCE
#include "harness.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

void check(bool passed, const char *name, const char *why, ...)
{
    va_list arguments;

    printf("%s - %s", passed ? "ok" : "not ok", name);
    if (!passed) {
        va_start(arguments, why);
        printf(": ");
        vprintf(why, arguments);
        va_end(arguments);
    }
    putchar('\n');
    fflush(stdout);
}

int in_child(int (*body)(const void *), const void *argument)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(body(argument));
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void use_gate(const char *name)
{
    char target[4096];

    snprintf(target, sizeof target, BUILD_DIR "/gates/%s", name);
    unlink(BUILD_DIR "/onsite-gate");
    if (symlink(target, BUILD_DIR "/onsite-gate") != 0)
        abort();
}

const char *descriptors(void)
{
    static char text[4096];
    char name[4096], target[2048];
    size_t length = 0;

    for (int fd = 0; fd < 1024; fd++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        ssize_t size = readlink(name, target, sizeof target - 1);
        if (size < 0)
            continue;
        target[size] = '\0';
        length += (size_t)snprintf(text + length, sizeof text - length, "%d=%s ", fd, target);
        if (length >= sizeof text)
            abort();
    }
    return text;
}

double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void write_stack(const char *service, const char *rules)
{
    char path[4096];

    snprintf(path, sizeof path, BUILD_DIR "/stacks/%s", service);
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(rules, file) < 0 || fclose(file) != 0)
        abort();
}

_Atomic int prompts, messages;
char last_message[512];

static int listen(int count, const struct pam_message **shown, struct pam_response **responses, void *data)
{
    (void)data;
    for (int i = 0; i < count; i++) {
        if (shown[i]->msg_style != PAM_TEXT_INFO && shown[i]->msg_style != PAM_ERROR_MSG) {
            prompts++;
            return PAM_CONV_ERR;
        }
        messages++;
        snprintf(last_message, sizeof last_message, "%s", shown[i]->msg);
    }
    *responses = calloc((size_t)count, sizeof **responses);
    return *responses == NULL ? PAM_BUF_ERR : PAM_SUCCESS;
}

static int fail(int count, const struct pam_message **shown, struct pam_response **responses, void *data)
{
    (void)count, (void)shown, (void)responses, (void)data;
    return PAM_CONV_ERR;
}

const struct pam_conv listening = { .conv = listen }, failing = { .conv = fail };

int login(const char *service, const struct items *items, const struct pam_conv *conversation, int flags)
{
    pam_handle_t *pamh;
    int result = pam_start_confdir(service, items->user, conversation, BUILD_DIR "/stacks", &pamh);

    if (result != PAM_SUCCESS)
        return result;
    pam_set_item(pamh, PAM_RHOST, items->rhost);
    pam_set_item(pamh, PAM_TTY, items->tty);
    pam_set_item(pamh, PAM_RUSER, items->ruser);
    result = pam_authenticate(pamh, flags);
    if (result == PAM_SUCCESS)
        result = pam_setcred(pamh, (int)PAM_ESTABLISH_CRED | flags);
    pam_end(pamh, result);
    return result;
}

int login_with(const char *rules, int flags)
{
    write_stack("login", rules);
    return login("login", &(struct items){ .user = "alice" }, &listening, flags);
}

module_function *module_symbol(const char *name)
{
    void *module = dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    return (module_function *)dlsym(module, name);
}

pam_handle_t *start(const struct items *items)
{
    pam_handle_t *pamh;

    if (pam_start("login", items->user, &listening, &pamh) != PAM_SUCCESS)
        abort();
    pam_set_item(pamh, PAM_RHOST, items->rhost);
    pam_set_item(pamh, PAM_TTY, items->tty);
    return pamh;
}

/* libpam reaches the system log through one of these two symbols. Defined here, they stand before those of libc, so
 * the lines of the module can be read without a log daemon. */
char log_text[65536];
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(int priority, const char *format, va_list arguments)
{
    pthread_mutex_lock(&log_lock);
    size_t length = strlen(log_text);
    if (length + 4096 < sizeof log_text) {
        length += (size_t)sprintf(log_text + length, "%d ", priority);
        length += (size_t)vsnprintf(log_text + length, 2048, format, arguments);
        strcpy(log_text + length, "\n");
    }
    pthread_mutex_unlock(&log_lock);
}

void __syslog_chk(int priority, int flag, const char *format, ...);
void __syslog_chk(int priority, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    keep(priority, format, arguments);
    va_end(arguments);
}

void syslog(int priority, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(priority, format, arguments);
    va_end(arguments);
}

void forget_log(void)
{
    log_text[0] = '\0';
}
