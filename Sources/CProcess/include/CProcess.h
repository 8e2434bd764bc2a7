/* What a process can do to itself that Swift cannot say. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Gives up every privilege of a process that has root's, for good: the given numbers as real, effective and saved user
 * and group, and these supplementary groups. Answers false when any of it failed; then the caller must end. */
bool cprocess_become(unsigned int user, unsigned int group, const unsigned int *groups, size_t count);

/* The number of a group in /etc/group, or 0 when there is none: without asking any directory. */
unsigned int cprocess_local_group(const char *name);

/* Keeps other processes of the same user from tracing this one and from reading its memory, and leaves no core. */
bool cprocess_hide(void);

/* Undoes the resource limits that whoever started a set-uid program may have chosen. Needs root's privilege; what
 * cannot be undone stays. Answers false when too few files can be opened to find anything out. */
bool cprocess_lift_limits(void);

/* Ends the process by SIGALRM after so many seconds. */
void cprocess_limit_life(unsigned int seconds);

/* Runs `work` in a process of its own and reads what it writes to the descriptor that it is given, up to `size` bytes,
 * for at most `limit` milliseconds, and some 20 more until it is gone. The process cannot write to any other descriptor that the caller had open as its
 * standard input, output or error, and it does not outlive the call.
 *
 * Answers how many bytes were read: fewer than `size` when it wrote less, crashed, or was out of time. */
size_t cprocess_answer(unsigned int limit, void (*work)(int descriptor, void *context), void *context,
                       unsigned char *answer, size_t size);

/* A process that does the rest of the work, as fork(2): it dies with its parent, and after so many seconds. Nobody has to
 * wait for it. The parent is given a descriptor that is hung up when it and all that it started are gone. */
int cprocess_fork(unsigned int seconds, int *ended);

/* Whether a descriptor is a socket that is listened on, for records of a local peer. From then on it does not wait. */
bool cprocess_listen(int descriptor);

/* Who connected a socket, or made the pair that it is of: the kernel's word. */
bool cprocess_peer(int descriptor, unsigned int *user, int *process);

/* Accepts a caller without waiting. Answers a descriptor that does not wait either, or -1 with errno; `user` and
 * `process` are the kernel's word on who called. */
int cprocess_accept(int listener, unsigned int *user, int *process);

#endif
