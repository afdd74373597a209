/* learn/tree/anchor.h - deep tokenization: the words that all values of a key are built around.
 *
 *     cat-1205-sku-B06HW-item-ibm_128.html        *
 *     cat-1107-sku-K04ZZ-item-dell_12.html        └ cat-*.html
 *     cat-7770-sort-price.html                      ├ cat-*-sku-*-item-*.html      1205 | B06HW | ibm_128
 *     cat-7771-sort-name.html                       └ cat-*-sort-*.html            7770 | price
 *
 * WSDM'10, algorithms 1 and 2. url/deep.h cuts one value into candidate anchors; here it is decided, over all values of
 * a key on a host, which of them are anchors. Candidates with the same neighbours form a cluster; the clusters that
 * span nearly all values with few different texts are selected; the pattern is refined by them, and each child pattern
 * with its values again, until nothing is selected. The paper names no thresholds; ours are the options below, and
 * docs/algorithms/tree.md says how they were found.
 *
 * The tree itself is not kept: its leaves are. A value belongs to the first pattern that fits it, by the very matching
 * that rules use (docs/rule-format.md, "Matching"), so what is learned here and what a rule will do are the same.
 *
 * Invariants:
 *   - Literals and pieces of a value, joined, give the value back; pieces are never empty.
 *   - A pattern has at least one piece and one literal byte; between two pieces there is a literal.
 *   - The result depends on the set of values and the options alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_ANCHOR_H
#define DP_LEARN_TREE_ANCHOR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum { DP_ANCHOR_PIECES = 16 /* of a pattern at most */ };

typedef struct dp_anchor_options {
    uint32_t least;    /* values that a node needs to be refined */
    double   coverage; /* share of the values that a cluster must span, with texts that are not rare */
    uint32_t unique;   /* different texts that it may have; at most 15 */
    double   rare;     /* share of the values that each text needs, and two values at least */
    double   spread;   /* standard deviation / mean of how often its texts occur, at most */
    uint32_t depth;    /* of the tree at most */
} dp_anchor_options;

#define DP_ANCHOR_OPTIONS_INIT {.least = 10, .coverage = 0.95, .unique = 8, .rare = 0.05, .spread = 1.5, .depth = 16}

typedef struct dp_anchor_pattern {
    dp_str  text;    /* "tt*" */
    dp_str *literal; /* [npiece + 1] before, between and behind the pieces; the first and the last may be empty */
    size_t  npiece;
    uint8_t at[DP_ANCHOR_PIECES]; /* place of each piece among the deep tokens, from 1; those of literals count */
    uint8_t ntoken;  /* deep tokens: pieces, words and delimiters; 255: as many or more */
    size_t  nvalue;  /* of those it was learned from */
} dp_anchor_pattern;

typedef struct dp_anchor_patterns {
    dp_anchor_pattern *v; /* [n] more literal bytes first, then by text */
    size_t             n;
} dp_anchor_patterns;

/* The patterns of `n` distinct values; they lie in `a`. Values with a raw * are passed over: it is an erased
 * part. DP_ENOMEM; `*out` is untouched then. */
dp_err dp_anchor_learn(dp_anchor_patterns *out, const dp_str *value, size_t n, const dp_anchor_options *o,
                       dp_arena *a);

/* Whether `p` fits `value`; then piece[0] to piece[p->npiece - 1] are its pieces. */
bool dp_anchor_split(const dp_anchor_pattern *p, dp_str value, dp_str *piece);

/* The place of piece `k` among the deep tokens of its value, from 1: i of k(x.i, y.j), or j, from the end. */
static inline uint32_t dp_anchor_place(const dp_anchor_pattern *p, size_t k, bool from_end)
{
    return from_end ? p->ntoken - p->at[k] + 1u : p->at[k];
}

/* The inverse of dp_anchor_split. */
void dp_anchor_join(dp_buf *out, const dp_anchor_pattern *p, const dp_str *piece);

#endif
