/* base/ordinal.h - number things by their 64-bit hashes, in the order in which they are first seen.
 *
 *     hash ──► base/index ──► number; hash[number] is compared
 *
 * Memory: 8 bytes a thing and 5 to 11 in the index. Two things with the same 64 bits count as
 * one: among 10^8 that happens with chance 3 in 10^4. A zeroed dp_ordinals is valid and empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ORDINAL_H
#define DP_BASE_ORDINAL_H

#include "base/err.h"
#include "base/index.h"
#include "base/str.h"

typedef struct dp_ordinals {
    uint64_t *hash; /* [n] */
    uint32_t  n, cap;
    dp_index  index;
} dp_ordinals;

/* The number of what has this hash into `*number`; *fresh says whether it is new. DP_ENOMEM,
 * DP_ELIMIT past 2^31 things; nothing is added then. */
dp_err dp_ordinals_add(dp_ordinals *o, uint64_t hash, uint32_t *number, bool *fresh);

/* Whether something has this hash; then its number is put into `*number`. */
bool dp_ordinals_find(const dp_ordinals *o, uint64_t hash, uint32_t *number);

/* Give the look-up back; the hashes stay. Nothing can be added then. */
void dp_ordinals_close(dp_ordinals *o);
void dp_ordinals_done(dp_ordinals *o);

uint64_t dp_ordinals_bytes(const dp_ordinals *o);

#endif
