/* test_verdict.c - which records are a verdict, and which of those mean "not required"
 *
 * Includes the client to reach its parts, and runs under the sanitizers. */
#include "../../pam/onsite_client.c"
#include "harness.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static struct onsite_verdict make(uint64_t answer, const char *reason, const char *network, const char *evidence,
                                  const char *id, uint32_t warning, const char *message)
{
    struct onsite_verdict verdict = { .answer = answer, .warning = warning };

    memcpy(verdict.magic, ONSITE_VERDICT_MAGIC, sizeof verdict.magic);
    strcpy(verdict.reason, reason);
    strcpy(verdict.network, network);
    strcpy(verdict.evidence, evidence);
    strcpy(verdict.id, id);
    strcpy(verdict.message, message);
    return verdict;
}

#define TRUSTED make(ONSITE_NOT_REQUIRED, "trusted-network", "hq-1", "verified", "0123456789abcdef", 0, "Trusted.")
#define REQUIRED make(ONSITE_REQUIRED, "bssid-not-listed", "hq-1", "claimed", "0123456789abcdef", 1, "Not listed.")
#define UNDECIDED make(ONSITE_UNDECIDED, "policy-missing", "", "none", "", 0, "")

/* What the client makes of one record that a helper sends. */
static enum onsite_outcome received(const void *record, size_t size, struct onsite_verdict *verdict)
{
    int ends[2];

    if (!open_channel(ends) || send(ends[1], record, size, 0) != (ssize_t)size)
        abort();
    int64_t deadline = now_ms() + 1000;
    enum onsite_outcome outcome = receive(ends[0], &deadline, ONSITE_WAIT_MAX, verdict);
    close(ends[0]);
    close(ends[1]);
    return outcome;
}

static void test_lengths(void)
{
    char record[1024];
    struct onsite_verdict good = TRUSTED, verdict;
    int wrong = 0;

    memset(record, 0, sizeof record);
    memcpy(record, &good, sizeof good);
    for (size_t size = 0; size <= sizeof record; size++) {
        enum onsite_outcome expected = size == 0             ? ONSITE_NO_VERDICT
                                       : size == sizeof good ? ONSITE_ANSWERED
                                                             : ONSITE_BAD_VERDICT;
        wrong += received(record, size, &verdict) != expected;
    }
    check(wrong == 0, "a verdict of any other length is none", "%d lengths judged wrong", wrong);
}

static void test_flips(void)
{
    const struct onsite_verdict good[] = { TRUSTED, REQUIRED, UNDECIDED };
    int become_trusted = 0, answer_survived = 0, bad_magic = 0;

    for (size_t i = 0; i < ARRAY_SIZE(good); i++)
        for (size_t bit = 0; bit < 8 * sizeof good[i]; bit++) {
            struct onsite_verdict verdict = good[i];
            ((unsigned char *)&verdict)[bit / 8] ^= (unsigned char)(1u << bit % 8);
            bool valid = is_verdict(&verdict);
            if (good[i].answer != ONSITE_NOT_REQUIRED)
                become_trusted += valid && verdict.answer == ONSITE_NOT_REQUIRED;
            answer_survived += valid && verdict.answer != good[i].answer;
            bad_magic += valid && bit < 64;
        }
    check(become_trusted == 0, "no single flipped bit turns another answer into \"not required\"", "%d do",
          become_trusted);
    check(answer_survived == 0, "no single flipped bit of the answer leaves a verdict", "%d do", answer_survived);
    check(bad_magic == 0, "no single flipped bit of the magic number leaves a verdict", "%d do", bad_magic);

    const uint64_t words[] = { ONSITE_NOT_REQUIRED, ONSITE_REQUIRED, ONSITE_UNDECIDED, 0, UINT64_MAX };
    int least = 64;
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        for (size_t j = 0; j < i; j++) {
            int distance = __builtin_popcountll(words[i] ^ words[j]);
            least = distance < least ? distance : least;
        }
    check(least >= 24, "the answers are at least 24 bits apart", "only %d", least);
}

/* Random damage, several bytes at a time. */
static void test_damage(void)
{
    const struct onsite_verdict good[] = { REQUIRED, UNDECIDED };
    unsigned int seed = 1;
    int trusted = 0;

    for (int round = 0; round < 300000; round++) {
        struct onsite_verdict verdict = good[round % 2];
        for (int count = rand_r(&seed) % 8 + 1; count > 0; count--)
            ((unsigned char *)&verdict)[(size_t)rand_r(&seed) % sizeof verdict] = (unsigned char)rand_r(&seed);
        trusted += is_verdict(&verdict) && verdict.answer == ONSITE_NOT_REQUIRED;
    }
    check(trusted == 0, "no random damage turns another answer into \"not required\"", "%d do", trusted);
}

