/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/budget.h"

void dp_budget_init(dp_budget *b, uint64_t total)
{
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->given, NULL);
    b->total = total;
    b->taken = 0;
}

void dp_budget_done(dp_budget *b)
{
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->given);
}

uint64_t dp_budget_take(dp_budget *b, uint64_t need)
{
    pthread_mutex_lock(&b->lock);
    need = need < b->total ? need : b->total;
    while (b->taken + need > b->total)
        pthread_cond_wait(&b->given, &b->lock);
    b->taken += need;
    pthread_mutex_unlock(&b->lock);
    return need;
}

void dp_budget_give(dp_budget *b, uint64_t taken)
{
    pthread_mutex_lock(&b->lock);
    b->taken -= taken;
    pthread_cond_broadcast(&b->given);
    pthread_mutex_unlock(&b->lock);
}
