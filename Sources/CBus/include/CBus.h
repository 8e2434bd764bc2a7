/* The system bus (libsystemd, loaded by the first call). All calls block: they are for a process of its own. */
#ifndef CBUS_H
#define CBUS_H

#include <stddef.h>
#include <stdint.h>

/* A connection to the system bus, or a null pointer. */
typedef struct sd_bus sd_bus;
sd_bus *cbus_open_bus(void);
void cbus_close_bus(sd_bus *bus);

/* The argument of a method that has one, "s" or "u"; "" when it has none. */
typedef struct {
    const char *type;
    const char *text;
    uint32_t number;
} cbus_argument;

/* Calls a method and flattens its reply: for each value the way to it and the value, both ending in NUL. The way is the
 * keys of dictionaries and the indexes of arrays and arguments, each followed by 0x1f. Texts and paths stand as they
 * are, numbers and booleans in decimal, arrays of bytes in hexadecimal; what else there may be is left out.
 *
 * Answers a buffer of `*size` bytes that the caller frees, or a null pointer when the call failed. */
char *cbus_call(sd_bus *bus, const char *destination, const char *path, const char *interface,
                       const char *method, const cbus_argument *argument, size_t *size);

#endif
