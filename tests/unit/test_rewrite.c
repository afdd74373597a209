/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/fold.h"
#include "learn/rewrite/rewrite.h"
#include "learn/rewrite/book.h"
#include "support/failing_alloc.h"
#include "support/little_site.h"

static dp_err learn(little_site *w, const dp_rewrite_options *o, dp_accept accept, uint32_t folds, dp_pool *pool)
{
    return little_learn(w, &dp_method_rewrite, o, accept, folds, pool);
}

static const dp_rewrite_options defaults = DP_REWRITE_OPTIONS_INIT;

static void add_sessions(little_site *w, int pages, int sessions)
{
    for (int i = 0; i < pages; i++)
        for (int j = 0; j < sessions; j++)
            little_add(w, "s%d http://a.com/show?id=%d&sid=%dx", i, i, 1000 * i + j);
}

static void fan_out_decides(void **state)
{
    (void)state;
    for (int n = 10; n <= 11; n++) {
        little_site w = little_new(200);
        add_sessions(&w, n, 11);
        assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
        const dp_proposal *p = little_find(&w, "/show?id={id}&sid=* => /show?id={id}&sid=*");
        assert_non_null(p);
        assert_int_equal(n * 11 * 10, p->n);
        assert_int_equal(0, p->neg);
        assert_true(p->passes);
        assert_int_equal(1, w.out.n); /* what it covers is left out for the judge */
        little_done(&w);
    }
    little_site w = little_new(200);
    add_sessions(&w, 9, 11);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
    assert_null(little_find(&w, "/show?id={id}&sid=* => /show?id={id}&sid=*"));
    assert_int_equal(9, w.out.n); /* one for each id */
    little_done(&w);
}

static void the_paper_keeps_special_rules(void **state)
{
    (void)state;
    little_site w = little_new(200);
    add_sessions(&w, 10, 11);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, NULL));
    assert_int_equal(11, w.out.n);
    assert_true(dp_str_eq(w.out.v[10].text, DP_STR("/show?id={id}&sid=* => /show?id={id}&sid=*")));
    little_done(&w);
}

static void wrong_pairs_fail_a_rule(void **state)
{
    (void)state;
    little_site w = little_new(400);
    for (int i = 0; i < 20; i++) {
        little_add(&w, "p%d http://a.com/old/%d", i, i);
        little_add(&w, "%c%d http://a.com/new/%d", i < 10 ? 'p' : 'q', i, i);
    }
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, NULL));
    const dp_proposal *p = little_find(&w, "/old/{a}? => /new/{a}");
    assert_non_null(p);
    assert_int_equal(10, p->n);
    assert_int_equal(10, p->neg);
    assert_false(p->passes);
    assert_null(little_find(&w, "/new/{a}? => /old/{a}")); /* it would rise */
    little_done(&w);
}

static void order_of_parameters_is_proposed(void **state)
{
    (void)state;
    little_site w = little_new(8);
    little_add(&w, "a http://a.com/?x=1&y=2");
    little_add(&w, "a http://a.com/?y=2&x=1");
    little_add(&w, "b http://a.com/?x=1&y=3");
    little_add(&w, "c http://a.com/?y=3&x=1");
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, NULL));
    const dp_proposal *p = little_find(&w, "order any");
    assert_non_null(p);
    assert_int_equal(1, p->n);
    assert_int_equal(1, p->neg);
    assert_false(p->passes);
    little_done(&w);
}

static void folds_hide_clusters(void **state)
{
    (void)state;
    little_site w = little_new(200);
    add_sessions(&w, 10, 11);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, 0, NULL));
    assert_int_equal(0, w.out.n);
    little_done(&w);
}

