/* onsite_client.h - ask the gate whether a login needs a second factor
 *
 * A small C interface for a PAM module, a greeter or a screen locker. It needs libc only, keeps no state,
 * starts no thread, installs no signal handler and prints nothing. It may be called from many threads.
 *
 * Copyright (C) 2026 the onsite authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ONSITE_CLIENT_H
#define ONSITE_CLIENT_H

#include <stdint.h>
#include <sys/types.h>

/* Who asks. A null pointer and an empty string mean the same: not known. */
struct onsite_question {
    const char *user;    /* the account that logs in, as PAM_USER */
    const char *service; /* the program that asks, as PAM_SERVICE */
    const char *rhost;   /* the host that the request comes from, as PAM_RHOST */
    const char *tty;     /* the terminal of the request, as PAM_TTY */
    pid_t process;       /* the process that the login is for, where this one asks in its place; 0: this one. Then
                          * this one has to be root's, and no older than the other */
};

/* The longest of the four strings that a request can carry, in bytes. */
#define ONSITE_STRING_MAX 1024

/* The request on the wire: this header, then the four strings in the order of onsite_question, without NUL.
 * Integers are in the byte order of the machine; both ends run on the same one. */
#define ONSITE_REQUEST_MAGIC "onsiteQ2"
struct onsite_request_header {
    char magic[8];
    uint32_t length;       /* of the whole request with this header, in bytes */
    uint32_t process;      /* the process that the login is for, 0 to INT32_MAX; 0: the one that asks. From any other
                            * user than root it has to be 0: the request gets no verdict otherwise */
    uint16_t lengths[4];   /* of each string, 0 to ONSITE_STRING_MAX */
};
#define ONSITE_REQUEST_MAX (sizeof(struct onsite_request_header) + 4 * ONSITE_STRING_MAX)

/* The three answers. Any two, and any one and all zeros or all ones, differ in at least 29 bits, so that no
 * damaged answer can read as "not required". */
#define ONSITE_NOT_REQUIRED UINT64_C(0x6d3ac5925b8e19f4)
#define ONSITE_REQUIRED     UINT64_C(0x92c53a6da471e60b)
#define ONSITE_UNDECIDED    UINT64_C(0x6235ca9d548116fb)

/* The verdict on the wire: one record of 512 bytes. Every text is padded with NUL and ends in at least one.
 *
 * "Not required" comes with the reason "trusted-network", a network and evidence other than "none"; that reason
 * comes with no other answer. Anything else is not a verdict. The helper is killed as soon as it has answered, so
 * whatever it has to record, it records before. */
#define ONSITE_VERDICT_MAGIC "onsiteV1"
struct onsite_verdict {
    char magic[8];
    uint64_t answer;       /* one of the three words above */
    char reason[32];       /* reason code: a-z and '-', not empty */
    char network[64];      /* name of the network in the allowlist: a-z, 0-9 and '-'; may be empty */
    char evidence[16];     /* none, claimed, protected or verified */
    char id[104];          /* which network this was, for logs: the keyed hash of SSID and BSSID in 16 hex digits,
                            * or both in clear where the policy says so; a-z, A-Z, 0-9 and ._:@- ; may be empty */
    uint32_t warning;      /* 1: to be logged as a warning (possible evil twin), 0 otherwise */
    char reserved[4];      /* zeros */
    char message[128];     /* one line for people, UTF-8 without controls: C0, DEL, C1, bidi, line separators */
    char detail[144];      /* the fact that decided, for administrators: as the message; may be empty */
};

/* What may come before the verdict, once: the policy lets the gate wait while the machine joins a network. The time
 * is on top of what the caller gave. */
#define ONSITE_WAIT_MAGIC "onsiteW1"
#define ONSITE_WAIT_MAX 10000
struct onsite_wait {
    char magic[8];
    uint32_t wait_ms;      /* at most this long, 1 to ONSITE_WAIT_MAX */
    char reserved[4];      /* zeros */
};

/* What became of a question. */
enum onsite_outcome {
    ONSITE_ANSWERED = 0,   /* the verdict is whole and one of the three answers */
    ONSITE_TOO_LONG,       /* a string of the question is longer than ONSITE_STRING_MAX */
    ONSITE_NO_GATE,        /* the helper could not be started; errno says why */
    ONSITE_TIMED_OUT,      /* no verdict within the time given */
    ONSITE_NO_VERDICT,     /* the helper ended without a verdict */
    ONSITE_BAD_VERDICT     /* the helper answered with something that is not a verdict */
};

/* Asks the gate and waits for its verdict, at most `timeout_ms` milliseconds in all, and ONSITE_WAIT_MAX more where the
 * policy says to wait for a network. The last tenth of that is kept for ending the helper. errno stays as it was, except
 * after ONSITE_NO_GATE.
 *
 * `verdict` is filled in only when the outcome is ONSITE_ANSWERED; otherwise it is all zeros. The only way to
 * "not required" is ONSITE_ANSWERED together with the answer ONSITE_NOT_REQUIRED. */
enum onsite_outcome onsite_ask(const struct onsite_question *question, unsigned int timeout_ms,
                               struct onsite_verdict *verdict);

/* A short English description of an outcome, for logs. */
const char *onsite_outcome_text(enum onsite_outcome outcome);

#endif
