/* CRecord.h - one record with fields for the journal of systemd
 *
 * The native protocol of systemd-journald: https://systemd.io/JOURNAL_NATIVE_PROTOCOL/. The PAM module is made from this,
 * too, so it holds nothing back from its host: no memory, no descriptor, no waiting.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CRECORD_H
#define CRECORD_H

#include <stddef.h>

/* What a record is about: its MESSAGE_ID, which the catalogue (etc/catalog) explains. None is ever changed. */
#define CRECORD_DECISION "5841dc77367249f09ea14b1b56972b23"
#define CRECORD_PRECISE_READ "daafd7d039bd473888c341a841ed720f"
#define CRECORD_CONSENT "3854bb7a7fd4486bb5a691a21712dabc"
#define CRECORD_KEY_ROTATED "77df5f37faa74b49a5075befc0d48fe7"

/* Capital letters, digits and underscores, and any text. A field without a text is left out. */
struct crecord_field {
    const char *name;
    const char *text;
};

/* Sends one record, in the name of the effective user, or drops it: when there is no journal, when it is busy, when the
 * record has more than about 8,000 bytes. It never waits. errno stays as it is. */
void crecord_send(const struct crecord_field *fields, size_t count);

#endif