static void test_fields(void)
{
    const struct {
        const char *name;
        bool valid;
        struct onsite_verdict verdict;
    } rows[] = {
        { "a trusted network", true, TRUSTED },
        { "a rule that asks", true, REQUIRED },
        { "a question that could not be decided", true, UNDECIDED },
        { "an unknown answer", false, make(1, "x", "", "none", "", 0, "") },
        { "\"not required\" for another reason", false,
          make(ONSITE_NOT_REQUIRED, "not-connected", "hq", "verified", "", 0, "") },
        { "\"not required\" without a network", false,
          make(ONSITE_NOT_REQUIRED, "trusted-network", "", "verified", "", 0, "") },
        { "\"not required\" without evidence", false,
          make(ONSITE_NOT_REQUIRED, "trusted-network", "hq", "none", "", 0, "") },
        { "\"required\" on a trusted network", false,
          make(ONSITE_REQUIRED, "trusted-network", "hq", "verified", "", 0, "") },
        { "\"undecided\" on a trusted network", false,
          make(ONSITE_UNDECIDED, "trusted-network", "hq", "verified", "", 0, "") },
        { "no reason", false, make(ONSITE_REQUIRED, "", "", "none", "", 0, "") },
        { "a reason with a blank", false, make(ONSITE_REQUIRED, "a b", "", "none", "", 0, "") },
        { "a reason with an upper-case letter", false, make(ONSITE_REQUIRED, "Not", "", "none", "", 0, "") },
        { "a network with a line feed", false, make(ONSITE_REQUIRED, "x", "a\nb", "none", "", 0, "") },
        { "no evidence", false, make(ONSITE_REQUIRED, "x", "", "", "", 0, "") },
        { "an evidence that does not exist", false, make(ONSITE_REQUIRED, "x", "", "proven", "", 0, "") },
        { "an id in clear", true, make(ONSITE_REQUIRED, "x", "", "none", "Corp-Staff@02:11:22:33:44:55", 0, "") },
        { "an id with a blank", false, make(ONSITE_REQUIRED, "x", "", "none", "Corp Staff", 0, "") },
        { "an id that forges a field", false, make(ONSITE_REQUIRED, "x", "", "none", "0 user=root", 0, "") },
        { "an id with an escape", false, make(ONSITE_REQUIRED, "x", "", "none", "a\033[2J", 0, "") },
        { "a warning of 2", false, make(ONSITE_REQUIRED, "x", "", "none", "", 2, "") },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char name[128];
        snprintf(name, sizeof name, "%s is %s", rows[i].name, rows[i].valid ? "a verdict" : "no verdict");
        check(is_verdict(&rows[i].verdict) == rows[i].valid, name, "judged otherwise");
    }

    /* The six texts are padded to the end, and the last byte of each is NUL. */
    const struct { size_t offset, size; } fields[] = {
#define FIELD(name) { offsetof(struct onsite_verdict, name), sizeof((struct onsite_verdict *)0)->name }
        FIELD(reason), FIELD(network), FIELD(evidence), FIELD(id), FIELD(message), FIELD(detail),
    };
    int wrong = 0;
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        struct onsite_verdict verdict = REQUIRED;
        char *field = (char *)&verdict + fields[i].offset;
        field[fields[i].size - 1] = 'a';
        wrong += is_verdict(&verdict);
        memset(field, 'a', fields[i].size);
        wrong += is_verdict(&verdict);
    }
    for (size_t i = 0; i < sizeof(UNDECIDED.reserved); i++) {
        struct onsite_verdict verdict = UNDECIDED;
        verdict.reserved[i] = 1;
        wrong += is_verdict(&verdict);
    }
    check(wrong == 0, "text after the padding began, or in reserved bytes, is no verdict", "%d accepted", wrong);
}

static void test_messages(void)
{
    static const struct {
        const char *what, *text;
        bool valid;
    } rows[] = {
        { "letters of two to four bytes", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x93\xb6", true },
        { "the last code point", "\xf4\x8f\xbf\xbf", true },
        { "a line feed", "a\nb", false },
        { "an escape code", "\x1b[2J", false },
        { "DEL", "a\x7f", false },
        { "a C1 control", "\xc2\x9b", false },
        { "an Arabic letter mark", "\xd8\x9c", false },
        { "a right-to-left mark", "\xe2\x80\x8f", false },
        { "a line separator", "\xe2\x80\xa8", false },
        { "a right-to-left override", "\xe2\x80\xae", false },
        { "a first-strong isolate", "\xe2\x81\xa8", false },
        { "a lone continuation byte", "\x80", false },
        { "an overlong slash", "\xc0\xaf", false },
        { "an overlong three-byte form", "\xe0\x80\xaf", false },
        { "an overlong four-byte form", "\xf0\x80\x80\xaf", false },
        { "a surrogate", "\xed\xa0\x80", false },
        { "a code point beyond the last", "\xf4\x90\x80\x80", false },
        { "a five-byte form", "\xf8\x88\x80\x80\x80", false },
        { "a character cut in the middle", "caf\xc3", false },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char name[128];
        snprintf(name, sizeof name, "a message with %s is %s", rows[i].what, rows[i].valid ? "shown" : "no verdict");
        check(is_one_line(rows[i].text) == rows[i].valid, name, "judged otherwise");
    }
}

int main(void)
{
    test_lengths();
    test_flips();
    test_damage();
    test_fields();
    test_messages();
    return 0;
}
