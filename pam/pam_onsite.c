/* pam_onsite.c - succeed where the Wi-Fi makes a second factor unnecessary
 *
 * auth  [success=1 default=ignore]  pam_onsite.so [debug] [notify] [timeout=MS]
 * auth  required                    the second factor
 *
 * Only pam_sm_authenticate and pam_sm_setcred exist. In another stack than auth libpam finds no function and counts
 * that as a failure.
 *
 * Copyright (C) 2026 the onsite authors
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "CRecord.h"
#include "onsite_client.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <security/pam_ext.h>
#include <security/pam_modules.h>

#define EXPORT __attribute__((visibility("default")))

/* Linux 6.5. Headers from before do not have it. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

enum { TIMEOUT_DEFAULT = 2000, TIMEOUT_MIN = 100, TIMEOUT_MAX = 30000 }; /* milliseconds */

struct options {
    bool debug;
    bool notify;
    unsigned int timeout_ms;
};

/* The longest value in a log line, in bytes before it is escaped. */
enum { VALUE_MAX = 64 };

/* A value as it stands in a log line. */
struct value {
    char text[4 * VALUE_MAX + sizeof "\\..."];
};

/* Writes `text` so that it is one word and cannot be taken for another field of the line.
 *
 * Whoever logs in chose it. A backslash begins an escape and nothing else: "\x20" is a byte, and a final "\..."
 * says that the rest was cut. "-" stands for a value that is not known. */
static struct value loggable(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    struct value value;
    char *end = value.text;

    if (text == NULL || *text == '\0')
        return (struct value){ "-" };
    if (strcmp(text, "-") == 0)
        return (struct value){ "\\x2d" };
    for (size_t i = 0; text[i] != '\0'; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (i == VALUE_MAX) {
            end = stpcpy(end, "\\...");
            break;
        }
        if (byte > 0x20 && byte < 0x7f && strchr("\\=\"'", byte) == NULL) {
            *end++ = (char)byte;
        } else {
            *end++ = '\\';
            *end++ = 'x';
            *end++ = digits[byte >> 4];
            *end++ = digits[byte & 0xf];
        }
    }
    *end = '\0';
    return value;
}

/* Reads a decimal number of milliseconds: digits only, since strtoul would take a sign, blanks and more. */
static bool parse_timeout(const char *text, unsigned int *timeout_ms)
{
    size_t length = strlen(text);
    unsigned int number = 0;

    if (length > 5 || text[0] == '0' || strspn(text, "0123456789") != length)
        return false;
    for (size_t i = 0; i < length; i++)
        number = number * 10 + (unsigned int)(text[i] - '0');
    *timeout_ms = number;
    return number >= TIMEOUT_MIN && number <= TIMEOUT_MAX;
}

/* Reads the options of the module. Returns the first that is not one, or a null pointer. */
static const char *parse_options(int argc, const char **argv, struct options *options)
{
    static const char timeout[] = "timeout=";

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "debug") == 0)
            options->debug = true;
        else if (strcmp(argv[i], "notify") == 0)
            options->notify = true;
        else if (strncmp(argv[i], timeout, strlen(timeout)) != 0 ||
                 !parse_timeout(argv[i] + strlen(timeout), &options->timeout_ms))
            return argv[i];
    }
    return NULL;
}

/* What PAM knows, or a null pointer. An item is the library's: it is neither changed nor freed. The user is not asked
 * for a name that is missing; that is the business of the first factor. */
static const char *item(const pam_handle_t *pamh, int type)
{
    const void *value = NULL;
    return pam_get_item(pamh, type, &value) == PAM_SUCCESS ? value : NULL;
}

