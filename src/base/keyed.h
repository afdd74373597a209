/* base/keyed.h - numbers with keys, brought together by key.
 *
 *     (7,a) (3,b) (7,c)   ── group ──►   (3,b) (7,a) (7,c)      equal keys lie side by side
 *
 * Radix sorts, least byte first: linear in n, no comparison calls, and `tmp` is all the memory
 * they take.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_KEYED_H
#define DP_BASE_KEYED_H

#include "base/str.h"

typedef struct dp_keyed {
    uint64_t key;
    uint32_t item; /* what the key is of; 32 bits, for there are as many as pages */
} dp_keyed;

/* Sort by `key & mask`, stably. `tmp` has room for `n`. */
void dp_keyed_sort(dp_keyed *v, dp_keyed *tmp, size_t n, uint64_t mask);

/* Bring equal keys side by side, in any order that depends on the input alone. Fastest where
 * the low bytes of the keys are spread evenly, as those of hashes are. */
void dp_keyed_group(dp_keyed *v, dp_keyed *tmp, size_t n);

/* The end of the run of equal keys that begins at `i`. */
static inline size_t dp_keyed_end(const dp_keyed *v, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && v[end].key == v[i].key)
        end++;
    return end;
}

#endif
