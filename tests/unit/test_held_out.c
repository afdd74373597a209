/* learn/run/held_out, site/part: who is drawn; what is held out has no say; what it is measured on.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/fold.h"
#include "learn/sample/sample_part.h"
#include "learn/run/held_out.h"
#include "learn/accept/judge_each.h"
#include "site/part.h"
#include "support/failing_alloc.h"

/* ---- which sites ---------------------------------------------------------------------------------------------- */

enum { SITES = 40 };

static char names[SITES][32];

static void list_sites(dp_held_out_site *v, uint64_t facts)
{
    for (size_t i = 0; i < SITES; i++) {
        snprintf(names[i], sizeof names[i], "s%zu.example", i);
        v[i] = (dp_held_out_site){dp_str_c(names[i]), facts, 7};
    }
}

static uint64_t sum_of(const dp_held_out_site *v, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i].urls;
    return sum;
}

static void draws_by_names_alone(void **state)
{
    dp_held_out_site v[SITES], w[SITES];
    dp_settings      s;
    (void)state;
    dp_settings_init(&s);
    list_sites(v, 2500);
    list_sites(w, 2500);
    for (size_t i = 0; i < SITES; i++)
        w[i].name = v[SITES - 1 - i].name;
    assert_int_equal(DP_OK, dp_held_out_choose(v, SITES, &s));
    assert_int_equal(DP_OK, dp_held_out_choose(w, SITES, &s));
    for (size_t i = 0; i < SITES; i++) {
        assert_int_equal(v[i].urls, w[SITES - 1 - i].urls);
        assert_true(v[i].urls == 0 || v[i].urls == 2500);
    }
    assert_int_equal(5000, sum_of(v, SITES)); /* nearer to 6,000 than 7,500 */
    dp_settings_done(&s);
}

static void draws_as_much_as_it_should(void **state)
{
    dp_held_out_site v[SITES], one = {DP_STR("one.example"), 300, 0};
    dp_settings      s;
    (void)state;
    dp_settings_init(&s);
    list_sites(v, 100);
    assert_int_equal(DP_OK, dp_held_out_choose(v, SITES, &s));
    assert_int_equal(100 * SITES, sum_of(v, SITES)); /* a small input: all of it */
    list_sites(v, 25000);
    assert_int_equal(DP_OK, dp_held_out_choose(v, SITES, &s));
    assert_int_equal(25000 * SITES / DP_HELD_OUT_SHARE, sum_of(v, SITES));
    list_sites(v, 10);
    for (size_t i = 0; i < SITES; i++)
        v[i].facts = 1000000; /* two of them, whole */
    assert_int_equal(DP_OK, dp_held_out_choose(v, SITES, &s));
    assert_int_equal(2000000, sum_of(v, SITES));
    assert_int_equal(DP_OK, dp_held_out_choose(&one, 1, &s));
    assert_int_equal(300, one.urls);
    one.facts = 1000000; /* a part of a large one */
    assert_int_equal(DP_OK, dp_held_out_choose(&one, 1, &s));
    assert_int_equal(1000000 / DP_HELD_OUT_SHARE, one.urls);
    s.relearn = true;
    assert_int_equal(DP_OK, dp_held_out_choose(&one, 1, &s));
    assert_true(one.urls >= one.facts);
    s.accept = DP_ACCEPT_PAPER;
    assert_int_equal(DP_OK, dp_held_out_choose(&one, 1, &s));
    assert_int_equal(0, one.urls);
    dp_settings_done(&s);
}

/* ---- a site ----------------------------------------------------------------------------------------------------- */

enum { PAGES = 120, TRAPS = 12, MOST = 3 * PAGES + 2 * TRAPS };

/* Pages with and without a session; and pages of which the session decides, all of which are held out, so that only
 * they speak against dropping it. With `merged` they do not: each two are one page. */
