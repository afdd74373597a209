/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "live/queue.h"
#include "support/failing_alloc.h"

static uint32_t must_next(dp_queue *q, int64_t now)
{
    uint32_t item;
    assert_true(dp_queue_next(q, now, &item));
    return item;
}

static void must_wait(dp_queue *q, int64_t now)
{
    uint32_t item;
    assert_false(dp_queue_next(q, now, &item));
}

static void one_host_is_asked_at_its_rate(void **state)
{
    (void)state;
    dp_queue *q;
    dp_str    a = DP_STR("a.com");
    assert_int_equal(DP_OK, dp_queue_new(&q, 4, 10));
    for (uint32_t i = 1; i <= 3; i++)
        assert_int_equal(DP_OK, dp_queue_add(q, a, i));
    assert_int_equal(0, dp_queue_wait(q, 1000));
    assert_int_equal(1, must_next(q, 1000));
    assert_int_equal(-1, dp_queue_wait(q, 1000)); /* it is out: time alone does not help */
    must_wait(q, 5000);
    dp_queue_done(q, a, 1010, 0);
    must_wait(q, 1249);
    assert_int_equal(1, dp_queue_wait(q, 1249));
    assert_int_equal(2, must_next(q, 1250));
    dp_queue_done(q, a, 9000, 0); /* it took long: the next may follow at once */
    assert_int_equal(3, must_next(q, 9000));
    assert_int_equal(0, dp_queue_size(q));
    dp_queue_free(q);
}

static void a_host_rests_after_a_failure(void **state)
{
    (void)state;
    dp_queue *q;
    dp_str    a = DP_STR("a.com");
    assert_int_equal(DP_OK, dp_queue_new(&q, 10, 10));
    assert_int_equal(DP_OK, dp_queue_add(q, a, 1));
    assert_int_equal(DP_OK, dp_queue_add(q, a, 2));
    assert_int_equal(1, must_next(q, 0));
    assert_int_equal(DP_OK, dp_queue_add_first(q, a, 1));
    dp_queue_done(q, a, 50, 400);
    must_wait(q, 449);
    assert_int_equal(1, must_next(q, 450)); /* the one that failed comes first */
    dp_queue_done(q, a, 460, 0);
    assert_int_equal(2, must_next(q, 550));
    dp_queue_free(q);
}

static void a_host_may_want_more_time(void **state)
{
    (void)state;
    dp_queue *q;
    dp_str    a = DP_STR("a.com");
    assert_int_equal(DP_OK, dp_queue_new(&q, 10, 10));
    for (uint32_t i = 1; i <= 3; i++)
        assert_int_equal(DP_OK, dp_queue_add(q, a, i));
    assert_int_equal(1, must_next(q, 0));
    assert_int_equal(DP_OK, dp_queue_delay(q, a, 2.5)); /* from the request on that said so */
    assert_int_equal(DP_OK, dp_queue_delay(q, a, .01)); /* less than the rate is nothing */
    dp_queue_done(q, a, 10, 0);
    must_wait(q, 2499);
    assert_int_equal(2, must_next(q, 2500));
    dp_queue_done(q, a, 2501, 0);
    must_wait(q, 4999);
    assert_int_equal(3, must_next(q, 5000));
    dp_queue_free(q);
}

static void hosts_do_not_wait_for_each_other(void **state)
{
    (void)state;
    dp_queue *q;
    assert_int_equal(DP_OK, dp_queue_new(&q, 1, 2));
    assert_int_equal(DP_OK, dp_queue_add(q, DP_STR("a.com"), 1));
    assert_int_equal(DP_OK, dp_queue_add(q, DP_STR("b.com"), 2));
    assert_int_equal(DP_OK, dp_queue_add(q, DP_STR("c.com"), 3));
    assert_int_equal(1, must_next(q, 0));
    assert_int_equal(2, must_next(q, 0));
    must_wait(q, 0); /* two at a time */
    assert_int_equal(-1, dp_queue_wait(q, 0));
    dp_queue_done(q, DP_STR("b.com"), 5, 0);
    assert_int_equal(3, must_next(q, 5));
    dp_queue_free(q);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_queue *q = NULL;
        dp_err    e = dp_queue_new(&q, 1, 1);
        for (uint32_t i = 0; i < 20 && e == DP_OK; i++) {
            char host[8] = {(char)('a' + i)};
            e = dp_queue_add(q, dp_str_c(host), i);
        }
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_queue_free(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_host_is_asked_at_its_rate),
        cmocka_unit_test(a_host_rests_after_a_failure),
        cmocka_unit_test(a_host_may_want_more_time),
        cmocka_unit_test(hosts_do_not_wait_for_each_other),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
