/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/strlist.h"
#include "support/failing_alloc.h"

static const char *const texts[] = {"", "a", "", "http://a.com/", "b c"};

static void gives_back_what_was_added(void **state)
{
    (void)state;
    dp_strlist l = {0};
    for (size_t i = 0; i < 5000; i++)
        assert_true(dp_strlist_add(&l, dp_str_c(texts[i % DP_COUNT(texts)])));
    assert_int_equal(5000, l.n);
    for (size_t i = 0; i < 5000; i++)
        assert_true(dp_str_eq(dp_strlist_get(&l, i), dp_str_c(texts[i % DP_COUNT(texts)])));
    dp_strlist_done(&l);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_strlist l = {0};
        bool       ok = true;
        for (size_t i = 0; i < 2000 && ok; i++)
            ok = dp_strlist_add(&l, dp_str_c(texts[i % DP_COUNT(texts)]));
        assert_int_equal(!dp_alloc_failed(), ok);
        if (!ok)
            assert_true(dp_strlist_add(&l, DP_STR("later")));
        dp_strlist_done(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_added),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
