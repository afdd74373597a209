/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "live/branches.h"
#include "rule/rulefile.h"

static const struct {
    const char *rule, *url;
    size_t      n;
    uint64_t    has;
} cases[] = {
    {"drop ?color,utm_*", "http://a.com/a?color=red", 2, 1},
    {"drop ?color,utm_*", "http://a.com/a?x=color&utm_source=b&color", 2, 3},
    {"drop ?color,utm_*", "http://a.com/color/utm_source?xcolor=1", 2, 0},
    {"erase ;sid,tid", "http://a.com/a;tid=1/b?sid=2;sid", 2, 2},
    {"/{a}/{v=en|ru}/{**} => /{a}/{**}", "http://a.com/a/ru/b", 2, 2},
    {"/{a}/{v=en|ru}/{**} => /{a}/{**}", "http://a.com/a/run/den", 2, 0},
    {"drop ?color", "http://a.com/a?color=red", 0, 0}, /* no list */
};

static void what_a_url_has_of_a_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_arena    a = {0};
        dp_buf      text = {0};
        dp_rules   *rules = NULL;
        dp_branches b;
        dp_buf_printf(&text, "dustpan-rules 1\nhost a.com\n%s\n", cases[i].rule);
        assert_int_equal(DP_OK, dp_rules_new(&rules));
        assert_int_equal(DP_OK, dp_rules_parse(rules, "text", text.p, text.n, NULL));
        assert_int_equal(DP_OK, dp_branches_take(&b, rules->rule[0], &a));
        assert_int_equal(cases[i].n, b.n);
        assert_int_equal(cases[i].has, dp_branches_of(&b, dp_str_c(cases[i].url)));
        dp_rules_free(rules);
        dp_buf_done(&text);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_url_has_of_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
