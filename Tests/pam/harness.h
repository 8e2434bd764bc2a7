/* harness.h - what the tests of the module share */
#ifndef HARNESS_H
#define HARNESS_H

#include <security/pam_appl.h>
#include <stdbool.h>

#ifndef MODULE
#define MODULE BUILD_DIR "/pam_onsite.so"
#endif
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(array)[0])

/* Prints "ok - NAME" or "not ok - NAME: why". */
void check(bool passed, const char *name, const char *why, ...) __attribute__((format(printf, 3, 4)));

/* Runs `body` in a child, so that it may ruin the process, and returns what it returned or -1 when it crashed. */
int in_child(int (*body)(const void *), const void *argument);

/* Makes the gate of the module under test the fake one of that name. A name that no fake has: no gate. */
void use_gate(const char *name);

/* Names of the open descriptors of this process, as text to compare. */
const char *descriptors(void);

double seconds(void);

/* Writes BUILD_DIR/stacks/SERVICE. */
void write_stack(const char *service, const char *rules);

struct items {
    const char *user, *rhost, *tty, *ruser;
};

/* What the conversations of this process were shown. */
extern _Atomic int prompts, messages;
extern char last_message[512];

/* The conversation that counts, and one that fails. */
extern const struct pam_conv listening, failing;

/* One whole login through libpam: start, authenticate, setcred, end. Returns what pam_authenticate returned. */
int login(const char *service, const struct items *items, const struct pam_conv *conversation, int flags);

/* Writes a stack that holds `rules` and logs in once as alice. */
int login_with(const char *rules, int flags);

typedef int module_function(pam_handle_t *, int, int, const char **);
module_function *module_symbol(const char *name);
pam_handle_t *start(const struct items *items);

/* What went to syslog since `forget_log`, one "PRIORITY TEXT" a line. */
extern char log_text[65536];
void forget_log(void);

#endif
