/* base/hash.h - hashes of bytes and of numbers: the same on every machine and in every run.
 *
 *     dp_hash_str(url)                          64 bits of a text (XXH3)
 *     dp_hash_bytes(v, n * sizeof *v)           the same of any bytes
 *     dp_hash_seeded(url.p, url.n, seed)        another hash for every seed
 *     dp_hash128_of(body)                       128 bits: stand for the bytes, unless somebody wants otherwise
 *     dp_hash_mix(number)                       a number, every bit spread over all others
 *     dp_hash_fold(dp_hash_fold(h, a), b)       a list of hashes; order matters
 *
 * Whoever chooses the bytes can find others of the same hash, also of 128 bits, within seconds. So these decide where
 * something belongs on every machine (folds, samples, partitions) and what content a page had, which its server is free
 * to choose. Where texts of different owners meet, bytes are compared, or the hash has a secret: base/secret.h.
 *
 * Beside this header and base/secret.h only rule/id.h includes xxhash.h: ids of rules are XXH64.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_HASH_H
#define DP_BASE_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/str.h"

static inline uint64_t dp_hash_bytes(const void *p, size_t n)
{
    return XXH3_64bits(p, n);
}

static inline uint64_t dp_hash_str(dp_str s)
{
    return XXH3_64bits(s.p, s.n);
}

static inline uint64_t dp_hash_seeded(const void *p, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(p, n, seed);
}

/* A zeroed one is the hash of nothing. */
typedef struct dp_hash128 {
    uint64_t lo, hi;
} dp_hash128;

/* Never zero: the bytes that hash to it share the hash of others. */
static inline dp_hash128 dp_hash128_of(dp_str s)
{
    XXH128_hash_t h = XXH3_128bits(s.p, s.n);
    return (dp_hash128){h.low64 | (uint64_t)(h.low64 == 0 && h.high64 == 0), h.high64};
}

static inline bool dp_hash128_eq(dp_hash128 a, dp_hash128 b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static inline bool dp_hash128_is_none(dp_hash128 h)
{
    return !h.lo && !h.hi;
}

/* Bijective, and 0 stays 0 (the last steps of splitmix64). */
static inline uint64_t dp_hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Mix `v`, a hash, into `h`. Fast, but small numbers that are alike give hashes that are alike: dp_hash_mix them. */
static inline uint64_t dp_hash_fold(uint64_t h, uint64_t v)
{
    unsigned __int128 m = (unsigned __int128)(h ^ 0x9E3779B97F4A7C15u) * (v | 1);
    return (uint64_t)m ^ (uint64_t)(m >> 64) ^ (v << 32 | v >> 32);
}

#endif
