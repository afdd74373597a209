/* learn/recount.h - the inside of dp_recount of dustpan.h: what recount.c and study.c share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RECOUNT_H
#define DP_LEARN_RECOUNT_H

#include "learn/counting.h"
#include "learn/fragment.h"

struct dp_recount {
    const dp_learner *l;
    dp_fragments      found; /* the one that is counted */
    dp_counting       sum;
    dp_buf           *data;  /* [sum.parts] of the last split */
};

#endif
