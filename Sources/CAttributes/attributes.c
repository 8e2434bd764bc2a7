#include "CAttributes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

/* The kernel's own limits (XATTR_LIST_MAX, XATTR_SIZE_MAX). */
enum { LIST_MAX = 65536, VALUE_MAX = 65536 };

int cattributes_copy(int from, int to) {
    char *names = malloc(LIST_MAX), *value = malloc(VALUE_MAX);
    int result = names != NULL && value != NULL ? 0 : -1;
    const ssize_t length = result == 0 ? flistxattr(from, names, LIST_MAX) : 0;
    if (length < 0 && errno != ENOTSUP) result = -1;
    for (const char *name = names; result == 0 && length > 0 && name < names + length; name += strlen(name) + 1) {
        const ssize_t size = fgetxattr(from, name, value, VALUE_MAX);
        if (size < 0 || fsetxattr(to, name, value, (size_t)size, 0) != 0) result = -1;
    }
    const int saved = errno;
    free(names);
    free(value);
    errno = saved;
    return result;
}
