/* base/intern.h - a map from byte strings to 32-bit numbers.
 *
 *     "a.com" ──► base/index ──► v[1]: its own copy of "a.com", and the number that was given with it
 *
 * Keys are copied into an arena, and compared. Nobody can foresee their hashes (base/secret.h). A zeroed dp_intern is
 * valid and empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_INTERN_H
#define DP_BASE_INTERN_H

#include "base/arena.h"
#include "base/index.h"

typedef struct dp_intern_key {
    dp_str   key;
    uint64_t hash;
    uint32_t value;
} dp_intern_key;

typedef struct dp_intern {
    dp_intern_key *v; /* [n], in the order in which they were added */
    size_t         n, cap;
    dp_index       index;
    dp_arena       keys;
} dp_intern;

/* Whether `key` is there; then its number is put into `*value`. */
bool dp_intern_find(const dp_intern *m, dp_str key, uint32_t *value);

/* Add a key that is not there; false when memory is out. */
bool dp_intern_add(dp_intern *m, dp_str key, uint32_t value);

void dp_intern_done(dp_intern *m);

#endif
