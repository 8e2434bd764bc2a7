/* A C view of toml++: parse a document, then read its nodes.
 *
 * No function throws or exits. Pointers into a document live until ctoml_free.
 */
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctoml_document ctoml_document;
typedef struct ctoml_node ctoml_node;

typedef enum {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE,
    CTOML_TIME,
    CTOML_DATE_TIME
} ctoml_kind;

/* Where a node stands. Lines and columns count from 1; columns count characters, not bytes. The end is the
 * position after the last character. */
typedef struct {
    uint32_t first_line, first_column, last_line, last_column;
} ctoml_region;

typedef struct {
    char message[256];
    uint32_t line, column;
} ctoml_error;

/* Parses UTF-8 text. Null: `error` says why. */
ctoml_document *ctoml_parse(const char *text, size_t length, ctoml_error *error);
void ctoml_free(ctoml_document *document);

const ctoml_node *ctoml_root(const ctoml_document *document);
ctoml_kind ctoml_kind_of(const ctoml_node *node);
ctoml_region ctoml_region_of(const ctoml_node *node);

/* How many values a table or an array has, 0 for everything else. */
size_t ctoml_count(const ctoml_node *node);

/* The value at a position of a table or an array, or null past the end. For a table, `key` is its key and
 * `key_line` the line of it; both may be null. */
const ctoml_node *ctoml_child(const ctoml_node *node, size_t index, const char **key, size_t *key_length,
                              uint32_t *key_line);

/* Each of these gives a zero value for a node of another kind. */
const char *ctoml_string(const ctoml_node *node, size_t *length);
int64_t ctoml_integer(const ctoml_node *node);
bool ctoml_boolean(const ctoml_node *node);
void ctoml_date(const ctoml_node *node, int *year, int *month, int *day);

#ifdef __cplusplus
}
#endif

#endif
