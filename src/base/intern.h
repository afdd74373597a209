/* base/intern.h - a map from byte strings to 32-bit numbers.
 *
 * Open addressing over 64-bit hashes; keys are copied into an arena, and compared when
 * their hashes are equal. A zeroed dp_intern is valid and empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_INTERN_H
#define DP_BASE_INTERN_H

#include "base/arena.h"

typedef struct dp_intern_slot {
    uint64_t    hash;
    const char *p; /* NULL: empty */
    size_t      n;
    uint32_t    value;
} dp_intern_slot;

typedef struct dp_intern {
    dp_intern_slot *slot; /* [cap] */
    size_t          n, cap;
    dp_arena        keys;
} dp_intern;

/* Whether `key` is there; then its number is put into `*value`. */
bool dp_intern_find(const dp_intern *m, dp_str key, uint32_t *value);

/* Add a key that is not there; false when memory is out. */
bool dp_intern_add(dp_intern *m, dp_str key, uint32_t value);

void dp_intern_done(dp_intern *m);

#endif
