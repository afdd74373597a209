/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "live/draws.h"

static const char text[] = "dustpan-rules 1\nhost any\nlikely drop ?sid\n";

enum { PAGES = 50, SIDS = 4 };

/* Each page under four session ids, of which one is asked for more than the others: that of its number. */
static dp_draws *make(dp_rules **rules, bool backwards)
{
    dp_draws *d = NULL;
    char      url[64];
    bool      is_url;
    assert_int_equal(DP_OK, dp_rules_new(rules));
    assert_int_equal(DP_OK, dp_rules_parse(*rules, "text", text, sizeof text - 1, NULL));
    assert_int_equal(DP_OK, dp_draws_new(&d, *rules, 1, NULL));
    for (int k = 0; k < PAGES * SIDS; k++) {
        int i = backwards ? PAGES * SIDS - 1 - k : k, page = i / SIDS, sid = i % SIDS;
        snprintf(url, sizeof url, "http://a.com/p%d?sid=%d", page, sid);
        for (int times = 0; times < 2; times++) /* hits of a URL that comes twice are added up */
            assert_int_equal(DP_OK, dp_draws_add(d, dp_str_c(url), sid == page % SIDS ? 3 : 2, &is_url));
        assert_true(is_url);
    }
    assert_int_equal(DP_OK, dp_draws_finish(d));
    return d;
}

static void what_is_asked_for_most_comes_first(void **state)
{
    (void)state;
    dp_rules *rules[2] = {NULL, NULL};
    dp_draws *d = make(&rules[0], false), *turned = make(&rules[1], true);
    dp_drawn  one, other;
    size_t    in_order = 0;
    assert_int_equal(PAGES * SIDS, dp_draws_direct(d, 0, DP_AS_WRITTEN));
    for (size_t i = 0; i < PAGES * SIDS; i++) {
        int page = -1, sid = -1;
        assert_int_equal(DP_OK, dp_draws_get(d, 0, DP_AS_WRITTEN, false, i, &one));
        assert_int_equal(DP_OK, dp_draws_get(turned, 0, DP_AS_WRITTEN, false, i, &other));
        assert_true(dp_str_eq(one.u, other.u));
        assert_int_equal(2, sscanf(one.u.p, "http://a.com/p%d?sid=%d", &page, &sid));
        assert_int_equal(i < PAGES, sid == page % SIDS); /* one of each page, then the others */
        in_order += page == (int)(i % PAGES);
    }
    assert_true(in_order < PAGES);
    assert_int_equal(PAGES * (SIDS - 1), dp_draws_pairs(d, 0, DP_AS_WRITTEN));
    dp_draws_free(d);
    dp_draws_free(turned);
    dp_rules_free(rules[0]);
    dp_rules_free(rules[1]);
}

/* Of 200 URLs with ?ref four also have ?color: all of them are among the first eight draws, and pairs too. */
static void each_name_of_a_list_has_its_turn(void **state)
{
    (void)state;
    static const char two[] = "dustpan-rules 1\nhost any\nlikely drop ?color,ref\n";
    dp_rules *rules = NULL;
    dp_draws *d = NULL;
    dp_drawn  one;
    char      url[64];
    bool      is_url;
    size_t    found = 0;
    assert_int_equal(DP_OK, dp_rules_new(&rules));
    assert_int_equal(DP_OK, dp_rules_parse(rules, "text", two, sizeof two - 1, NULL));
    assert_int_equal(DP_OK, dp_draws_new(&d, rules, 1, NULL));
    for (int i = 0; i < 200; i++) {
        snprintf(url, sizeof url, "http://a.com/p%d?ref=%d%s", i, i, i % PAGES ? "" : "&color=red");
        assert_int_equal(DP_OK, dp_draws_add(d, dp_str_c(url), i % PAGES ? 90 : 1, &is_url));
    }
    assert_int_equal(DP_OK, dp_draws_finish(d));
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(DP_OK, dp_draws_get(d, 0, DP_AS_WRITTEN, false, i, &one));
        found += memmem(one.u.p, one.u.n, "color", 5) != NULL;
    }
    assert_int_equal(4, found);
    dp_draws_free(d);
    dp_rules_free(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_asked_for_most_comes_first),
                                       cmocka_unit_test(each_name_of_a_list_has_its_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
