/* content/simhash.h - 64 bits that differ in few places where texts differ in few words.
 *
 *     each word votes with its hash, bit by bit: 1 up, 0 down; a bit is 1 where the ups win
 *
 * Charikar's fingerprint as Manku et al. 2007 use it: within 3 bits means near-duplicate (and
 * for Xu et al. 2017 also the same title). Features are single words (content/words.h), each as
 * often as it occurs; a tie is 0. The papers do not name their features; these are those of
 * the live sets, whose values differ from ours by the hash of a word alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SIMHASH_H
#define DP_CONTENT_SIMHASH_H

#include "base/str.h"

/* The fingerprint of `n` words; 0 when there are none. */
uint64_t dp_simhash(const uint64_t *words, size_t n);

/* In how many bits two differ. */
static inline unsigned dp_simhash_distance(uint64_t a, uint64_t b)
{
    return (unsigned)__builtin_popcountll(a ^ b);
}

#endif
