/* How the programs that run a machine's Wi-Fi are spoken to: the control interface of wpa_supplicant, and the system bus
 * (libsystemd, loaded by the first call). All calls block: they are for a process of its own. */
#ifndef CSUPPLICANT_H
#define CSUPPLICANT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A socket to the control interface at `path`, or -1. The address of its own end is one that the kernel chooses. */
int csupplicant_connect(const char *path);

/* Sends a command and receives its reply, which ends in NUL. Answers its length, or -1 when there is none, it does not
 * fit, or it does not come from a process of root. */
ssize_t csupplicant_ask(int socket, const char *command, char *reply, size_t size);

/* A connection to the system bus, or a null pointer. */
typedef struct sd_bus sd_bus;
sd_bus *csupplicant_open_bus(void);
void csupplicant_close_bus(sd_bus *bus);

/* The argument of a method that has one, "s" or "u"; "" when it has none. */
typedef struct {
    const char *type;
    const char *text;
    uint32_t number;
} csupplicant_argument;

/* Calls a method and flattens its reply: for each value the way to it and the value, both ending in NUL. The way is the
 * keys of dictionaries and the indexes of arrays and arguments, each followed by 0x1f. Texts and paths stand as they
 * are, numbers and booleans in decimal, arrays of bytes in hexadecimal; what else there may be is left out.
 *
 * Answers a buffer of `*size` bytes that the caller frees, or a null pointer when the call failed. */
char *csupplicant_call(sd_bus *bus, const char *destination, const char *path, const char *interface,
                       const char *method, const csupplicant_argument *argument, size_t *size);

#endif
