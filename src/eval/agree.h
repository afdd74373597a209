/* eval/agree.h - one vote a cluster, as far as it agrees: a count of votes that a few wrong labels do not drown.
 *
 *     a group of 10 URLs, 9 of page A and one of X         judge/trial.h:  A and X vote against
 *                                                          here:           both agree by (10 - 2) / (10 - 1) = .89
 *
 * Of a page with ten URLs one has a wrong label with ten times the chance of a single URL, and takes the whole vote
 * with it: with 2 % wrong labels, rules that are right have 20 % of the votes against them. A cluster's share, its good
 * merges among all merges of the groups that hold a changed URL of it, falls by the rate of wrong labels alone, however
 * large the groups are. Two pages that a wrong rule joins, each with one URL, still agree by 0.
 *
 * eval/samples.c walks the groups of one rule after another.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_AGREE_H
#define DP_EVAL_AGREE_H

#include "judge/bound.h"
#include "judge/groups.h"

typedef struct dp_agree {
    dp_stamps stamps;
    uint32_t *good, *all; /* [clusters] merges of the groups it votes by */
    uint32_t *voter;      /* [nvoter]; marked in stamps */
    size_t    nvoter;
} dp_agree;

/* DP_ENOMEM; dp_agree_done takes what was made. */
dp_err dp_agree_init(dp_agree *g, uint32_t clusters);
void   dp_agree_done(dp_agree *g);

/* Add a group of two or more URLs, `changed` by the rule at hand and `still`. */
void dp_agree_add(dp_agree *g, const uint32_t *cluster, const dp_member *changed, size_t nchanged,
                  const dp_member *still, size_t nstill);

/* The votes on the rule, whose groups are complete; ready for the next. */
dp_votes dp_agree_votes(dp_agree *g);

#endif
