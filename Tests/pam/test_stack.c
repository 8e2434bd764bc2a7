/* test_stack.c - the module in real stacks, through the real libpam */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>

#define FIRST "auth required pam_permit.so\n"
#define OURS(options) "auth [success=1 default=ignore] " MODULE " " options "\n"
#define ABSENT BUILD_DIR "/absent.so"
#define PRESENTED "auth required pam_debug.so auth=success\n" /* the user has the second factor */
#define NOT_PRESENTED "auth required pam_deny.so\n"
#define PERMIT "auth required pam_permit.so\n"
/* Alone and required, the module's result is that of the stack. */
#define ALONE(options) "auth required " MODULE " " options "\n"

/* One login, and what it must come to. */
struct row {
    const char *name, *gate, *rules;
    int result;
};

static void run(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        use_gate(rows[i].gate);
        int result = login_with(rows[i].rules, 0);
        check(result == rows[i].result, rows[i].name, "%d instead of %d\n%s", result, rows[i].result, log_text);
        forget_log();
    }
}

static const struct row results[] = {
    { "\"not required\" is PAM_SUCCESS", "trusted", ALONE(""), PAM_SUCCESS },
    { "\"required\" is PAM_AUTH_ERR", "required", ALONE(""), PAM_AUTH_ERR },
    { "\"undecided\" is PAM_AUTHINFO_UNAVAIL", "undecided", ALONE(""), PAM_AUTHINFO_UNAVAIL },
    { "no gate is PAM_AUTHINFO_UNAVAIL", "missing", ALONE(""), PAM_AUTHINFO_UNAVAIL },
    { "no verdict is PAM_AUTHINFO_UNAVAIL", "killed", ALONE(""), PAM_AUTHINFO_UNAVAIL },
    { "a bad verdict is PAM_AUTHINFO_UNAVAIL", "long", ALONE(""), PAM_AUTHINFO_UNAVAIL },
    { "no answer in time is PAM_AUTHINFO_UNAVAIL", "hangs-after-reading", ALONE("timeout=100"),
      PAM_AUTHINFO_UNAVAIL },
    { "all options are accepted", "trusted", ALONE("debug notify timeout=30000"), PAM_SUCCESS },
    { "an unknown option is PAM_SERVICE_ERR", "trusted", ALONE("nullok"), PAM_SERVICE_ERR },
    { "an unknown option after good ones is PAM_SERVICE_ERR", "trusted", ALONE("debug Notify"), PAM_SERVICE_ERR },
    { "a timeout of nothing is PAM_SERVICE_ERR", "trusted", ALONE("timeout="), PAM_SERVICE_ERR },
    { "a timeout of 99 is PAM_SERVICE_ERR", "trusted", ALONE("timeout=99"), PAM_SERVICE_ERR },
    { "a timeout of 30001 is PAM_SERVICE_ERR", "trusted", ALONE("timeout=30001"), PAM_SERVICE_ERR },
    { "a timeout with a sign is PAM_SERVICE_ERR", "trusted", ALONE("timeout=+500"), PAM_SERVICE_ERR },
    { "a timeout with a unit is PAM_SERVICE_ERR", "trusted", ALONE("timeout=500ms"), PAM_SERVICE_ERR },
    { "a timeout with a leading zero is PAM_SERVICE_ERR", "trusted", ALONE("timeout=0500"), PAM_SERVICE_ERR },
    { "a timeout that overflows is PAM_SERVICE_ERR", "trusted", ALONE("timeout=4294967796"), PAM_SERVICE_ERR },
    { "a timeout with a blank is PAM_SERVICE_ERR", "trusted", ALONE("[timeout= 500]"), PAM_SERVICE_ERR },
};

