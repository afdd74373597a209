/* learn/dust/tree.h - pairs of URLs, and the envelopes they share: the buckets of [BKS06] Figure 2 without a table.
 *
 *     ^http://a.com/ ─┬─ ann/ ─┬─ $                  a node: URLs with `depth` units in common,
 *                     │        └─ index.html $       in the order of their ends
 *                     └─ bob/ ─┬─ $
 *                              └─ index.html $
 *
 *     node of depth 9    ann/   bob/   ann/index.html   bob/index.html
 *     lcs                  0      2          1                5
 * The URLs that share the envelope (p, s) are those of the node of p that end with s: neighbours in its order, as
 * long as lcs, the units that one and the URL before it have at their ends, is at least the length of s. So buckets
 * need no table. Two URLs with i units at the beginning and k at the end in common share (i+1)(k+1) envelopes, and
 * they are met once: at the deepest node that has both. Its ancestors, which have the sizes of the other buckets, are
 * still there, because nodes are visited depth first.
 *
 * Only URLs that stand close together in a node's order can be in a bucket of at most T_high, so the walk looks at
 * a window. Two things make a bucket smaller than that run of neighbours: URLs so short that p and s overlap
 * in them (of each length at most one), and URLs whose substring is longer than S. Both are counted exactly.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_TREE_H
#define DP_LEARN_DUST_TREE_H

#include "learn/dust/site.h"

/* Two URLs: `prefix` units at the beginning and `suffix` at the end are the same. */
typedef struct dp_dust_pair {
    uint32_t x, y;
    uint32_t prefix, suffix;
    size_t   node, at; /* the node that is open, and where x stands in it */
} dp_dust_pair;

typedef struct dp_dust_node {
    size_t   from, to; /* members */
    size_t   parent;   /* SIZE_MAX: none */
    uint32_t page;     /* the first; as many as members, side by side */
    uint32_t depth;    /* units that all have in common */
    bool     open;
} dp_dust_node;

typedef struct dp_dust_tree {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    uint32_t              *member, *lcs, *up; /* [cap] up: the same page in the parent node; those of the root first */
    uint32_t              *length;            /* [cap] tokens of the URL, or S if these are less */
    size_t                 cap;
    dp_dust_node          *node; /* [node_cap] */
    size_t                 nnode, node_cap;
    uint32_t              *child;      /* [s->n] of each member of the node at hand */
    uint32_t              *kid;        /* [s->n] the same of each page */
    uint32_t              *to;         /* [s->n] where the next member of each child is put */
    uint32_t              *least;      /* [T_high + longest + 2] see window() */
    uint32_t              *before;     /* [longest + 1] tokens of the first units of `page` */
    uint32_t               page;
    struct dp_dust_run    *run;        /* [nrun] of the x at hand; see tree.c */
    struct dp_dust_level  *level;      /* [nlevel] 0: not looked for yet */
    size_t                 nrun, run_cap, nlevel, level_cap;
    uint32_t               most;       /* pairs that share no bucket of so many URLs or fewer are passed over */
    uint32_t               most_shown; /* larger buckets are not told */
    const uint8_t         *wanted;     /* [s->n] pairs of pages that have none are passed over; NULL: all */
} dp_dust_tree;

/* DP_ENOMEM. */
dp_err dp_dust_tree_init(dp_dust_tree *t, const dp_dust_site *s, const dp_dust_options *o);
void   dp_dust_tree_done(dp_dust_tree *t);

/* Called once for each pair of URLs that may share a bucket of at most `most`, at first T_high. */
typedef dp_err dp_dust_on_pair(void *self, const dp_dust_pair *p);
dp_err dp_dust_tree_walk(dp_dust_tree *t, dp_dust_on_pair *on_pair, void *self);

/* Buckets that hold a pair: their envelopes have `first` to `last` units before and `k` behind. */
typedef struct dp_dust_buckets {
    uint32_t first, last, k;
    uint32_t size; /* URLs that share each of these envelopes */
} dp_dust_buckets;

/* Called for all buckets that hold the pair and have at most `most_shown` URLs, at first T_high. While a pair is
 * looked at only. */
typedef dp_err dp_dust_on_buckets(void *self, const dp_dust_pair *p, const dp_dust_buckets *b);
dp_err dp_dust_tree_buckets(dp_dust_tree *t, const dp_dust_pair *p, dp_dust_on_buckets *on_buckets, void *self);

#endif
