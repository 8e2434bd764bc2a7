#include <cdb.h>