static const struct row stacks[] = {
    { "P01: a bare pair is denied even where the second factor is skipped", "trusted", OURS("") NOT_PRESENTED,
      PAM_PERM_DENIED },
    { "P01: with a first factor before, the second is skipped", "trusted", FIRST OURS("") NOT_PRESENTED, PAM_SUCCESS },
    { "P01: with pam_permit after, the second is skipped", "trusted", OURS("") NOT_PRESENTED PERMIT, PAM_SUCCESS },
    { "P01: a jump past the end is denied", "trusted",
      FIRST "auth [success=2 default=ignore] " MODULE "\n" NOT_PRESENTED, PAM_PERM_DENIED },
    { "P01: the documented stack skips the second factor", "trusted", FIRST OURS("") NOT_PRESENTED PERMIT,
      PAM_SUCCESS },
    { "the documented stack asks when required", "required", FIRST OURS("") NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "the documented stack asks when undecided", "undecided", FIRST OURS("") NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "the documented stack asks without a gate", "missing", FIRST OURS("") NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "the documented stack asks when the gate dies", "faults", FIRST OURS("") NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "the documented stack asks with a wrong option", "trusted", FIRST OURS("nonsense") NOT_PRESENTED PERMIT,
      PAM_AUTH_ERR },
    { "a user who presents the second factor gets in when required", "required", FIRST OURS("") PRESENTED PERMIT,
      PAM_SUCCESS },
    { "a user who presents the second factor gets in without a gate", "missing", FIRST OURS("") PRESENTED PERMIT,
      PAM_SUCCESS },
    { "a failed first factor is not mended by a trusted network", "trusted",
      "auth required pam_debug.so auth=auth_err\n" OURS("") NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "H08: without the module the documented stack asks", "trusted",
      FIRST "auth [success=1 default=ignore] " ABSENT "\n" NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "H08: without the module and with a leading dash it asks", "trusted",
      FIRST "-auth [success=1 default=ignore] " ABSENT "\n" NOT_PRESENTED PERMIT, PAM_AUTH_ERR },
    { "H08: without the module a user with the second factor gets in", "trusted",
      FIRST "auth [success=1 default=ignore] " ABSENT "\n" PRESENTED PERMIT, PAM_SUCCESS },

    /* Misuse that the manual forbids. These rows hold it to what it says will happen. */
    { "P04: \"sufficient\" alone lets anybody in on a trusted network", "trusted", "auth sufficient " MODULE "\n",
      PAM_SUCCESS },
    { "P04: \"sufficient\" alone is denied elsewhere", "required", "auth sufficient " MODULE "\n", PAM_PERM_DENIED },
    { "P04: the inverted line skips the second factor when required", "required",
      FIRST "auth [default=1 success=ignore] " MODULE "\n" NOT_PRESENTED PERMIT, PAM_SUCCESS },
    { "P04: the inverted line skips the second factor without a module", "trusted",
      FIRST "auth [default=1 success=ignore] " ABSENT "\n" NOT_PRESENTED PERMIT, PAM_SUCCESS },
    { "P04: the inverted line skips the second factor with a wrong option", "trusted",
      FIRST "auth [default=1 success=ignore] " MODULE " nonsense\n" NOT_PRESENTED PERMIT, PAM_SUCCESS },
    { "P05: \"required\" denies when the second factor is required", "required", FIRST ALONE("") PRESENTED,
      PAM_AUTH_ERR },
    { "P05: \"required\" without a gate denies", "missing", FIRST ALONE("") PRESENTED, PAM_AUTHINFO_UNAVAIL },
    { "the result is never PAM_IGNORE, which default=die would let pass", "undecided",
      FIRST "auth [ignore=ignore default=die] " MODULE "\n", PAM_AUTHINFO_UNAVAIL },
};

/* The other stacks find no function, and no control makes success of that. */
static void test_other_stacks(void)
{
    static const char *const types[] = { "account", "session", "password" };
    static const char *const controls[] = { "sufficient", "required", "requisite", "optional" };

    use_gate("trusted");
    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        for (size_t j = 0; j < ARRAY_SIZE(controls); j++) {
            char rules[8192], name[128];
            pam_handle_t *pamh;
            snprintf(rules, sizeof rules, "%s %s " MODULE "\n", types[i], controls[j]);
            snprintf(name, sizeof name, "P03: a \"%s %s\" line does not succeed and is logged", types[i], controls[j]);
            write_stack("misuse", rules);
            forget_log();
            if (pam_start_confdir("misuse", "alice", &listening, BUILD_DIR "/stacks", &pamh) != PAM_SUCCESS)
                abort();
            int result = i == 0   ? pam_acct_mgmt(pamh, 0)
                         : i == 1 ? pam_open_session(pamh, 0)
                                  : pam_chauthtok(pamh, 0);
            pam_end(pamh, result);
            check(result != PAM_SUCCESS && strstr(log_text, "unable to resolve symbol: pam_sm_") != NULL, name, "%d, log: %s", result,
                  log_text);
        }
}

