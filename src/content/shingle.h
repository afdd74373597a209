/* content/shingle.h - four numbers that tell how much two texts have in common.
 *
 *     words 1..10, 2..11, ...  ── hash ──►  shingles  ── 4 orders, the least of each ──►  sketch
 *
 * The sketch of Bar-Yossef et al. 2006 (section 5.3; Broder's resemblance): word 10-grams,
 * hashed, the minimum under 4 independent hash functions. Each number is equal in two texts
 * with the probability that a shingle of either is one of both, so 4 of 4 means "the same",
 * 2 of 4 "much the same". Where the paper is silent: words are those of content/words.h; a
 * text of fewer than 10 words is one shingle; a text without words has no sketch; the four
 * functions are bijective mixings (splitmix64's) of one 64-bit hash with four constants. Of a
 * document that is no text the sketch is its MD5, as in the paper, spread over four numbers
 * that are all equal or all different.
 *
 * libcrypto (MD5) is used in shingle.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SHINGLE_H
#define DP_CONTENT_SHINGLE_H

#include "base/err.h"
#include "base/str.h"

enum { DP_SHINGLE_WORDS = 10, DP_SKETCH_SIZE = 4 };

/* The sketch of `n` > 0 words. */
void dp_shingle_sketch(uint64_t sketch[DP_SKETCH_SIZE], const uint64_t *words, size_t n);

/* The sketch of a document that is no text. DP_ENOMEM. */
dp_err dp_shingle_binary(uint64_t sketch[DP_SKETCH_SIZE], dp_str bytes);

/* How many of the four are equal. */
static inline unsigned dp_shingle_common(const uint64_t *a, const uint64_t *b)
{
    unsigned n = 0;
    for (int i = 0; i < DP_SKETCH_SIZE; i++)
        n += a[i] == b[i];
    return n;
}

#endif
