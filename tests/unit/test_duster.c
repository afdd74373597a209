/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/fold.h"
#include "learn/duster/trial.h"
#include "support/failing_alloc.h"
#include "support/little_site.h"

/* ---- tokens and alignment -------------------------------------------------------------------- */

static dp_str join(const dp_duster_tokens *t, dp_buf *b)
{
    dp_buf_reset(b);
    for (uint32_t i = 0; i < t->n; i++) {
        dp_buf_c(b, i ? " " : "");
        dp_buf_str(b, t->v[i].text);
    }
    return dp_buf_view(b);
}

static void cuts_the_table(void **state)
{
    (void)state;
    static const struct { const char *url, *want; } cases[] = {
        {"http://a.com/", "http a.com /"},
        {"https://a.com:81/p12/x%20y", "https a.com:81 / p 12 / x %20 y"},
        {"http://a.com/a_b?c=1&d", "http a.com / a _ b ? c = 1 & d"},
        {"http://me@a.com/", NULL}, /* user names */
        {"http://a.com/?a=*", NULL}, /* erased values */
    };
    dp_frame          f = {0};
    dp_buf            b = {0};
    dp_duster_tokens *t = malloc(sizeof *t);
    assert_non_null(t);
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(cases[i].url)));
        assert_int_equal(cases[i].want != NULL, dp_duster_cut(t, &f));
        if (cases[i].want)
            assert_true(dp_str_eq(dp_str_c(cases[i].want), join(t, &b)));
    }
    free(t);
    dp_buf_done(&b);
    dp_frame_done(&f);
}

static void long_urls_are_left_out(void **state)
{
    (void)state;
    char              text[8192];
    dp_frame          f = {0};
    dp_duster_tokens *t = malloc(sizeof *t);
    assert_non_null(t);
    for (int segments = 62; segments <= 64; segments++) {
        int n = snprintf(text, sizeof text, "http://a.com");
        for (int i = 0; i < segments; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "/a");
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(text)));
        assert_int_equal(2 + 2 * segments <= DP_DUSTER_TOKENS, dp_duster_cut(t, &f));
    }
    memset(text + 13, 'a', 4000);
    text[4013] = 0;
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(text)));
    assert_false(dp_duster_cut(t, &f));
    free(t);
    dp_frame_done(&f);
}

/* The example of duster/align.h. */
static void aligns_the_example(void **state)
{
    (void)state;
    enum { SLASH = 1, NEWS, SEVEN, EIGHT, PRINT };
    const dp_duster_set x[] = {{'/', 1, {SLASH}}, {DP_DUSTER_LETTERS, 1, {NEWS}}, {'/', 1, {SLASH}},
                               {DP_DUSTER_DIGITS, 1, {SEVEN}}, {'/', 1, {SLASH}}, {DP_DUSTER_LETTERS, 1, {PRINT}}};
    const dp_duster_set y[] = {{'/', 1, {SLASH}}, {DP_DUSTER_LETTERS, 1, {NEWS}}, {'/', 1, {SLASH}},
                               {DP_DUSTER_DIGITS, 2, {SEVEN, EIGHT}}};
    dp_duster_aligner  *a = malloc(sizeof *a);
    assert_non_null(a);
    assert_int_equal(DP_DUSTER_ONE * 7 / 2, dp_duster_align(a, x, DP_COUNT(x), y, DP_COUNT(y)));
    assert_int_equal(6, a->n);
    assert_int_equal(3, a->step[3].y);
    assert_int_equal(DP_DUSTER_NONE, a->step[4].y);
    assert_int_equal(0, dp_duster_jaccard(&x[0], &x[1])); /* of two types */
    free(a);
}

/* ---- sites ----------------------------------------------------------------------------------- */

static const dp_duster_options defaults = DP_DUSTER_OPTIONS_INIT;

static void learn_with(little_site *w, const dp_duster_options *o, dp_accept accept, uint32_t folds, dp_pool *pool)
{
    assert_int_equal(DP_OK, little_learn(w, &dp_method_duster, o, accept, folds, pool));
}

static void learn(little_site *w, dp_accept accept)
{
    learn_with(w, &defaults, accept, DP_ALL_FOLDS, NULL);
}

