/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/machine.h"
#include "base/pool.h"

/* As `taskset` does it. */
static void only_cores_that_may_be_used_count(void **state)
{
    (void)state;
    cpu_set_t all, one;
    size_t    core = 0;
    dp_pool  *pool;
    assert_int_equal(0, sched_getaffinity(0, sizeof all, &all));
    assert_int_equal(CPU_COUNT(&all), dp_machine_cores());
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    assert_int_equal(0, sched_setaffinity(0, sizeof one, &one));
    assert_int_equal(1, dp_machine_cores());
    assert_int_equal(DP_OK, dp_pool_new(&pool, 0));
    assert_int_equal(1, dp_pool_threads(pool));
    dp_pool_free(pool);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 3)); /* who asks for more gets more */
    assert_int_equal(3, dp_pool_threads(pool));
    dp_pool_free(pool);
    assert_int_equal(0, sched_setaffinity(0, sizeof all, &all));
}

static void there_is_memory(void **state)
{
    (void)state;
    assert_true(dp_machine_memory() >= 1 << 20);
}

static void time_goes_on(void **state)
{
    (void)state;
    uint64_t began = dp_clock_ms(), last = began;
    double   worked = dp_clock_thread_seconds();
    while (!dp_clock_is_due(&last, 20)) {}
    assert_true(last >= began + 20);
    assert_false(dp_clock_is_due(&last, 1000000));
    assert_true(dp_clock_ms() >= last);
    assert_true(dp_clock_thread_seconds() > worked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_cores_that_may_be_used_count),
        cmocka_unit_test(there_is_memory),
        cmocka_unit_test(time_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
