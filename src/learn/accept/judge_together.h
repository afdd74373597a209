/* learn/accept/judge_together.h - rules that passed alone, made a file that loads and does no harm as a whole.
 *
 *     those that feed themselves, or each other in a circle     the less certain are dropped
 *     those that find no end on URLs of the site                the same
 *     those that never fire behind the others                   dropped: they say what others say
 *     those that lose more than they save                       dropped, and all looked at again; at most 3 times
 *
 * Likely rules do not fire unless asked: only the first of these is about them, too, as no file may hold a circle.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_JUDGE_TOGETHER_H
#define DP_LEARN_ACCEPT_JUDGE_TOGETHER_H

#include "learn/accept/run_together.h"
#include "learn/accept/judge_each.h"

typedef struct dp_rules_dropped {
    uint64_t feeding, idle, harmful; /* rules that were dropped, and why */
} dp_rules_dropped;

/* The last run of rules together: asked again for the same rules, or for fewer of which the missing never fired, it
 * stands. A zeroed one is valid. */
typedef struct dp_last_run {
    dp_program        program;
    dp_together       together;
    double           *p;      /* [rules] what each promises */
    dp_together_rule *did;    /* [rules] */
    uint8_t          *active; /* [cases] that the program has; NULL: nothing was run */
} dp_last_run;

void dp_last_run_done(dp_last_run *t);

/* The hash of each URL's key by the last run, 0 where it is not known, malloc'd and the caller's; NULL: there was no
 * run, or it had no end on some URL. */
uint64_t *dp_last_run_keys(dp_last_run *t);

/* Drop what cannot stand: in[i] becomes 0. DP_ENOMEM. */
dp_err dp_judge_feeding(dp_cases *c, const dp_court *court, uint8_t *in, dp_rules_dropped *out);

/* Drop what finds no end on URLs of the site. DP_ENOMEM. */
dp_err dp_judge_endless(dp_last_run *t, dp_cases *c, const dp_court *court, uint8_t *in, dp_rules_dropped *out);

/* Both, then what is idle or harmful on the clusters of the folds in `mask`; `by` of those that stay becomes what
 * their merges rest on. Every case must have a p. */
dp_err dp_judge_together(dp_last_run *t, dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in,
                         dp_rules_dropped *out);

/* Measure the rules that are in on the clusters of `fold`. */
dp_err dp_judge_measure(dp_last_run *t, const dp_cases *c, const dp_court *court, uint32_t fold, const uint8_t *in,
                         dp_held_out_result *out);

#endif
