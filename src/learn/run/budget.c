/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/budget.h"

static const struct {
    unsigned part, of;
} shares[DP_SHARES] = {
    [DP_SHARE_FACTS] = {2, 5},   [DP_SHARE_SHARING] = {1, 16}, [DP_SHARE_LOGLINES] = {1, 8},
    [DP_SHARE_PRESENCES] = {1, 8},
    [DP_SHARE_DOMAINS] = {3, 4}, [DP_SHARE_MOVED] = {1, 8},    [DP_SHARE_HEAVY] = {1, 8},
    [DP_SHARE_SLOTS] = {1, 8},   [DP_SHARE_PARTS] = {1, 4},    [DP_SHARE_COUNTED] = {3, 4},
};

uint64_t dp_share_of(uint64_t memory, dp_share s)
{
    return memory / shares[s].of * shares[s].part;
}

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