/* Two URLs of a page; # is its number, @ and ! are others. */
static const struct { const char *first, *second, *want; } planted[] = {
    {"http://a.com/show?id=#", "http://a.com/show?id=#&sid=@x!", "drop ?sid"},
    {"http://a.com/n/#/x", "http://a.com/n/#/x/print", "/{**}/print => /{**}"},
    {"http://a.com/n/#", "http://a.com/print/n/#", "/print/n/{a} => /n/{a}"},
    {"http://a.com/n#/", "http://a.com/n#/index.html", "/{**}/index.html => /{**}/"},
    {"http://a.com/n#.html", "http://a.com/n#-print.html", "/{a}-print.html => /{a}.html"},
    {"http://a.com/s?id=#&t=@", "http://a.com/s?id=#&t=!",
     "/{**}?t={t:int}&... => /{**}?t=*&..."},
    {"http://a.com/w@-x/dp/#", "http://a.com/v-w!-y/dp/#", "/*/dp/{a} => /*/dp/{a}"},
    {"http://a.com/j/#", "http://a.com/j/#;jsessionid=A@F!",
     "/{**}/{a};jsessionid=* => /{**}/{a}"},
    {"http://a.com/s?id=#&v=old", "http://a.com/s?id=#&v=new",
     "/s?id={id}&v=old => /s?id={id}&v=new"},
    {"http://a.com/q/#", "http://www.a.com/q/#", "/{**} => //a.com/{**}"},
    {"http://a.com/q/#", "https://a.com/q/#", "https:/{**} => http:/{**}"},
};

static void add_planted(little_site *w, const char *form, int page)
{
    char   url[256];
    size_t n = 0;
    for (; *form; form++) {
        int number = *form == '#' ? page : *form == '@' ? 1000 + 17 * page : 5000 + 23 * page;
        n += (size_t)(strchr("#@!", *form) ? snprintf(url + n, sizeof url - n, "%d", number)
                                           : snprintf(url + n, sizeof url - n, "%c", *form));
    }
    little_add(w, "p%d %s", page, url);
}

static void plant(little_site *w, size_t kind, int pages)
{
    for (int i = 0; i < pages; i++) {
        add_planted(w, planted[kind].first, i);
        add_planted(w, planted[kind].second, i);
    }
}

static void finds_what_was_planted(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < DP_COUNT(planted); kind++)
        for (int accept = 0; accept < 2; accept++) {
            little_site w = little_new(200);
            plant(&w, kind, 60);
            for (int i = 0; i < 60; i++)
                little_add(&w, "o%d http://a.com/other/%d/o%d", i, i % 5, i);
            learn(&w, (dp_accept)accept);
            const dp_proposal *p = little_find(&w, planted[kind].want);
            if (!p)
                fail_msg("%s is not among %zu proposals", planted[kind].want, w.out.n);
            assert_int_equal(60, p->n);
            assert_int_equal(0, p->neg);
            assert_true(p->passes);
            little_done(&w);
        }
}

static void few_values_are_a_list(void **state)
{
    (void)state;
    for (int n = 5; n <= 6; n++) {
        little_site w = little_new(200);
        for (int i = 0; i < 60; i++) {
            little_add(&w, "p%d http://a.com/n/%d", i, i);
            little_add(&w, "p%d http://a.com/n/%d-%c", i, i, 'a' + i % n);
        }
        learn(&w, DP_ACCEPT_JUDGE);
        assert_int_equal(n == 5, little_find(&w, "/{**}/{a}-{b=a|b|c|d|e} => /{**}/{a}") != NULL);
        assert_int_equal(n == 6, little_find(&w, "/{**}/{a}-{b:word} => /{**}/{a}") != NULL);
        little_done(&w);
    }
}

static void wrong_merges_fail_a_rule(void **state)
{
    (void)state;
    for (int wrong = 0; wrong <= 30; wrong += 30) {
        little_site w = little_new(200);
        for (int i = 0; i < 60; i++) {
            little_add(&w, "p%d http://a.com/n/%d", i, i);
            little_add(&w, "%c%d http://a.com/n/%d/full", i < wrong ? 'q' : 'p', i, i);
        }
        learn(&w, DP_ACCEPT_PAPER);
        const dp_proposal *p = little_find(&w, "/{**}/full => /{**}");
        assert_non_null(p);
        assert_int_equal(wrong == 0, p->passes);
        assert_int_equal(60 - wrong, p->n);
        assert_int_equal(wrong, p->neg);
        little_done(&w);
    }
}

