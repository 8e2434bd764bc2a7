/* test_threads.c - many threads ask at once, on small stacks; built with ThreadSanitizer too */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"
#include "harness.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { THREADS = 50, ROUNDS = 20 };

static void *ask_often(void *argument)
{
    long wrong = 0, odd = (long)argument % 2;
    const struct onsite_question question = { .user = odd ? "trusty" : "alice", .service = "sudo" };

    for (int round = 0; round < ROUNDS; round++) {
        struct onsite_verdict verdict;
        enum onsite_outcome outcome = onsite_ask(&question, 30000, &verdict);
        wrong += outcome != ONSITE_ANSWERED || verdict.answer != (odd ? ONSITE_NOT_REQUIRED : ONSITE_REQUIRED);
    }
    return (void *)wrong;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    char before[4096];
    long wrong = 0;

    use_gate("by-user");
    strcpy(before, descriptors());
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &attributes, ask_often, (void *)i) != 0)
            abort();
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    check(wrong == 0 && strcmp(before, descriptors()) == 0 && waitpid(-1, NULL, WNOHANG) == -1, NAME,
          "%ld wrong answers, descriptors %s", wrong, descriptors());
    return 0;
}
