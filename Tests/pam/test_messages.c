/* test_messages.c - what the module tells the log and the user */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#define ALONE(options) "auth required " MODULE " " options "\n"
#define PREFIX "pam_onsite(login:auth): "

static void test_log(void)
{
    static const struct {
        const char *name, *gate, *options, *user;
        int priority;
        const char *line;
    } rows[] = {
        { "a skipped second factor is logged", "trusted", "", "alice", LOG_NOTICE,
          "second factor not required user=alice service=login reason=trusted-network network=hq-berlin"
          " evidence=protected id=0123456789abcdef" },
        { "a required second factor is logged", "required", "", "alice", LOG_NOTICE,
          "second factor required user=alice service=login reason=not-connected network=- evidence=none id=-" },
        { "a possible evil twin is logged as a warning", "evil-twin", "", "alice", LOG_WARNING,
          "second factor required user=alice service=login reason=bssid-not-listed network=- evidence=claimed id=-" },
        { "a missing gate is logged with its cause", "missing", "", "alice", LOG_ERR,
          "second factor required user=alice service=login reason=no-verdict network=- evidence=none id=-"
          " (the gate could not be started: No such file or directory)" },
        { "a late gate is logged", "hangs-after-reading", "timeout=100", "alice", LOG_ERR,
          "second factor required user=alice service=login reason=no-verdict network=- evidence=none id=-"
          " (the gate did not answer in time)" },
        { "a bad verdict is logged", "contradicts", "", "alice", LOG_ERR,
          "second factor required user=alice service=login reason=no-verdict network=- evidence=none id=-"
          " (the answer of the gate is not a verdict)" },
        { "a wrong option is named", "trusted", "debug [time out=5]", "alice", LOG_ERR,
          "unknown or malformed option time\\x20out\\x3d5" },
        { "a user cannot forge a field", "required", "", "a reason=x", LOG_NOTICE,
          "second factor required user=a\\x20reason\\x3dx service=login reason=not-connected network=- evidence=none"
          " id=-" },
        { "a user cannot forge a line", "required", "", "a\nb\x1b[2J\xff\\\"'", LOG_NOTICE,
          "second factor required user=a\\x0ab\\x1b[2J\\xff\\x5c\\x22\\x27 service=login reason=not-connected network=-"
          " evidence=none id=-" },
        { "no user is a dash", "required", "", NULL, LOG_NOTICE,
          "second factor required user=- service=login reason=not-connected network=- evidence=none id=-" },
        { "a user called dash is not", "required", "", "-", LOG_NOTICE,
          "second factor required user=\\x2d service=login reason=not-connected network=- evidence=none id=-" },
        { "a user of 64 bytes is logged whole", "required", "",
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", LOG_NOTICE,
          "second factor required user=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef service=login"
          " reason=not-connected network=- evidence=none id=-" },
        { "a longer user is cut with a mark", "required", "",
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefX", LOG_NOTICE,
          "second factor required user=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\\... service=login"
          " reason=not-connected network=- evidence=none id=-" },
        { "a request that is too long is logged", "required", "", "(1025 bytes)", LOG_ERR,
          "second factor required user=uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\\..."
          " service=login reason=no-verdict network=- evidence=none id=- (a text of the request is too long)" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char rules[8192], expected[1024], long_user[1026];
        const char *user = rows[i].user;
        if (user != NULL && user[0] == '(') {
            memset(long_user, 'u', sizeof long_user - 1);
            long_user[sizeof long_user - 1] = '\0';
            user = long_user;
        }
        use_gate(rows[i].gate);
        snprintf(rules, sizeof rules, ALONE("%s"), rows[i].options);
        snprintf(expected, sizeof expected, "%d " PREFIX "%s\n", LOG_AUTHPRIV | rows[i].priority, rows[i].line);
        write_stack("login", rules);
        forget_log();
        login("login", &(struct items){ .user = user }, &listening, 0);
        check(strcmp(log_text, expected) == 0, rows[i].name, "%s", log_text);
    }

    use_gate("required");
    write_stack("login", ALONE("debug"));
    forget_log();
    login("login", &(struct items){ "alice", "evil host", "tty1", NULL }, &listening, 0);
    check(strstr(log_text, PREFIX "asked with user=alice service=login rhost=evil\\x20host tty=tty1 process=0\n") != NULL &&
              strstr(log_text, PREFIX "detail: local: a fact that decided\n") != NULL &&
              strstr(log_text, " microseconds\n") != NULL,
          "\"debug\" logs what was asked, what decided and how long it took", "%s", log_text);
}

static void test_notify(void)
{
    static const char unknown[] = "A second factor is needed: the network could not be checked.";
    static const struct {
        const char *name, *gate, *options;
        int flags;
        const char *shown;
    } rows[] = {
        { "without \"notify\" the user is told nothing", "required", "", 0, NULL },
        { "without \"notify\" but with \"debug\" the user is told nothing", "required", "debug", 0, NULL },
        { "with \"notify\" the user is told why", "required", "notify", 0, "One line for people: caf\xc3\xa9" },
        { "with \"notify\" the user is told that nothing was decided", "missing", "notify", 0, unknown },
        { "a verdict without a message is told in the fixed words", "no-message", "notify", 0, unknown },
        { "a skipped second factor is not announced", "trusted", "notify", 0, NULL },
        { "P07: PAM_SILENT wins over \"notify\"", "required", "notify", (int)PAM_SILENT, NULL },
        { "P07: PAM_SILENT wins over \"notify\" without a gate too", "missing", "notify debug", (int)PAM_SILENT, NULL },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char rules[8192];
        snprintf(rules, sizeof rules, ALONE("%s"), rows[i].options);
        use_gate(rows[i].gate);
        messages = prompts = 0;
        login_with(rules, rows[i].flags);
        check(prompts == 0 && messages == (rows[i].shown != NULL) &&
                  (rows[i].shown == NULL || strcmp(last_message, rows[i].shown) == 0),
              rows[i].name, "%d messages, the last: %s", messages, last_message);
    }

    static const struct pam_conv none;
    use_gate("required");
    write_stack("login", ALONE("notify"));
    int failed = login("login", &(struct items){ .user = "alice" }, &failing, 0);
    int missing = login("login", &(struct items){ .user = "alice" }, &none, 0);
    check(failed == PAM_AUTH_ERR && missing == PAM_AUTH_ERR,
          "a conversation that fails or is missing changes nothing", "%d and %d", failed, missing);
}

int main(void)
{
    test_log();
    test_notify();
    return 0;
}
