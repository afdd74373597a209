/* learn/seq2seq/pairs.h - what the network is trained on: templates and the templates they should become.
 *
 *     cluster  { /q/7  /questions/7/why  /questions/7 }      canonical: fewest tokens, in the leading domain
 *     pairs    q arg_1 -> q arg_1      questions arg_1 arg_2 -> q arg_1      questions arg_1 -> q arg_1
 *
 * Every URL of a cluster of two or more is paired with the cluster's canonical URL, itself included (Xu et al. 2017,
 * section 2.3). Pairs of equal templates are one pair with their number as weight. A pair whose target has an
 * argument that its source lacks cannot be learned and is counted.
 *
 * The paper leaves out clusters of one URL, and its network then makes something of templates that it has never seen.
 * With `singles`, the templates that only such URLs have are paired with themselves.
 *
 * Invariants:
 *   - Pairs are sorted by their ids: the result depends on the set of URLs and clusters alone.
 *   - One cluster in ten is held out, by a hash of its first URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_PAIRS_H
#define DP_LEARN_SEQ2SEQ_PAIRS_H

#include "learn/seq2seq/vocab.h"
#include "site/site.h"

typedef struct dp_seq_pair {
    const uint32_t *source, *target; /* [nsource], [ntarget]; targets without their end */
    uint32_t        nsource, ntarget;
    uint32_t        weight, held;    /* URLs of clusters that are learned from, held out */
} dp_seq_pair;

typedef struct dp_seq_pairs {
    dp_seq_pair *v; /* [n]; all in the arena given */
    size_t       n;
    uint32_t     clusters;  /* of two URLs or more, of the folds asked for */
    uint64_t     urls;      /* that they have */
    uint64_t     unsayable; /* of them, those whose target has an argument of its own, or that are too long */
} dp_seq_pairs;

/* The order of templates: shorter ones first, then by their ids. Below, at or above 0. */
int dp_seq_order(const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb);

/* Whether the cluster of URL `first`, the first of its cluster in the site, is held out. */
bool dp_seq_is_held(dp_str first);

typedef struct dp_pairs_options {
    uint32_t folds;   /* bits: of clusters of these folds alone */
    bool     singles;
} dp_pairs_options;

/* canonical: of each cluster, the number of its canonical URL (canonical.h). DP_ENOMEM. */
dp_err dp_seq_pairs_make(dp_seq_pairs *out, const dp_site *s, const dp_vocab *v, dp_pairs_options o,
                         const uint32_t *canonical, dp_arena *a);

#endif
