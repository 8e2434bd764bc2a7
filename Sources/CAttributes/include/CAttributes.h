/* The extended attributes of files: access control lists and security labels among them (xattr(7)). */
#ifndef CATTRIBUTES_H
#define CATTRIBUTES_H

/* Gives the file `to` the extended attributes of the file `from`. Answers 0, or -1 with errno. A file system without
 * such attributes has none to give. */
int cattributes_copy(int from, int to);

#endif
