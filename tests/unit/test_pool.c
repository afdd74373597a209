/* base/pool: every task runs once; failures; tasks within tasks.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/pool.h"
#include "base/str.h"

enum { TASKS = 1000 };

typedef struct world {
    dp_pool    *pool;
    _Atomic int ran[TASKS];
    _Atomic int inner;
    size_t      fails_at, fails_too;
} world;

static dp_err count(void *ctx, size_t i, unsigned worker)
{
    world *w = ctx;
    assert_true(worker < dp_pool_threads(w->pool));
    w->ran[i]++;
    return i == w->fails_at ? DP_EIO : i == w->fails_too ? DP_ELIMIT : DP_OK;
}

static dp_err count_inner(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    assert_int_equal(0, worker);
    ((world *)ctx)->inner++;
    return DP_OK;
}

static dp_err nest(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    (void)worker;
    return dp_pool_run(((world *)ctx)->pool, 10, count_inner, ctx);
}

static void each_task_runs_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        world w = {.fails_at = TASKS, .fails_too = TASKS};
        assert_int_equal(DP_OK, dp_pool_new(&w.pool, threads));
        for (int round = 1; round <= 20; round++) {
            assert_int_equal(DP_OK, dp_pool_run(w.pool, TASKS, count, &w));
            for (size_t i = 0; i < TASKS; i++)
                assert_int_equal(round, w.ran[i]);
        }
        dp_pool_free(w.pool);
    }
}

static void the_least_failure_is_told(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        world w = {.fails_at = 7, .fails_too = 8};
        assert_int_equal(DP_OK, dp_pool_new(&w.pool, threads));
        assert_int_equal(DP_EIO, dp_pool_run(w.pool, TASKS, count, &w));
        assert_int_equal(1, w.ran[7]);
        assert_int_equal(0, w.ran[TASKS - 1]);
        dp_pool_free(w.pool);
    }
}

static void tasks_may_run_tasks(void **state)
{
    (void)state;
    world w = {0};
    assert_int_equal(DP_OK, dp_pool_new(&w.pool, 3));
    assert_int_equal(DP_OK, dp_pool_run(w.pool, 50, nest, &w));
    assert_int_equal(500, w.inner);
    dp_pool_free(w.pool);
}

static void none_is_a_pool_of_one(void **state)
{
    (void)state;
    world w = {.fails_at = TASKS, .fails_too = TASKS};
    assert_int_equal(1, dp_pool_threads(NULL));
    assert_int_equal(DP_OK, dp_pool_run(NULL, TASKS, count, &w));
    assert_int_equal(1, w.ran[TASKS - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_runs_once),
        cmocka_unit_test(the_least_failure_is_told),
        cmocka_unit_test(tasks_may_run_tasks),
        cmocka_unit_test(none_is_a_pool_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
