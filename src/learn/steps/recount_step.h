/* learn/steps/recount_step.h - the inside of dp_recount_step of dustpan.h: what recount_step.c and site_step.c share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_STEPS_RECOUNT_STEP_H
#define DP_LEARN_STEPS_RECOUNT_STEP_H

#include "learn/recount/recount.h"
#include "learn/run/site_result.h"

struct dp_recount_step {
    const dp_learner *l;
    dp_site_results   found; /* the one that is counted */
    dp_recount        sum;
    dp_buf           *data;  /* [sum.parts] of the last split */
};

#endif