/* What holds in one section alone. */
static void a_section_has_rules_of_its_own(void **state)
{
    (void)state;
    little_site w = little_new(400);
    for (int i = 0; i < 60; i++) {
        little_add(&w, "p%d http://a.com/topic/%d", i, i);
        little_add(&w, "p%d http://a.com/topic/%d?page=%d", i, i, i % 7);
        little_add(&w, "q%d http://a.com/list/%d", i, i);
        little_add(&w, "r%d http://a.com/list/%d?page=%d", i, i, i % 7);
    }
    learn(&w, DP_ACCEPT_PAPER);
    const dp_proposal *wide = little_find(&w, "drop ?page"), *p = little_find(&w, "drop ?page on /topic/{**}");
    assert_non_null(p);
    assert_true(p->passes);
    assert_true(!wide || !wide->passes);
    little_done(&w);
}

static void folds_hide_clusters(void **state)
{
    (void)state;
    little_site w = little_new(200);
    plant(&w, 0, 60);
    learn_with(&w, &defaults, DP_ACCEPT_JUDGE, 1, NULL);
    const dp_proposal *p = little_find(&w, "drop ?sid");
    assert_true(!p || p->n < 20);
    little_done(&w);
}

static void odd_sites_give_nothing(void **state)
{
    (void)state;
    little_site w = little_new(100);
    learn(&w, DP_ACCEPT_JUDGE);
    assert_int_equal(0, w.out.n);
    for (int i = 0; i < 40; i++)
        little_add(&w, "p%d http://a.com/%d", i, i);
    learn(&w, DP_ACCEPT_PAPER);
    assert_int_equal(0, w.out.n);
    little_done(&w);
}

/* Order of parameters cannot be aligned (docs/algorithms/duster.md). */
static void order_is_not_learned(void **state)
{
    (void)state;
    little_site w = little_new(200);
    for (int i = 0; i < 60; i++) {
        little_add(&w, "p%d http://a.com/s?a=%d&b=%d", i, i, i + 7);
        little_add(&w, "p%d http://a.com/s?b=%d&a=%d", i, i + 7, i);
    }
    learn(&w, DP_ACCEPT_PAPER);
    for (size_t i = 0; i < w.out.n; i++)
        assert_false(w.out.v[i].passes);
    little_done(&w);
}

static void threads_write_the_same(void **state)
{
    (void)state;
    little_site    one = little_new(2000), four = little_new(2000);
    dp_pool *pool = NULL;
    assert_int_equal(DP_OK, dp_pool_new(&pool, 4));
    for (size_t kind = 0; kind < DP_COUNT(planted); kind++) {
        plant(&one, kind, 60);
        plant(&four, kind, 60);
    }
    learn_with(&one, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, NULL);
    learn_with(&four, &defaults, DP_ACCEPT_PAPER, DP_ALL_FOLDS, pool);
    assert_true(one.out.n > 0);
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
    for (int accept = 0; accept < 2; accept++) {
        little_site   w = little_new(80);
        dp_site s;
        plant(&w, 0, 6);
        plant(&w, 7, 6);
        for (int i = 0; i < 12; i++)
            little_add(&w, "g http://a.com/g?x=%d", i); /* more than are aligned */
        assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), w.page, w.n, &w.arena));
        DP_EVERY_ALLOC_FAILURE {
            dp_arena         a = {0};
            dp_proposals     out = {0};
            dp_learn_context ctx = {.min_precision = .99, .accept = (dp_accept)accept, .folds = DP_ALL_FOLDS};
            dp_err           e = dp_method_duster.learn(&out, &s, &defaults, &ctx, &a);
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
        cmocka_unit_test(cuts_the_table),
        cmocka_unit_test(long_urls_are_left_out),
        cmocka_unit_test(aligns_the_example),
        cmocka_unit_test(finds_what_was_planted),
        cmocka_unit_test(few_values_are_a_list),
        cmocka_unit_test(wrong_merges_fail_a_rule),
        cmocka_unit_test(a_section_has_rules_of_its_own),
        cmocka_unit_test(folds_hide_clusters),
        cmocka_unit_test(odd_sites_give_nothing),
        cmocka_unit_test(order_is_not_learned),
        cmocka_unit_test(threads_write_the_same),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
