/* learn/tree/trial.h - the trial of a host's candidates, a round at a time.
 *
 *     rounds: said ─► record: what each does ─► court: precision ─► choice: kept
 *             ▲                                                   │
 *             └────── which are sure, which pairs they explain ◄──┘
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_TRIAL_H
#define DP_LEARN_TREE_TRIAL_H

#include "learn/tree/record.h"

/* Candidates of one host from one choice of folds. */
typedef struct dp_tree_trial {
    const dp_tree_court *court;
    dp_tree_record      *record; /* of the host; the caller's */
    dp_tree_case         of;
    dp_pool             *pool; /* may be NULL */
    dp_tree_candidates   v;
    uint32_t             tried; /* of them */
} dp_tree_trial;

void dp_tree_trial_done(dp_tree_trial *t);

/* Try those that were added since the last round to t[0 .. n), which have the host and its record in common: what is
 * new in any of them is run at once. DP_ENOMEM. */
dp_err dp_tree_trial_round(dp_tree_trial *t, size_t n);

/* Pairs of URLs of the site, of one class. */
typedef struct dp_tree_sample {
    const uint32_t *u, *v; /* [n] */
    size_t          n;
    size_t          enough; /* that must have one key */
    bool            same;   /* out: so many have, under the candidates that are sure */
} dp_tree_sample;

/* Ask that of `n` samples. DP_ENOMEM. */
dp_err dp_tree_trial_explain(const dp_tree_trial *t, dp_tree_sample *sample, size_t n);

#endif