#define FAILLOCK "deny=3 even_deny_root nodelay dir=" BUILD_DIR "/tally"
#define COUNTED(ours) \
    "auth required pam_faillock.so preauth " FAILLOCK "\n" \
    "auth [success=1 default=bad] pam_debug.so auth=success\n" \
    "auth [default=die] pam_faillock.so authfail " FAILLOCK "\n" \
    ours "auth required pam_debug.so auth=success\n" PERMIT

static void test_lockouts(void)
{
    static const struct {
        const char *name, *rules;
        int result;
    } rows[] = {
        { "P05: ten logins with both factors leave faillock's tally at 0", COUNTED(OURS("")), PAM_SUCCESS },
        { "P05: as \"required\" ten logins are refused, and the tally stays at 0", COUNTED(ALONE("")), PAM_AUTH_ERR },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct stat tally = { 0 };
        int wrong = 0;
        use_gate("required");
        write_stack("counted", rows[i].rules);
        for (int round = 0; round < 10; round++)
            wrong += login("counted", &(struct items){ .user = "root" }, &listening, 0) != rows[i].result;
        stat(BUILD_DIR "/tally/root", &tally);
        check(wrong == 0 && tally.st_size == 0, rows[i].name, "%d others, a tally of %lld bytes\n%s", wrong,
              (long long)tally.st_size, log_text);
    }

    /* The tally does count what it should, or the rows above would prove nothing. */
    struct stat tally = { 0 };
    write_stack("counted", "auth required pam_faillock.so preauth " FAILLOCK "\n"
                           "auth [success=1 default=bad] pam_debug.so auth=auth_err\n"
                           "auth [default=die] pam_faillock.so authfail " FAILLOCK "\n");
    login("counted", &(struct items){ .user = "root" }, &listening, 0);
    stat(BUILD_DIR "/tally/root", &tally);
    check(tally.st_size > 0, "P05: a wrong first factor is counted", "an empty tally\n%s", log_text);
}

static void test_missing_items(void)
{
    static const char *const values[] = { NULL, "", "nobody-knows-me" };
    static const char *const hosts[] = { NULL, "", "203.0.113.9" }; /* no name: libpam resolves it for its audit */
    module_function *authenticate = module_symbol("pam_sm_authenticate");
    int wrong = 0, logins = 0;

    use_gate("trusted");
    prompts = messages = 0;
    write_stack("items", ALONE(""));
    for (int i = 0; i < 3 * 3 * 3 * 3; i++) {
        const struct items items = { values[i % 3], hosts[i / 3 % 3], values[i / 9 % 3], values[i / 27] };
        wrong += login("items", &items, &listening, 0) != PAM_SUCCESS;

        /* libpam finds no stack for an empty service, so the module is called past its back. */
        pam_handle_t *pamh = start(&items);
        pam_set_item(pamh, PAM_SERVICE, "");
        wrong += authenticate(pamh, 0, 0, NULL) != PAM_SUCCESS;
        pam_end(pamh, PAM_SUCCESS);
        logins += 2;
    }
    check(wrong == 0 && prompts == 0, "P09: no item is needed, and nobody is asked for one",
          "%d of %d logins went wrong, %d prompts", wrong, logins, prompts);
    check(module_symbol("pam_sm_setcred")(NULL, 0, 0, NULL) == PAM_SUCCESS,
          "pam_sm_setcred succeeds and looks at nothing", "it did not");
}

int main(void)
{
    run(results, ARRAY_SIZE(results));
    run(stacks, ARRAY_SIZE(stacks));
    test_other_stacks();
    test_lockouts();
    test_missing_items();
    return 0;
}
