/* Jansson, and what of it is written as macros. */
#include <jansson.h>

static inline void cjson_release(json_t *value) { json_decref(value); }

static inline json_type cjson_type(const json_t *value) { return json_typeof(value); }
