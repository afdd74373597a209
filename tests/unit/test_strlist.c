/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "base/words/strsort.h"
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

/* Strings of few bytes, NUL among them, with beginnings in common: of the length of a key, less and more. */
static void draw(dp_strlist *l, dp_rng *g, size_t n)
{
    char text[40];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < n; i++) {
        size_t from = dp_rng_below(g, 4) * 8, end = from + dp_rng_below(g, 9);
        for (size_t k = from; k < end; k++)
            text[k] = "\0ab\xFF"[dp_rng_below(g, 4)];
        assert_true(dp_strlist_add(l, (dp_str){text, end}));
    }
}

static void sorts_by_text(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dp_strlist l = {0};
        dp_rng     g = dp_rng_seed(seed);
        size_t     n = dp_rng_below(&g, seed % 3 ? 60 : 2000);
        uint32_t  *v = malloc((n + 1) * sizeof *v);
        draw(&l, &g, n);
        for (size_t i = 0; i < n; i++)
            v[i] = (uint32_t)i;
        assert_true(dp_strlist_sort(&l, v, n));
        for (size_t i = 1; i < n; i++) {
            int c = dp_str_cmp(dp_strlist_get(&l, v[i - 1]), dp_strlist_get(&l, v[i]));
            if (c > 0 || (c == 0 && v[i - 1] >= v[i]))
                fail_msg("seed %u: %zu and %zu are not in order", (unsigned)seed, i - 1, i);
        }
        free(v);
        dp_strlist_done(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_added),
        cmocka_unit_test(sorts_by_text),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
