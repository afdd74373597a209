/* learn/settle.h - rules that passed alone, made a file that loads and does no harm as a whole.
 *
 *     those that feed themselves, or each other in a circle     the less certain are dropped
 *     those that find no end on URLs of the site                the same
 *     those that never fire behind the others                   dropped: they say what others say
 *     those that lose more than they save                       dropped, and all looked at again; at most 3 times
 *
 * Likely rules do not fire unless asked: only the first of these is about them, too, as no file may hold a circle.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SETTLE_H
#define DP_LEARN_SETTLE_H

#include "learn/joint.h"
#include "learn/verdict.h"

typedef struct dp_settlement {
    uint64_t feeding, idle, harmful; /* rules that were dropped, and why */
} dp_settlement;

/* The last run of rules together: asked again for the same rules, or for fewer of which the missing never fired, it
 * stands. A zeroed one is valid. */
typedef struct dp_settler {
    dp_program     program;
    dp_joint       joint;
    double        *p;      /* [rules] what each promises */
    dp_joint_rule *did;    /* [rules] */
    uint8_t       *active; /* [cases] that the program has; NULL: nothing was run */
} dp_settler;

void dp_settler_done(dp_settler *t);

/* Drop what cannot stand: in[i] becomes 0. DP_ENOMEM. */
dp_err dp_settle_feeding(dp_cases *c, const dp_court *court, uint8_t *in, dp_settlement *out);

/* Drop what finds no end on URLs of the site. DP_ENOMEM. */
dp_err dp_settle_endless(dp_settler *t, dp_cases *c, const dp_court *court, uint8_t *in, dp_settlement *out);

/* Both, then what is idle or harmful on the clusters of the folds in `mask`; `by` of those that stay becomes what
 * their merges rest on. Every case must have a p. */
dp_err dp_settle(dp_settler *t, dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in, dp_settlement *out);

/* Measure the rules that are in on the clusters of `fold`. */
dp_err dp_settle_measure(dp_settler *t, const dp_cases *c, const dp_court *court, uint32_t fold, const uint8_t *in,
                         dp_held_out *out);

#endif