static void make_site(dp_site *out, bool merged, dp_arena *a)
{
    dp_site_page page[MOST];
    size_t       n = 0;
    char         url[80], id[16];
    for (unsigned i = 0; i < PAGES; i++) {
        for (unsigned k = 0; k < 3; k++) {
            snprintf(url, sizeof url, k ? "http://a.test/p/%u?sid=%u" : "http://a.test/p/%u", i, i * 7 + k);
            snprintf(id, sizeof id, "p%u", i);
            page[n++] = (dp_site_page){dp_arena_str(a, dp_str_c(url)), dp_arena_str(a, dp_str_c(id)), DP_BY_TEXT};
        }
    }
    for (unsigned i = 0; i < 2 * TRAPS; i++) {
        snprintf(url, sizeof url, "http://a.test/t/%u?sid=%u", i / 2, i);
        snprintf(id, sizeof id, "t%u", merged ? i / 2 : i);
        page[n++] = (dp_site_page){dp_arena_str(a, dp_str_c(url)), dp_arena_str(a, dp_str_c(id)), DP_BY_TEXT};
    }
    assert_int_equal(DP_OK, dp_site_make(out, DP_STR("a.test"), page, n, a));
    uint8_t *fold = DP_NEWS(a, out->nclusters + 1, uint8_t);
    assert_non_null(fold);
    for (size_t u = 0; u < out->n; u++) {
        bool is_trap = dp_str_starts(out->url[u], DP_STR("http://a.test/t/"));
        fold[out->cluster[u]] = (uint8_t)(is_trap ? DP_REPORT_FOLD : out->cluster[u] % DP_REPORT_FOLD);
    }
    out->fold = fold;
}

static dp_learn_how teaching_of(const dp_method *m)
{
    return (dp_learn_how){.method = m, .options = m->options_init,
                         .ctx = {.min_precision = .99, .seed = 1, .trust = DP_TRUST_ALWAYS},
                         .trust = DP_TRUST_ALWAYS, .relearn = UINT64_MAX};
}

/* Whatever the held-out clusters say, the rules are the same; that these are wrong there is seen. */
static void held_out_clusters_have_no_say(void **state)
{
    static const char *const methods[] = {"auto", "tree", "rewrite", "duster", "dust"};
    (void)state;
    for (size_t i = 0; i < DP_COUNT(methods); i++) {
        dp_arena     a = {0};
        dp_site      apart, merged;
        dp_learned   l = {0}, m = {0};
        dp_learn_how t = teaching_of(dp_method_find(dp_str_c(methods[i])));
        make_site(&apart, false, &a);
        make_site(&merged, true, &a);
        assert_int_equal(DP_OK, dp_held_out_run(&l, &apart, &t, false));
        assert_int_equal(DP_OK, dp_held_out_run(&m, &merged, &t, false));
        assert_int_equal(apart.n, l.relearned);
        assert_int_equal(2 * TRAPS, l.held_urls);
        assert_int_equal(2 * TRAPS, m.held_urls);
        assert_int_equal(2 * TRAPS, l.held_clusters);
        assert_int_equal(TRAPS, m.held_clusters);
        assert_int_equal(l.held_fetched, m.held_fetched);
        assert_true(l.held_expected == m.held_expected);
        assert_int_equal(0, m.held_lost);
        assert_int_equal(2 * TRAPS - l.held_fetched, l.held_lost);
        if (i == 0)
            assert_int_equal(TRAPS, l.held_lost); /* auto drops it */
        dp_arena_done(&a);
    }
}

