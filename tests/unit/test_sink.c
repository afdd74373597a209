/* learn/auto/propose/sink.h, rounds/sinks.h: forms that always show one page.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/fold.h"
#include "learn/auto/method.h"
#include "learn/auto/rounds/rounds.h"
#include "support/failing_alloc.h"

enum { MOST = 400 };

typedef struct pages {
    dp_site_page v[MOST];
    size_t       n;
    dp_arena     a;
} pages;

static void add(pages *s, const char *cluster, const char *url)
{
    char text[200];
    int  n = snprintf(text, sizeof text, "http://a.test%s", url);
    assert_true(s->n < MOST);
    s->v[s->n++] = (dp_site_page){dp_arena_str(&s->a, (dp_str){text, (size_t)n}),
                                  dp_arena_str(&s->a, dp_str_c(cluster)), DP_BY_TEXT};
}

static void add_number(pages *s, const char *cluster, const char *format, unsigned number)
{
    char url[160];
    snprintf(url, sizeof url, format, number);
    add(s, cluster, url);
}

/* Pages of their own, by which depth and file names alone are no form. */
static void plant(pages *s)
{
    for (unsigned i = 0; i < 30; i++) {
        char cluster[16];
        snprintf(cluster, sizeof cluster, "p%u", i);
        add_number(s, cluster, "/page/kept%u", i);
        snprintf(cluster, sizeof cluster, "q%u", i);
        add_number(s, cluster, "/index.php?title=kept%u", i);
        snprintf(cluster, sizeof cluster, "r%u", i);
        add_number(s, cluster, "/kept%u", i);
    }
}

static dp_err learn(dp_proposals *out, const pages *s, const char *allow, dp_arena *a)
{
    dp_site          site;
    dp_learn_context ctx = {.min_precision = .99, .folds = DP_ALL_FOLDS, .trust = 1u << DP_BY_TEXT};
    dp_auto_options  o = DP_AUTO_OPTIONS_INIT;
    *out = (dp_proposals){0};
    o.allow = dp_str_c(allow);
    DP_TRY(dp_site_make(&site, DP_STR("a.test"), s->v, s->n, a));
    return dp_method_auto.learn(out, &site, &o, &ctx, a);
}

/* The one rule that is learned, "" for none. */
static void expect(const pages *s, const char *allow, const char *want, uint64_t urls)
{
    dp_arena     a = {0};
    dp_proposals p;
    assert_int_equal(DP_OK, learn(&p, s, allow, &a));
    assert_int_equal(*want ? 1 : 0, p.n);
    if (*want) {
        dp_str text = p.v[0].text;
        if (!dp_str_eq(text, dp_str_c(want)))
            fail_msg("%.*s, not %s", DP_FMT(text), want);
        assert_int_equal(urls, p.v[0].urls);
        assert_true(p.v[0].n == 1 && p.v[0].neg == 0 && p.v[0].p >= .99 && p.v[0].state == DP_ACTIVE);
    }
    dp_proposals_done(&p);
    dp_arena_done(&a);
}

/* URLs of one page by a format, and whatever else there is. */
static const struct {
    const char *format, *also, *other, *want;
} cases[] = {
    {"/edit/x%ub", NULL, NULL, "/edit/{b} => /edit/*"},
    {"/login?next=/page/%ub", NULL, NULL, "erase ?next on /login"},
    {"/login?next=/page/%ub", "/login", NULL, "drop ?next on /login"},
    {"/index.php?title=Login&back=x%ub", NULL, NULL, "erase ?back on /index.php?title=Login"},
    {"/my/x%ub/edit", NULL, NULL, "/my/{b}/edit => /my/*/edit"},
    {"/edit/x%ub?do=save", NULL, "/edit/x1b?do=show", "/edit/{b}?do=save&... => /edit/*?do=save&..."},
    {"/?s=x%ub", NULL, NULL, "erase ?s on /"},
    {"/edit/x%ub", NULL, "/edit/other", ""}, /* one URL of the form shows another page */
    {"/x%ub", NULL, NULL, ""},               /* nothing literal is left */
    {"/page/240517/x%ub", NULL, NULL, ""},   /* one page, not a form */
    {"/login?next=/page/%ub", NULL, "/login?next=/", ""},
};

static void a_narrow_form_of_one_page_is_one_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pages s = {0};
        plant(&s);
        for (unsigned k = 0; k < 20; k++)
            add_number(&s, "sink", cases[i].format, 1000 + 37 * k);
        if (cases[i].also)
            add(&s, "sink", cases[i].also);
        if (cases[i].other)
            add(&s, "other", cases[i].other);
        expect(&s, "", cases[i].want, 20);
        dp_arena_done(&s.a);
    }
}

static void ten_urls_are_enough_and_six_are_not(void **state)
{
    (void)state;
    for (unsigned n = 6; n <= 12; n += 6) {
        pages s = {0};
        plant(&s);
        for (unsigned k = 0; k < n; k++)
            add_number(&s, "sink", "/login?next=x%ub", 1000 + 37 * k);
        expect(&s, "", n == 6 ? "" : "erase ?next on /login", n);
        dp_arena_done(&s.a);
    }
}

/* What may change tomorrow, page by page, needs ten times as much. */
static void values_that_a_guard_knows_need_more(void **state)
{
    (void)state;
    pages s = {0};
    plant(&s);
    for (unsigned k = 0; k < 20; k++)
        add_number(&s, "sink", "/news?page=%u", 1 + k);
    expect(&s, "", "", 0);
    expect(&s, "page", "erase ?page on /news", 20);
    for (unsigned k = 20; k < 130; k++)
        add_number(&s, "sink", "/news?page=%u", 1 + k);
    expect(&s, "", "erase ?page on /news", 130);
    dp_arena_done(&s.a);
}

/* A part that had two values is no draw: it stays in the key. */
static void what_had_few_values_stays(void **state)
{
    (void)state;
    pages s = {0};
    plant(&s);
    for (unsigned k = 0; k < 20; k++) {
        add_number(&s, "sink", "/login?lang=en&next=x%ub", 1000 + 37 * k);
        add_number(&s, "sink", "/login?lang=de&next=x%ub", 2000 + 37 * k);
    }
    expect(&s, "", "erase ?next on /login", 40);
    dp_arena_done(&s.a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    pages s = {0};
    for (unsigned k = 0; k < 12; k++)
        add_number(&s, "sink", "/my/x%ub/edit?back=1", 1000 + 37 * k);
    add(&s, "other", "/my/page");
    DP_EVERY_ALLOC_FAILURE {
        dp_arena     a = {0};
        dp_proposals p = {0};
        dp_err       e = learn(&p, &s, "", &a);
        if (e != (dp_alloc_failed() ? DP_ENOMEM : DP_OK))
            fail_msg("allocation %zu: %d", dp_alloc_run_, (int)e);
        dp_proposals_done(&p);
        dp_arena_done(&a);
    }
    dp_arena_done(&s.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_form_of_one_page_is_one_key),
        cmocka_unit_test(ten_urls_are_enough_and_six_are_not),
        cmocka_unit_test(values_that_a_guard_knows_need_more),
        cmocka_unit_test(what_had_few_values_stays),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