/* An option of the socket that descriptor 0 is, or -1. */
static int socket_option(int name)
{
    int value;
    socklen_t size = sizeof value;

    return getsockopt(STDIN_FILENO, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

/* Whether the process that connected to descriptor 0 has ended. Where the kernel cannot say it, the gate still tells that
 * process from a later one of the same number. */
static bool has_left(void)
{
    int process = socket_option(SO_PEERPIDFD);
    struct pollfd ended = { .fd = process, .events = POLLIN };

    if (process < 0)
        return errno != ENOPROTOOPT;
    bool left = poll(&ended, 1, 0) != 0;
    close(process);
    return left;
}

/* The process that the login is for, where the one that asks is in no session; otherwise 0.
 *
 * From polkit 127 on, its helper is a service of the system, and its descriptor 0 the connection of the authentication
 * agent, which is in the user's session. Before that, and still where there is no such service, the agent starts the helper
 * as a set-uid program, in its own session. Then descriptor 0 is of the user's choice, and not looked at. */
static pid_t agent(const char *service)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    if (service == NULL || strcmp(service, "polkit-1") != 0 || getuid() != 0 || getauxval(AT_SECURE) != 0 ||
        socket_option(SO_DOMAIN) != AF_UNIX || socket_option(SO_TYPE) != SOCK_STREAM ||
        socket_option(SO_ACCEPTCONN) != 0 ||
        getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0 || has_left())
        return 0;
    return peer.pid;
}

/* Writes one line for every log, and one record with fields for a journal, if there is one. */
static void log_decision(const pam_handle_t *pamh, const struct onsite_question *question,
                         enum onsite_outcome outcome, const struct onsite_verdict *verdict)
{
    /* A gate that is missing is a matter for the administrator. Not strerror: it speaks the host's language. */
    const char *cause = outcome == ONSITE_NO_GATE ? strerrordesc_np(errno) : NULL;
    struct value user = loggable(question->user), service = loggable(question->service);
    bool has_verdict = outcome == ONSITE_ANSWERED;
    const char *need = has_verdict && verdict->answer == ONSITE_NOT_REQUIRED ? "not required" : "required";
    const char *reason = has_verdict ? verdict->reason : "no-verdict";
    struct value network = loggable(has_verdict ? verdict->network : NULL);
    const char *evidence = has_verdict ? verdict->evidence : "none";
    /* Made of letters, digits and ._:@- only, and the longest is meant to be read whole. */
    const char *id = has_verdict && verdict->id[0] != '\0' ? verdict->id : "-";
    int priority = !has_verdict ? LOG_ERR : verdict->warning ? LOG_WARNING : LOG_NOTICE;

    pam_syslog(pamh, priority, "second factor %s user=%s service=%s reason=%s network=%s evidence=%s id=%s%s%s%s%s%s",
               need, user.text, service.text, reason, network.text, evidence, id, has_verdict ? "" : " (",
               has_verdict ? "" : onsite_outcome_text(outcome), cause != NULL ? ": " : "", cause != NULL ? cause : "",
               has_verdict ? "" : ")");

    char message[sizeof user.text + sizeof service.text + 128];
    const char priority_digit[] = { (char)('0' + priority), '\0' };
    snprintf(message, sizeof message, "%s at %s: second factor %s (%s)", user.text, service.text, need, reason);
    const struct crecord_field fields[] = {
        { "MESSAGE", message },
        { "MESSAGE_ID", CRECORD_DECISION },
        { "PRIORITY", priority_digit },
        { "SYSLOG_FACILITY", "10" }, /* LOG_AUTHPRIV */
        { "SYSLOG_IDENTIFIER", "pam_onsite" },
        { "ONSITE_DECISION", strcmp(need, "required") == 0 ? need : "not-required" },
        { "ONSITE_REASON", reason },
        { "ONSITE_EVIDENCE", evidence },
        { "ONSITE_USER", user.text },
        { "ONSITE_SERVICE", service.text },
        { "ONSITE_NETWORK", strcmp(network.text, "-") == 0 ? NULL : network.text },
        { "ONSITE_ID", strcmp(id, "-") == 0 ? NULL : id },
    };
    crecord_send(fields, sizeof fields / sizeof fields[0]);
}

static void log_details(const pam_handle_t *pamh, const struct onsite_question *question,
                        const struct onsite_verdict *verdict, const struct timespec *before)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    pam_syslog(pamh, LOG_DEBUG, "asked with user=%s service=%s rhost=%s tty=%s process=%d",
               loggable(question->user).text, loggable(question->service).text, loggable(question->rhost).text,
               loggable(question->tty).text, (int)question->process);
    if (verdict->detail[0] != '\0')
        pam_syslog(pamh, LOG_DEBUG, "detail: %s", verdict->detail);
    pam_syslog(pamh, LOG_DEBUG, "took %lld microseconds",
               (now.tv_sec - before->tv_sec) * 1000000LL + (now.tv_nsec - before->tv_nsec) / 1000);
}

/* The only place that turns a verdict into a result. Everything but "not required" asks for the second factor. */
static int result(enum onsite_outcome outcome, const struct onsite_verdict *verdict)
{
    if (outcome == ONSITE_ANSWERED && verdict->answer == ONSITE_NOT_REQUIRED)
        return PAM_SUCCESS;
    if (outcome == ONSITE_ANSWERED && verdict->answer == ONSITE_REQUIRED)
        return PAM_AUTH_ERR;
    return PAM_AUTHINFO_UNAVAIL;
}

EXPORT int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
    struct options options = { .timeout_ms = TIMEOUT_DEFAULT };
    const char *unknown = parse_options(argc, argv, &options);
    if (unknown != NULL) {
        pam_syslog(pamh, LOG_ERR, "unknown or malformed option %s", loggable(unknown).text);
        return PAM_SERVICE_ERR;
    }

    const char *service = item(pamh, PAM_SERVICE);
    const struct onsite_question question = {
        .user = item(pamh, PAM_USER),
        .service = service,
        .rhost = item(pamh, PAM_RHOST),
        .tty = item(pamh, PAM_TTY),
        .process = agent(service),
    };
    struct onsite_verdict verdict;
    struct timespec before;

    clock_gettime(CLOCK_MONOTONIC, &before);
    enum onsite_outcome outcome = onsite_ask(&question, options.timeout_ms, &verdict);
    int answer = result(outcome, &verdict);

    log_decision(pamh, &question, outcome, &verdict);
    if (options.debug)
        log_details(pamh, &question, &verdict, &before);
    if (options.notify && answer != PAM_SUCCESS && (flags & (int)PAM_SILENT) == 0)
        /* A host that cannot show it gets the same result. */
        pam_info(pamh, "%s", verdict.message[0] != '\0' ? verdict.message
                             : "A second factor is needed: the network could not be checked.");
    return answer;
}

/* Credentials are the business of other modules. sshd calls this in another process than the one that
 * authenticated, so there is nothing to look at, and an answer other than success could fail its login. */
EXPORT int pam_sm_setcred(pam_handle_t *pamh __attribute__((unused)), int flags __attribute__((unused)),
                          int argc __attribute__((unused)), const char **argv __attribute__((unused)))
{
    return PAM_SUCCESS;
}
