/* base/index.h - find numbers by their hashes; what they stand for stays with the caller, who compares.
 *
 *     hash ── mixed with a secret ──► at ──► slot[at]: tag, number + 1; 0: free
 *                                            linear probing, at most 3/4 full
 *
 *     if (!dp_index_room(&x, hash_of, self))
 *         return DP_ENOMEM;
 *     dp_index_walk w = dp_index_from(&x, hash);
 *     while (dp_index_next(&w, &i))
 *         if (dp_str_eq(name[i], text))
 *             return i;
 *     name[dp_index_end(&x, &w)] = text;
 *
 * Numbers are 0, 1, 2, ... in the order in which they are added. Bits of a slot that no number of this table needs hold
 * bits of the hash, so that others are seldom compared: one in 2^(32 - b) where the table has 2^b slots. Who knows
 * things by their 64-bit hashes alone uses base/ordinal.h, who has texts base/intern.h; both are made of this.
 *
 * Where a number lies depends on the secret of the process (base/secret.h): nobody can send texts whose hashes he knows
 * and fill one corner of the table, which would make it slow. So nothing may depend on the order of the slots.
 *
 * Memory: 5 to 11 bytes a number where there are many. A zeroed dp_index is valid and empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_INDEX_H
#define DP_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dp_index_secret {
    uint64_t flip, times; /* times is odd; 0: not drawn yet */
} dp_index_secret;

typedef struct dp_index {
    uint32_t       *slot;   /* [mask + 1] */
    uint32_t        n;      /* numbers in it */
    uint32_t        room;   /* for so many */
    uint32_t        mask;   /* the bits of a slot that hold the number */
    uint32_t        shift;  /* 64 less the bits of `mask` */
    dp_index_secret secret; /* drawn with the first slots, unless a test has set it before */
} dp_index;

typedef struct dp_index_walk {
    const uint32_t *slot;
    uint32_t        mask, at, tag;
} dp_index_walk;

/* The hash with which `number` was added: asked for when the index grows. */
typedef uint64_t dp_index_hash(const void *self, uint32_t number);

/* Room for `n` numbers in an index that is empty. False when memory is out. */
bool dp_index_reserve(dp_index *x, size_t n);

/* Take all numbers out; room for as many stays. Costs no more than adding them did. */
void dp_index_reset(dp_index *x);
void dp_index_done(dp_index *x);

uint64_t dp_index_bytes(const dp_index *x);

/* Room for more; for dp_index_room. */
bool dp_index_grow(dp_index *x, dp_index_hash *hash_of, const void *self);

/* Room for one more. False when memory is out or there are 2^31 numbers; nothing is changed then. */
static inline bool dp_index_room(dp_index *x, dp_index_hash *hash_of, const void *self)
{
    return x->n < x->room || dp_index_grow(x, hash_of, self);
}

/* Without the last factor hashes that are evenly spaced fill half a table in one run under some secrets. */
static inline uint64_t dp_index_mix(const dp_index *x, uint64_t hash)
{
    unsigned __int128 m = (unsigned __int128)(hash ^ x->secret.flip) * x->secret.times;
    return ((uint64_t)(m >> 64) ^ (uint64_t)m) * 0x9E3779B97F4A7C15u;
}

/* Begin to look for the numbers of `hash`. Those of the same hash come in the order in which they were added; others
 * may come between. */
static inline dp_index_walk dp_index_from(const dp_index *x, uint64_t hash)
{
    uint64_t h = dp_index_mix(x, hash);
    return (dp_index_walk){x->slot, x->mask, (uint32_t)(h >> x->shift), (uint32_t)h & ~x->mask};
}

/* The next number that may be the one; false when there is no more. */
static inline bool dp_index_next(dp_index_walk *w, uint32_t *number)
{
    for (uint32_t s; w->slot && (s = w->slot[w->at]);) {
        w->at = (w->at + 1) & w->mask;
        if ((s & ~w->mask) == w->tag) {
            *number = (s & w->mask) - 1;
            return true;
        }
    }
    return false;
}

/* Add the number x->n where a walk has ended, in an index that had room for it before the walk began. */
static inline uint32_t dp_index_end(dp_index *x, const dp_index_walk *w)
{
    x->slot[w->at] = w->tag | ++x->n;
    return x->n - 1;
}

/* Add the number x->n, whether or not there are others of the same hash. */
static inline uint32_t dp_index_put(dp_index *x, uint64_t hash)
{
    dp_index_walk w = dp_index_from(x, hash);
    while (w.slot[w.at])
        w.at = (w.at + 1) & w.mask;
    return dp_index_end(x, &w);
}

#endif
