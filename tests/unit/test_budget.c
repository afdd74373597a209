/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/machine.h"
#include "base/pool.h"
#include "learn/run/budget.h"

/* The sums of the table in the header, for round and for odd sizes. */
static void no_step_takes_more_than_there_is(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 79, 1 << 20, 1000003, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t m = sizes[i], share[DP_SHARES];
        for (int s = 0; s < DP_SHARES; s++)
            share[s] = dp_share_of(m, (dp_share)s);
        assert_true(share[DP_SHARE_FACTS] + share[DP_SHARE_SHARING] <= m / 2);
        assert_true(share[DP_SHARE_DOMAINS] + share[DP_SHARE_PRESENCES] <= m - m / 8);
        assert_true(share[DP_SHARE_FACTS] <= share[DP_SHARE_DOMAINS]); /* so that something is left for domains */
        assert_true(share[DP_SHARE_FACTS] + share[DP_SHARE_MOVED] <= m);
        assert_true(share[DP_SHARE_PARTS] + share[DP_SHARE_COUNTED] <= m);
    }
    assert_true(dp_machine_usual_memory() <= dp_machine_memory() / 2);
}

enum { TASKS = 200, ALL = 10 };

typedef struct watched {
    dp_budget       budget;
    pthread_mutex_t lock;
    uint64_t        taken, most;
    bool            wrong; /* a task had not what it needs */
} watched;

static dp_err work(void *ctx, size_t i, unsigned worker)
{
    watched *w = ctx;
    uint64_t need = i % 17, taken = dp_budget_take(&w->budget, need);
    (void)worker;
    pthread_mutex_lock(&w->lock);
    w->wrong |= taken != (need < ALL ? need : ALL);
    w->taken += taken;
    w->most = w->taken > w->most ? w->taken : w->most;
    pthread_mutex_unlock(&w->lock);
    pthread_mutex_lock(&w->lock);
    w->taken -= taken;
    pthread_mutex_unlock(&w->lock);
    dp_budget_give(&w->budget, taken);
    return DP_OK;
}

/* Tasks on four threads never have more than all; one that needs more has everything. */
static void tasks_share_what_there_is(void **state)
{
    (void)state;
    watched  w = {.taken = 0};
    dp_pool *pool = NULL;
    dp_budget_init(&w.budget, ALL);
    pthread_mutex_init(&w.lock, NULL);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 4));
    assert_int_equal(DP_OK, dp_pool_run(pool, TASKS, work, &w));
    assert_true(w.most <= ALL && w.taken == 0 && !w.wrong);
    dp_pool_free(pool);
    pthread_mutex_destroy(&w.lock);
    dp_budget_done(&w.budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_takes_more_than_there_is),
        cmocka_unit_test(tasks_share_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
