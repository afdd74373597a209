/* base/rng.h - a small seeded generator (splitmix64): same seed, same numbers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_RNG_H
#define DP_BASE_RNG_H

#include "base/hash.h"

typedef struct dp_rng {
    uint64_t state;
} dp_rng;

static inline dp_rng dp_rng_seed(uint64_t seed)
{
    return (dp_rng){seed};
}

static inline uint64_t dp_rng_next(dp_rng *r)
{
    return dp_hash_mix(r->state += 0x9E3779B97F4A7C15u);
}

/* A number in [0, n); n > 0. */
static inline uint64_t dp_rng_below(dp_rng *r, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)dp_rng_next(r) * n) >> 64);
}

#endif
