/* learn/seq2seq/majority.h - what most URLs of a template became in training.
 *
 *     questions arg_1 arg_2     98 URLs -> q arg_1     2 URLs -> questions arg_1         q arg_1, share .98
 *
 * A template whose URLs nearly all became one needs no network. The network is for templates that were never seen, or
 * whose URLs became several (glossary.h asks both, in this order).
 *
 * Invariants:
 *   - Rows are sorted by their source (dp_seq_order); each source has one.
 *   - Only clusters that are learned from count, not those held out.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_MAJORITY_H
#define DP_LEARN_SEQ2SEQ_MAJORITY_H

#include "learn/seq2seq/pairs.h"

typedef struct dp_majority_row {
    const uint32_t *source, *target; /* [nsource], [ntarget] */
    uint32_t        nsource, ntarget;
    float           share;           /* of the source's URLs that became the target */
} dp_majority_row;

/* A zeroed one is valid and empty. */
typedef struct dp_majority {
    dp_majority_row *v; /* [n] */
    size_t           n;
} dp_majority;

/* Everything is copied into `a`. DP_ENOMEM. */
dp_err dp_majority_make(dp_majority *out, const dp_seq_pairs *pairs, dp_arena *a);

/* The row of a template; NULL: it was not seen. */
const dp_majority_row *dp_majority_find(const dp_majority *m, const uint32_t *id, uint32_t n);

#endif
