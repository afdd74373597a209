/* apply/slothash.h - the hashes that the compiler stores and the engine computes alike.
 *
 *     layer slot  = fold(fold(tuple, segment hash), ..., driver hash)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_SLOTHASH_H
#define DP_APPLY_SLOTHASH_H

#include "base/hash.h"

static inline uint64_t dp_hash_tuple(uint32_t number)
{
    return (number + 1) * 0xD6E8FEB86659FD93u;
}

/* Key of a HOST slot. */
static inline uint64_t dp_hash_host(dp_str name, int port)
{
    uint64_t h = dp_hash_str(name);
    return port == -1 ? h : dp_hash_fold(h, (uint64_t)(uint32_t)(port + 7));
}

/* One bit of 64 for a text: a filter that has it may hold the text, one that has not does not.
 * Most names and segments of most URLs are turned away by it, unhashed. */
static inline uint64_t dp_filter_bit(dp_str s)
{
    unsigned first = s.n ? (unsigned char)s.p[0] : 0, last = s.n ? (unsigned char)s.p[s.n - 1] : 0;
    return (uint64_t)1 << ((first * 7 + last * 3 + (unsigned)s.n * 13) & 63);
}

#endif
