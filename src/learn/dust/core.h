/* learn/dust/core.h - in what two URLs differ: one core, and the pairs of substrings around it.
 *
 *     http://a.com/ann/index.html    core  ("index.html", "")         9 units before it and 1 behind are common
 *     http://a.com/ann/              texts ("index.html", ""), ("/index.html", "/"), ... in 10 * 2 envelopes
 *
 * The core is what is left without the common first units, then without the common last ones. Whatever context is
 * added to a pair of substrings is stripped again, so all texts of two URLs, and all URLs of a text, have the same
 * core, with one exception: when one side is empty, the other may come out rotated ("ab" deleted before "ac" is "ba"
 * deleted one place on). The hash of a core does not change then.
 *
 * Support is the number of envelopes, as in Figure 2, or of pairs of URLs: where a text repeats itself two URLs may
 * have several envelopes for it (Theorem 2).
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_CORE_H
#define DP_LEARN_DUST_CORE_H

#include "learn/dust/tree.h"

/* The two substrings of a pair that has `i` units before them and `k` behind. */
typedef struct dp_dust_text {
    uint64_t hash; /* the same for (α, β) and (β, α) */
    uint32_t i, k;
    uint32_t size; /* URLs in the bucket */
} dp_dust_text;

/* All texts of a pair at once. */
typedef dp_err dp_dust_on_texts(void *self, const dp_dust_pair *p, const dp_dust_text *text, size_t n);

/* What was found when texts of the pair at hand were compared with those of another pair, (a, b): they are the same,
 * one for one or the other way round (`way`, as dp_dust_core_same says), as long as they have `i` or more units before
 * them and `k` or more behind; (a, b) has `first` more units before and `last` more behind. */
typedef struct dp_dust_match {
    uint32_t a, b;
    uint32_t first, last; /* modulo 2^32 */
    uint32_t i, k;
    int      way; /* 0: nothing was found */
} dp_dust_match;

enum { DP_DUST_MATCHES = 8 };

typedef struct dp_dust_core {
    dp_dust_tree          *tree;
    const dp_dust_options *o;
    uint64_t              *power;  /* [longest + 1] */
    uint64_t              *hash_x, *hash_y; /* [longest + 1] of the first units of the pair at hand */
    uint32_t               page; /* that hash_x is of; UINT32_MAX: none */
    bool                   once; /* keep a text once for two URLs */
    dp_dust_text          *text; /* [ntext] of the pair at hand */
    size_t                 ntext, text_cap;
    dp_dust_match          match[DP_DUST_MATCHES]; /* by a and b */
} dp_dust_core;

/* DP_ENOMEM. */
dp_err dp_dust_core_init(dp_dust_core *c, dp_dust_tree *tree);
void   dp_dust_core_done(dp_dust_core *c);

/* The hash of a pair's core; returns in how many places its texts may be taken out at most. */
uint32_t dp_dust_core_hash(const dp_dust_core *c, const dp_dust_pair *p, uint64_t *hash);

/* Tell the texts that add to the support of their rules. */
dp_err dp_dust_core_texts(dp_dust_core *c, const dp_dust_pair *p, dp_dust_on_texts *on_texts, void *self);

/* Of any two pages. */
uint64_t dp_dust_core_text(dp_dust_core *c, const dp_dust_pair *p, uint32_t i, uint32_t k);

/* Whether the texts of pages (a, b), with i units before and k behind, are those of `p`, the pair whose texts are being
 * told: 1, the other way round: 2. */
int dp_dust_core_same(dp_dust_core *c, uint32_t a, uint32_t b, uint32_t i, uint32_t k, const dp_dust_pair *p,
                      const dp_dust_text *text);

#endif
