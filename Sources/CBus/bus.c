#define _GNU_SOURCE
#include "CBus.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sd_bus_message sd_bus_message;

/* The documented signatures of sd-bus(3). */
static struct {
    int (*open_system)(sd_bus **);
    sd_bus *(*flush_close_unref)(sd_bus *);
    int (*call_method)(sd_bus *, const char *, const char *, const char *, const char *, void *, sd_bus_message **,
                       const char *, ...);
    sd_bus_message *(*unref)(sd_bus_message *);
    int (*peek_type)(sd_bus_message *, char *, const char **);
    int (*enter_container)(sd_bus_message *, char, const char *);
    int (*exit_container)(sd_bus_message *);
    int (*read_basic)(sd_bus_message *, char, void *);
    int (*read_array)(sd_bus_message *, char, const void **, size_t *);
    int (*skip)(sd_bus_message *, const char *);
} bus_library;

static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && find(library, "sd_bus_open_system", &bus_library.open_system) &&
           find(library, "sd_bus_flush_close_unref", &bus_library.flush_close_unref) &&
           find(library, "sd_bus_call_method", &bus_library.call_method) &&
           find(library, "sd_bus_message_unref", &bus_library.unref) &&
           find(library, "sd_bus_message_peek_type", &bus_library.peek_type) &&
           find(library, "sd_bus_message_enter_container", &bus_library.enter_container) &&
           find(library, "sd_bus_message_exit_container", &bus_library.exit_container) &&
           find(library, "sd_bus_message_read_basic", &bus_library.read_basic) &&
           find(library, "sd_bus_message_read_array", &bus_library.read_array) &&
           find(library, "sd_bus_message_skip", &bus_library.skip);
}

sd_bus *cbus_open_bus(void) {
    sd_bus *bus = NULL;
    return load() && bus_library.open_system(&bus) >= 0 ? bus : NULL;
}

void cbus_close_bus(sd_bus *bus) { bus_library.flush_close_unref(bus); }

/* The longest way to a value, and the deepest that containers may be in each other. */
enum { WAY_MAX = 1024, DEPTH_MAX = 8 };

static bool flatten(sd_bus_message *message, char *way, int depth, FILE *out);

static void put(FILE *out, const char *way, const char *value) {
    fputs(way, out);
    fputc(0, out);
    fputs(value, out);
    fputc(0, out);
}

/* Adds one step to `way`, or nothing when there is no room. Answers whether there was. */
static bool step(char *way, const char *name) {
    const size_t length = strlen(way);
    const int added = snprintf(way + length, WAY_MAX - length, "%s\x1f", name);
    return added > 0 && length + (size_t)added < WAY_MAX;
}

/* Reads one value of a basic type as text. Answers false when it cannot be read, or has no text. */
static bool read_text(sd_bus_message *message, char type, char *number, size_t size, const char **text) {
    union {
        const char *text;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        double real;
    } value = {0};
    if (bus_library.read_basic(message, type, &value) <= 0) return false;
    *text = number;
    switch (type) {
    case 's':
    case 'o':
    case 'g': *text = value.text; return true;
    case 'y': snprintf(number, size, "%u", value.u8); return true;
    case 'n': snprintf(number, size, "%d", value.i16); return true;
    case 'q': snprintf(number, size, "%u", value.u16); return true;
    case 'b':
    case 'i': snprintf(number, size, "%" PRId32, value.i32); return true;
    case 'u': snprintf(number, size, "%" PRIu32, value.u32); return true;
    case 'x': snprintf(number, size, "%" PRId64, value.i64); return true;
    case 't': snprintf(number, size, "%" PRIu64, value.u64); return true;
    default: *text = ""; return true; /* read over */
    }
}

static bool put_bytes(sd_bus_message *message, const char *way, FILE *out) {
    const void *start = NULL;
    size_t size = 0;
    if (bus_library.read_array(message, 'y', &start, &size) < 0) return false;
    const unsigned char *bytes = start;
    fputs(way, out);
    fputc(0, out);
    for (size_t i = 0; i < size; i++) fprintf(out, "%02x", bytes[i]);
    fputc(0, out);
    return true;
}

/* Flattens what is left in a container that was entered: entries of a dictionary by their keys, all else by index. */
static bool flatten_all(sd_bus_message *message, char *way, int depth, FILE *out) {
    const size_t length = strlen(way);
    char number[24], type;
    const char *contents, *key;
    for (unsigned int i = 0;; i++) {
        const int there = bus_library.peek_type(message, &type, &contents);
        if (there <= 0) return there == 0;
        const bool is_entry = type == 'e';
        snprintf(number, sizeof number, "%u", i);
        key = number;
        if (is_entry && (bus_library.enter_container(message, 'e', contents) <= 0 ||
                         !read_text(message, contents[0], number, sizeof number, &key))) {
            return false;
        }
        if (!step(way, key) || !flatten(message, way, depth, out)) return false;
        if (is_entry && bus_library.exit_container(message) < 0) return false;
        way[length] = 0;
    }
}

/* Flattens the next value. */
static bool flatten(sd_bus_message *message, char *way, int depth, FILE *out) {
    char number[24], type;
    const char *contents, *text;
    if (depth > DEPTH_MAX || bus_library.peek_type(message, &type, &contents) <= 0) return false;
    switch (type) {
    case 'a':
        if (strcmp(contents, "y") == 0) return put_bytes(message, way, out);
        return bus_library.enter_container(message, type, contents) >= 0 &&
               flatten_all(message, way, depth + 1, out) && bus_library.exit_container(message) >= 0;
    case 'r':
        return bus_library.enter_container(message, type, contents) > 0 &&
               flatten_all(message, way, depth + 1, out) && bus_library.exit_container(message) >= 0;
    case 'v':
        return bus_library.enter_container(message, type, contents) > 0 &&
               flatten(message, way, depth + 1, out) && bus_library.exit_container(message) >= 0;
    case 'h': return bus_library.skip(message, "h") >= 0;
    default:
        if (!read_text(message, type, number, sizeof number, &text)) return false;
        put(out, way, text);
        return true;
    }
}

char *cbus_call(sd_bus *bus, const char *destination, const char *path, const char *interface,
                       const char *method, const cbus_argument *argument, size_t *size) {
    sd_bus_message *reply = NULL;
    const int called =
        argument->type[0] == 's'
            ? bus_library.call_method(bus, destination, path, interface, method, NULL, &reply, "s", argument->text)
        : argument->type[0] == 'u'
            ? bus_library.call_method(bus, destination, path, interface, method, NULL, &reply, "u", argument->number)
            : bus_library.call_method(bus, destination, path, interface, method, NULL, &reply, "");
    if (called < 0 || reply == NULL) return NULL;
    char *buffer = NULL, way[WAY_MAX] = "";
    FILE *out = open_memstream(&buffer, size);
    const bool is_whole = out != NULL && flatten_all(reply, way, 0, out);
    bus_library.unref(reply);
    if (out != NULL && fclose(out) == 0 && is_whole) return buffer;
    free(buffer);
    return NULL;
}
