/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "live/spread.h"

enum { ITEMS = 900, NOTES = 100, ALL = ITEMS + NOTES + 2 };

static dp_str url_of(char *room, size_t size, size_t i)
{
    int n = i < ITEMS           ? snprintf(room, size, "http://a.com/item?id=%zu&sid=%zu", i, i * 7)
            : i < ITEMS + NOTES ? snprintf(room, size, "http://a.com/notes/n%zu.html", i)
                                : snprintf(room, size, "http://a.com/%s", i == ALL - 1 ? "" : "about/us/");
    return (dp_str){room, (size_t)n};
}

static void fill(dp_spread *s, bool backwards, uint64_t seed)
{
    char room[100];
    for (size_t i = 0; i < 2 * ALL; i++) { /* each twice */
        size_t k = i % ALL;
        assert_int_equal(DP_OK, dp_spread_add(s, url_of(room, sizeof room, backwards ? ALL - 1 - k : k), seed));
    }
    dp_spread_finish(s);
}

static void forms_get_what_the_root_of_their_size_is_worth(void **state)
{
    (void)state;
    dp_spread s = {0};
    size_t    items = 0, notes = 0;
    fill(&s, false, 1);
    assert_int_equal(ALL, s.urls.n);
    assert_int_equal(4, s.forms);
    for (size_t i = 0; i < 44; i++) {
        dp_str url = dp_spread_get(&s, i);
        items += dp_str_starts(url, DP_STR("http://a.com/item?"));
        notes += dp_str_starts(url, DP_STR("http://a.com/notes/"));
    }
    assert_in_range(items, 30, 34); /* 3 : 1 */
    assert_in_range(notes, 9, 12);
    dp_spread_done(&s);
}

static void order_depends_on_urls_and_seed(void **state)
{
    (void)state;
    dp_spread one = {0}, turned = {0}, other = {0};
    size_t    same = 0;
    fill(&one, false, 1);
    fill(&turned, true, 1);
    fill(&other, false, 2);
    for (size_t i = 0; i < ALL; i++) {
        assert_true(dp_str_eq(dp_spread_get(&one, i), dp_spread_get(&turned, i)));
        same += dp_str_eq(dp_spread_get(&one, i), dp_spread_get(&other, i));
    }
    assert_true(same < ALL / 10);
    dp_spread_done(&one);
    dp_spread_done(&turned);
    dp_spread_done(&other);
}

static void names_of_parameters_are_a_form_whatever_their_order(void **state)
{
    (void)state;
    static const char *const urls[] = {"http://a.com/x?a=1&b=2", "http://a.com/y?b=9&a=3", "http://a.com/z?b=9",
                                       "http://a.com/z?a&b",     "http://b.com/x?a=1&b=2", "http://a.com/x/?a=1&b=2"};
    dp_spread s = {0};
    for (size_t i = 0; i < DP_COUNT(urls); i++)
        assert_int_equal(DP_OK, dp_spread_add(&s, dp_str_c(urls[i]), 1));
    dp_spread_finish(&s);
    assert_int_equal(4, s.forms);
    dp_spread_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_get_what_the_root_of_their_size_is_worth),
        cmocka_unit_test(order_depends_on_urls_and_seed),
        cmocka_unit_test(names_of_parameters_are_a_form_whatever_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