static void hosts_may_change(void **state)
{
    (void)state;
    little_site w = little_new(200);
    for (int i = 0; i < 12; i++) {
        little_add(&w, "c%d http://www.a.com/p%d.html", i, i);
        little_add(&w, "c%d http://a.com/p%d.html", i, i);
    }
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
    assert_int_equal(1, w.out.n);
    assert_true(dp_str_eq(w.out.v[0].text, DP_STR("/{a}? => //a.com/{a}")));
    assert_true(dp_str_eq(w.out.v[0].hosts, DP_STR("www.a.com")));
    little_done(&w);
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void odd_sites_give_nothing(void **state)
{
    (void)state;
    little_site w = little_new(3000);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL)); /* no URL */
    little_add(&w, "a http://a.com/");
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL)); /* one */
    for (int i = 0; i < 2000; i++)
        little_add(&w, "s%d http://a.com/p%d", i, i); /* singletons */
    for (int i = 0; i < 20; i++)
        little_add(&w, "u%d http://me@a.com/p%d", i / 2, i); /* nothing to be said of */
    for (int i = 0; i < 20; i++)
        little_add(&w, "e%d http://a.com/*/p%d", i / 2, i);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
    assert_int_equal(0, w.out.n);
    little_done(&w);
}

/* One page under 3000 URLs: a sample of them is enough, and all of them say the same. */
static void a_giant_cluster_is_sampled(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        little_site              w = little_new(3000);
        dp_rewrite_options o = defaults;
        o.exact = exact;
        for (int i = 0; i < 3000; i++)
            little_add(&w, "one http://a.com/x?sid=%d", i);
        assert_int_equal(DP_OK, learn(&w, &o, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
        const dp_proposal *p = little_find(&w, "/x?sid=* => /x?sid=*");
        assert_non_null(p);
        assert_int_equal(3000 * 2999, p->n);
        little_done(&w);
    }
}

static void more_keys_than_there_is_room_for(void **state)
{
    (void)state;
    little_site  w = little_new(4);
    char   url[400] = "";
    size_t n = 0;
    for (int i = 0; i <= DP_BOOK_KEYS; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "%cp%d", i ? '&' : '?', i);
    little_add(&w, "a http://a.com/%s", url);
    little_add(&w, "a http://a.com/%s&z", url);
    assert_int_equal(DP_OK, learn(&w, &defaults, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL));
    assert_int_equal(0, w.out.n);
    little_done(&w);
}

static void threads_write_the_same(void **state)
{
    (void)state;
    little_site    one = little_new(200), four = little_new(200);
    dp_pool *pool = NULL;
    assert_int_equal(DP_OK, dp_pool_new(&pool, 4));
    add_sessions(&one, 12, 12);
    add_sessions(&four, 12, 12);
    assert_int_equal(DP_OK, learn(&one, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, NULL));
    assert_int_equal(DP_OK, learn(&four, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, pool));
    assert_int_equal(one.out.n, four.out.n);
    for (size_t i = 0; i < one.out.n; i++)
        assert_true(dp_str_eq(one.out.v[i].text, four.out.v[i].text) && one.out.v[i].n == four.out.v[i].n);
    dp_pool_free(pool);
    little_done(&one);
    little_done(&four);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rewrite_options o = defaults;
    o.fan_out = 2;
    for (int f = 0; f < 3; f++) {
        o.filter = (dp_rewrite_filter)f;
        little_site   w = little_new(16);
        dp_site s;
        add_sessions(&w, 3, 3);
        little_add(&w, "z http://a.com/a;s=1");
        little_add(&w, "z http://a.com/a;s=2");
        assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), w.page, w.n, &w.arena));
        DP_EVERY_ALLOC_FAILURE {
            dp_arena         a = {0};
            dp_proposals     out = {0};
            dp_learn_context ctx = {.accept = DP_ACCEPT_PAPER, .folds = DP_ALL_FOLDS};
            dp_err           e = dp_method_rewrite.learn(&out, &s, &o, &ctx, &a);
            if (dp_alloc_failed())
                assert_int_equal(DP_ENOMEM, e);
            else
                assert_int_equal(DP_OK, e);
            dp_proposals_done(&out);
            dp_arena_done(&a);
        }
        little_done(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fan_out_decides),
        cmocka_unit_test(the_paper_keeps_special_rules),
        cmocka_unit_test(wrong_pairs_fail_a_rule),
        cmocka_unit_test(order_of_parameters_is_proposed),
        cmocka_unit_test(folds_hide_clusters),
        cmocka_unit_test(hosts_may_change),
        cmocka_unit_test(odd_sites_give_nothing),
        cmocka_unit_test(a_giant_cluster_is_sampled),
        cmocka_unit_test(more_keys_than_there_is_room_for),
        cmocka_unit_test(threads_write_the_same),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
