/* The control interface of wpa_supplicant. All calls block: they are for a process of its own. */
#ifndef CSUPPLICANT_H
#define CSUPPLICANT_H

#include <stddef.h>
#include <sys/types.h>

/* A socket to the control interface at `path`, or -1. The address of its own end is one that the kernel chooses. */
int csupplicant_connect(const char *path);

/* Sends a command and receives its reply, which ends in NUL. Answers its length, or -1 when there is none, it does not
 * fit, or it does not come from a process of root. */
ssize_t csupplicant_ask(int socket, const char *command, char *reply, size_t size);

#endif