/* The same as learning what is known and counting by hand; all others had their say. */
static void nothing_to_hold_out_is_nothing_measured(void **state)
{
    dp_arena     a = {0};
    dp_site      s, known;
    dp_learned   l = {0};
    dp_learn_how t = teaching_of(dp_methods[0]);
    (void)state;
    make_site(&s, false, &a);
    assert_int_equal(DP_OK, dp_site_without(&known, &s, 1u << DP_REPORT_FOLD, &a));
    assert_int_equal(3 * PAGES, known.n);
    assert_int_equal(PAGES, known.nclusters);
    assert_int_equal(DP_OK, dp_held_out_run(&l, &known, &t, false));
    assert_int_equal(known.n, l.relearned);
    assert_int_equal(0, l.held_urls);
    dp_arena_done(&a);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static void a_part_has_all_columns(void **state)
{
    enum { N = 4 };
    static const dp_str   url[N] = {DP_STR("http://a.test/a"), DP_STR("http://a.test/b"), DP_STR("http://a.test/c"),
                                    DP_STR("http://a.test/d")};
    static const uint32_t cluster[N] = {0, 1, DP_NO_CLUSTER, 1}, size[2] = {1, 2}, hits[N] = {4, 5, 6, 7};
    static const uint32_t client_at[N + 1] = {0, 2, 2, 3, 5}, client[5] = {10, 11, 12, 13, 14};
    static const uint8_t  by[N] = {1, 2, 3, 4}, fold[2] = {3, 5}, soft[2] = {0, 1}, in[N] = {0, 1, 1, 1};
    static const dp_arrow arrow[2] = {{0, 1, 4}, {3, 1, 3}};
    const dp_site s = {.name = DP_STR("a.test"), .n = N, .url = url, .cluster = cluster, .by = by, .nclusters = 2,
                       .size = size, .fold = fold, .is_soft = soft, .hits = hits, .client_at = client_at,
                       .client = client, .arrow = arrow, .narrow = 2};
    dp_arena      a = {0};
    dp_site       p;
    (void)state;
    assert_int_equal(DP_OK, dp_site_part(&p, &s, in, &a));
    assert_int_equal(3, p.n);
    assert_int_equal(1, p.nclusters);
    for (size_t i = 0; i < p.n; i++) {
        assert_true(dp_str_eq(url[i + 1], p.url[i]));
        assert_int_equal(by[i + 1], p.by[i]);
        assert_int_equal(hits[i + 1], p.hits[i]);
        assert_int_equal(i == 1 ? DP_NO_CLUSTER : 0, p.cluster[i]);
        assert_int_equal(client_at[i + 2] - client_at[i + 1], p.client_at[i + 1] - p.client_at[i]);
    }
    assert_true(p.size[0] == 2 && p.fold[0] == 5 && p.is_soft[0] == 1);
    assert_memory_equal(client + 2, p.client, 3 * sizeof *client);
    assert_int_equal(1, p.narrow);
    assert_true(p.arrow[0].from == 2 && p.arrow[0].to == 0 && p.arrow[0].by == 3);
    assert_null(p.sketch);
    dp_arena_done(&a);
}

/* Of the last fold only clusters that were drawn are measured on, and these are whole. */
static void onlookers_are_not_measured(void **state)
{
    dp_arena a = {0};
    dp_site  s, part;
    size_t   onlookers = 0, held = 0;
    (void)state;
    make_site(&s, false, &a);
    assert_int_equal(DP_OK, dp_sample_part_held_out(&part, &s, s.n / 4, &a));
    assert_in_range(part.n, 1, s.n - 1);
    uint32_t *seen = DP_NEWS(&a, part.nclusters + 1, uint32_t);
    assert_non_null(seen);
    for (size_t u = 0; u < part.n; u++)
        seen[part.cluster[u]]++;
    for (uint32_t c = 0; c < part.nclusters; c++) {
        onlookers += part.fold[c] == DP_ONLOOKERS;
        held += part.fold[c] == DP_REPORT_FOLD;
        assert_true(part.fold[c] != DP_REPORT_FOLD || seen[c] == part.size[c]);
    }
    assert_true(onlookers > 0 && held > 0);
    dp_arena_done(&a);
}

static void survives_failing_allocation(void **state)
{
    dp_arena a = {0};
    dp_site  s;
    (void)state;
    make_site(&s, false, &a);
    dp_learn_how t = teaching_of(dp_methods[0]);
    t.relearn = s.n / 2;
    bool failed = true;
    for (size_t n = 1; failed; n += 1 + n / 16) {
        dp_learned l = {0};
        dp_alloc_fail_at(n);
        dp_err code = dp_held_out_run(&l, &s, &t, false);
        failed = dp_alloc_failed();
        dp_alloc_disarm();
        assert_int_equal(failed ? DP_ENOMEM : DP_OK, code);
    }
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_by_names_alone),
        cmocka_unit_test(draws_as_much_as_it_should),
        cmocka_unit_test(held_out_clusters_have_no_say),
        cmocka_unit_test(nothing_to_hold_out_is_nothing_measured),
        cmocka_unit_test(a_part_has_all_columns),
        cmocka_unit_test(onlookers_are_not_measured),
        cmocka_unit_test(survives_failing_allocation),
    };
    return cmocka_run_group_tests_name("learn/run/held_out", tests, NULL, NULL);
}
