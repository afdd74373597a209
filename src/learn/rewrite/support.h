/* learn/rewrite/support.h - what the URLs of a site say of a rule: pairs (u, v) with v = r(u).
 *
 *     rules by (keys and stars of v, of u)      maps by keys
 *         │                                        │
 *         └── each map u: hash of its context ──► rules that match it ──► hash of r(u) ──► v
 *
 * KDD 2008, Definitions 4 and 5. Without * in the transformation v is one URL, found by its hash; with it, v is any
 * that equals r(u) at the other keys and has a text where the star is, and pairs are counted by groups, never listed.
 * u is a map of the clusters learned from, v any but u. Linear in the maps for each kind of context and transformation
 * that rules have.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_SUPPORT_H
#define DP_LEARN_REWRITE_SUPPORT_H

#include "base/index.h"
#include "base/keyed.h"
#include "base/pool.h"
#include "learn/rewrite/rule.h"

/* The maps, to be found by their keys and by their hash. */
typedef struct dp_rw_index {
    const dp_book *book;
    const dp_site *site;
    const uint8_t *is_source; /* [book.n] */
    dp_keyed      *by_keys;   /* [book.n] */
    dp_index       by_hash;
} dp_rw_index;

/* `folds`: sources are the maps of clusters in these. What goes by keys is in `a`. DP_ENOMEM; dp_rw_index_done gives
 * back what there is, also then. */
dp_err dp_rw_index_init(dp_rw_index *out, const dp_book *b, const dp_site *s, uint32_t folds, dp_arena *a);
void   dp_rw_index_done(dp_rw_index *x);

typedef struct dp_rw_count {
    uint64_t matched;        /* S: sources that match the context */
    uint64_t explained;      /* T: of them with a v of the same cluster */
    uint64_t unchanged;      /* of them that the rule leaves as they are: r(u) = u */
    uint64_t support, wrong; /* pairs; those of two clusters */
    uint32_t by;             /* 1 << dp_by of explained ones */
} dp_rw_count;

/* Count for rules which[0 .. n), into out[0 .. n). DP_ENOMEM. */
dp_err dp_rw_support(dp_rw_count *out, const dp_rw_index *x, const dp_rw_rules *rules, const uint32_t *which,
                     uint32_t n, dp_pool *pool);

#endif
