/* What a program that waits can wait for, and Swift cannot name. */
#ifndef CWATCH_H
#define CWATCH_H

#include <stdbool.h>

/* A descriptor that can be read when SIGINT, SIGTERM or SIGCHLD has come; from now on they do nothing else. -1 with
 * errno when there is none to be had. */
int cwatch_signals(void);

/* The next signal that has come, or 0 when there is no other. */
int cwatch_next_signal(int descriptor);

/* A descriptor for cwatch_wake, or -1 with errno. */
int cwatch_clock(void);

/* Lets the descriptor be read at a second of the wall clock, and at once when that clock is set or the machine wakes up
 * from sleep; what was to be read before is forgotten. */
bool cwatch_wake(int descriptor, long long seconds);

/* Starts `/bin/sh -c COMMAND` with this environment, nothing to read, and the signals as usual. Answers the number of
 * the process, or -1 with errno. */
int cwatch_start(const char *command);

/* A process that was started and has ended, or 0; and its status as waitpid gives it. */
int cwatch_ended(int *status);

#endif
