/* learn/duster/trial.h - what pages say of candidates: the validation of the paper.
 *
 *     candidates ── rule file ──► engine ──► judge/replay on all URLs ──► votes of pages
 *
 * A page votes when a candidate gives one of its URLs the form of another URL: support. It is a false positive when
 * that URL is of another page. Both are counted in pages, as everywhere (judge/trial.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_TRIAL_H
#define DP_LEARN_DUSTER_TRIAL_H

#include "learn/duster/candidate.h"

/* Who is asked, and what is good. */
typedef struct dp_duster_test {
    uint32_t folds;       /* of pages that vote: 1 << fold */
    uint32_t min_support; /* votes that a good candidate has at least */
    double   max_fpr;     /* share of them against it, at most */
    dp_pool *pool;        /* may be NULL */
} dp_duster_test;

static inline bool dp_duster_is_good(const dp_duster_candidate *c, uint32_t min_support, double max_fpr)
{
    return c->votes && c->votes >= min_support && (double)c->wrong <= max_fpr * (double)c->votes;
}

/* Fill in the votes of candidates, 0 for one that cannot be read, level after level; special cases of good ones are
 * taken out and not tried. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_duster_try(dp_duster_candidates *c, const dp_duster_lesson *l, const dp_duster_test *t);

#endif
