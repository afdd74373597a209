/* learn/run/budget.h - memory that tasks of one run share.
 *
 *     take(need) ── waits until there is so much ──► work ──► give(need)
 *
 * A task that needs more than there is in all waits until it is alone and then has everything: whether that is enough
 * is for the caller to know.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_BUDGET_H
#define DP_LEARN_RUN_BUDGET_H

#include <pthread.h>
#include <stdint.h>

typedef struct dp_budget {
    pthread_mutex_t lock;
    pthread_cond_t  given;
    uint64_t        total, taken;
} dp_budget;

void dp_budget_init(dp_budget *b, uint64_t total);
void dp_budget_done(dp_budget *b);

/* Returns what to give back. */
uint64_t dp_budget_take(dp_budget *b, uint64_t need);
void     dp_budget_give(dp_budget *b, uint64_t taken);

#endif
