/* learn/auto/priors/other_sites: what sites say of parameters is added up, left out again, and believed no more than it
 * is worth.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fold.h"
#include "base/hash.h"
#include "dustpan.h"
#include "learn/auto/priors/other_sites.h"
#include "learn/auto/thresholds.h"
#include "learn/auto/method.h"
#include "learn/auto/rounds/rounds.h"
#include "support/failing_alloc.h"

static dp_opinion opinion(const dp_other_sites *h, const char *name)
{
    dp_odds odds;
    dp_odds_init(&odds);
    return dp_other_sites_opinion(h, &odds, dp_hash_str(dp_str_c(name)));
}

static double chance(const dp_other_sites *h, const char *name)
{
    return opinion(h, name).chance;
}

static void note_sites(dp_other_sites *h, const char *name, unsigned sites, double pos, double neg)
{
    for (unsigned i = 0; i < sites; i++)
        dp_other_sites_count(h, dp_str_c(name), pos, neg, 1u << DP_BY_TEXT);
}

static void sites_for_raise_the_chance_and_one_against_lowers_it(void **state)
{
    (void)state;
    double last = .5;
    for (unsigned n = 1; n <= 64; n *= 2) {
        dp_other_sites h = {0};
        assert_true(chance(&h, "?sid") == 0);
        note_sites(&h, "?sid", n, 40, 0);
        assert_true(chance(&h, "?sid") > last && chance(&h, "?sid") < 1);
        assert_int_equal(n, opinion(&h, "?sid").sites);
        assert_int_equal(1u << DP_BY_TEXT, opinion(&h, "?sid").by);
        last = chance(&h, "?sid");
        note_sites(&h, "?sid", 1, 0, 3);
        assert_true(chance(&h, "?sid") < last);
        assert_int_equal(n, opinion(&h, "?sid").sites);
    }
    /* No number of sites makes it certain. */
    dp_other_sites most = {0}, more = {0};
    note_sites(&most, "?sid", DP_OTHER_SITES_SITES, 40, 0);
    note_sites(&more, "?sid", 50 * DP_OTHER_SITES_SITES, 40, 0);
    assert_true(fabs(chance(&most, "?sid") - chance(&more, "?sid")) < 1e-9);
    assert_in_range(chance(&most, "?sid") * 1000, 980, 995);
}

static void few_votes_say_little_and_mixed_ones_nothing(void **state)
{
    (void)state;
    dp_other_sites h = {0};
    note_sites(&h, "?one", 10, 1, 0);
    note_sites(&h, "?many", 10, 40, 0);
    note_sites(&h, "?mixed", 10, 3, .35);
    note_sites(&h, "?no", 10, 0, 1);
    note_sites(&h, "?silent", 10, 0, 0);
    assert_true(chance(&h, "?one") > .6 && chance(&h, "?one") < chance(&h, "?many") - .04);
    assert_true(chance(&h, "?mixed") == 0 && chance(&h, "?silent") == 0);
    assert_true(chance(&h, "?no") < .1 && chance(&h, "?no") > 0);
}

/* The integral of the header, step by step. */
static double dumb_chance(double odds_for, unsigned sites_for, double odds_against, unsigned sites_against)
{
    double all = 0, sum = 0;
    int    steps = 200000;
    for (int i = 0; i < steps; i++) {
        double q = (i + .5) / steps, w = 1 / sqrt(q * (1 - q));
        w *= pow(q * odds_for + 1 - q, sites_for) * pow(q * odds_against + 1 - q, sites_against);
        all += w;
        sum += q * w;
    }
    return sum / all;
}

static void chance_is_the_integral(void **state)
{
    (void)state;
    for (unsigned n = 1; n < 40; n = n * 2 + 1)
        for (unsigned against = 0; against < 3; against++) {
            dp_other_sites h = {0};
            note_sites(&h, "?sid", n, 100, 0); /* odds 13 is 8 or more */
            note_sites(&h, "?sid", against, 0, 9);
            double want = dumb_chance(8, n, .01, against);
            assert_true(fabs(chance(&h, "?sid") - want) < .002);
        }
}

static void what_a_site_said_can_be_left_out(void **state)
{
    (void)state;
    dp_other_sites a = {0}, b = {0}, sum = {0};
    note_sites(&a, "?sid", 1, 40, 0);
    note_sites(&a, "?id", 1, 0, 40);
    note_sites(&b, "?sid", 1, 9, 0);
    dp_other_sites_add(&sum, &a);
    dp_other_sites_add(&sum, &b);
    assert_true(chance(&sum, "?sid") > chance(&b, "?sid"));
    dp_other_sites_leave_out(&sum, &a);
    assert_true(chance(&sum, "?sid") == chance(&b, "?sid"));
    assert_true(chance(&sum, "?id") == 0);
}

static void names_of_many_sites_stay(void **state)
{
    (void)state;
    dp_other_sites sum = {0};
    for (unsigned i = 0; i < 3000; i++) {
        dp_other_sites one = {0};
        char           name[32];
        snprintf(name, sizeof name, "?own%u", i);
        note_sites(&one, name, 1, 40, 0);
        if (i % 50 == 0)
            note_sites(&one, "?utm_*", 1, 40, 0);
        dp_other_sites_add(&sum, &one);
    }
    assert_int_equal(DP_OTHER_SITES_NAMES, sum.n);
    assert_int_equal(60, opinion(&sum, "?utm_*").sites);
}

static void a_pack_says_how_many_sites_it_knows(void **state)
{
    (void)state;
    static const char text[] = "dustpan-rules 1\nhost any\n"
                               "drop ?utm_*,clk [n=900 sites=30 against=1 by=digest,text]\n"
                               "drop ?gclid\ndrop ;sid [n=90 sites=3]\ndrop ?few [sites=3]\n"
                               "drop ?a on /x/{**} [sites=9]\noff drop ?b [sites=9]\n"
                               "host a.com\ndrop ?c [sites=9]\n";
    dp_rules      *r;
    dp_other_sites h = {0};
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "pack", text, sizeof text - 1, NULL));
    assert_int_equal(DP_OK, dp_other_sites_read(&h, r));
    assert_int_equal(4, h.n);
    assert_int_equal(30, opinion(&h, "?utm_*").sites);
    assert_int_equal(1u << DP_BY_TEXT | 1u << DP_BY_DIGEST, opinion(&h, "?clk").by);
    assert_true(chance(&h, "?clk") > .9 && chance(&h, ";sid") > .7 && chance(&h, "?few") < .75);
    assert_true(chance(&h, "?gclid") == 0 && chance(&h, "?a") == 0 && chance(&h, "?b") == 0 && chance(&h, "?c") == 0);
    DP_EVERY_ALLOC_FAILURE {
        dp_err e = dp_other_sites_read(&(dp_other_sites){0}, r);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
    }
    dp_rules_free(r);
}

/* ---- sites --------------------------------------------------------------------------------- */

typedef struct pages {
    dp_site_page v[600];
    size_t       n;
    dp_arena     a;
} pages;

static void add(pages *s, unsigned cluster, const char *format, unsigned x, unsigned y)
{
    char url[160], id[16];
    int  n = snprintf(url, sizeof url, format, x, y), k = snprintf(id, sizeof id, "c%u", cluster);
    s->v[s->n++] = (dp_site_page){dp_arena_str(&s->a, (dp_str){url, (size_t)n}),
                                  dp_arena_str(&s->a, (dp_str){id, (size_t)k}), DP_BY_TEXT};
    assert_non_null(s->v[s->n - 1].url.p);
}

/* clk_a and clk_b mean nothing, id does; ;s means nothing; the first `copies` pages have a second URL. */
static void plant(pages *s, unsigned n, unsigned copies)
{
    for (unsigned i = 0; i < n; i++) {
        add(s, 3 * i, "http://a.test/x/%u", 1000 + i, 0);
        if (i < copies)
            add(s, 3 * i, "http://a.test/x/%u?clk_a=k%ux&clk_b=z", 1000 + i, 7919 * i);
        add(s, 3 * i + 1, "http://a.test/y?id=w%uq", i, 0);
        if (i < copies)
            add(s, 3 * i + 1, "http://a.test/y;s=k%ux?id=w%uq", 7919 * i, i);
    }
}

static void a_site_tells_what_its_votes_say(void **state)
{
    (void)state;
    pages          s = {0};
    dp_arena       a = {0};
    dp_site        site;
    dp_other_sites h, again;
    plant(&s, 30, 20);
    assert_int_equal(DP_OK, dp_site_make(&site, DP_STR("a.test"), s.v, s.n, &a));
    assert_int_equal(DP_OK, dp_other_sites_survey(&h, &site, true, NULL));
    assert_true(chance(&h, "?clk_*") > .65 && chance(&h, ";s") > .65);
    assert_true(chance(&h, "?id") > 0 && chance(&h, "?id") < .4);
    assert_true(chance(&h, "?clk_a") == 0); /* never alone */
    assert_int_equal(DP_OK, dp_other_sites_survey(&again, &site, true, NULL));
    assert_memory_equal(&h, &again, sizeof h);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Learn the site with `others` sites that speak for clk_*; the number that stands at its rule, UINT32_MAX: none. */
static uint32_t learn(const pages *s, unsigned others)
{
    dp_arena         a = {0};
    dp_site          site;
    dp_survey        told = {0};
    dp_proposals     p = {0};
    uint32_t         sites = UINT32_MAX;
    dp_learn_context ctx = {.min_precision = .99, .folds = DP_ALL_FOLDS, .trust = 1u << DP_BY_TEXT, .shared = &told};
    assert_int_equal(DP_OK, dp_site_make(&site, DP_STR("a.test"), s->v, s->n, &a));
    assert_int_equal(DP_OK, dp_other_sites_survey(&told.names, &site, true, NULL));
    note_sites(&told.names, "?clk_*", others, 40, 0);
    assert_int_equal(DP_OK, dp_method_auto.learn(&p, &site, dp_method_auto.options_init, &ctx, &a));
    for (size_t i = 0; i < p.n; i++)
        if (dp_str_eq(p.v[i].text, DP_STR("drop ?clk_*"))) {
            sites = p.v[i].sites;
            assert_true(p.v[i].p >= .99 && p.v[i].neg == 0);
            assert_int_equal(DP_ACTIVE, p.v[i].state);
        }
    dp_proposals_done(&p);
    dp_arena_done(&a);
    return sites;
}

static void small_sites_are_carried_and_large_ones_are_not(void **state)
{
    (void)state;
    pages small = {0}, large = {0};
    plant(&small, 12, 2);
    assert_int_equal(UINT32_MAX, learn(&small, 0)); /* its own word does not count twice */
    assert_int_equal(20, learn(&small, 20));
    plant(&large, 40, 30);
    assert_int_not_equal(20, learn(&large, 20));
    dp_arena_done(&small.a);
    dp_arena_done(&large.a);
}

static void no_number_of_sites_overrules_a_vote(void **state)
{
    (void)state;
    pages s = {0};
    plant(&s, 12, 2);
    add(&s, 900, "http://a.test/show?clk_a=k1x&clk_b=z", 0, 0);
    add(&s, 901, "http://a.test/show?clk_a=k2x&clk_b=z", 0, 0);
    assert_int_equal(UINT32_MAX, learn(&s, 20));
    assert_int_equal(UINT32_MAX, learn(&s, 60000));
    dp_arena_done(&s.a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    pages    s = {0};
    dp_arena a = {0};
    dp_site  site;
    plant(&s, 6, 3);
    assert_int_equal(DP_OK, dp_site_make(&site, DP_STR("a.test"), s.v, s.n, &a));
    DP_EVERY_ALLOC_FAILURE {
        dp_other_sites  h = {0};
        dp_known_params heard;
        dp_forms        f = {0};
        dp_ideas        ideas = {0};
        note_sites(&h, "?clk_*", 20, 40, 0);
        dp_err e = dp_other_sites_ask(&heard, &site, &(dp_prior_sources){.others = &h}, true, NULL);
        if (e == DP_OK)
            e = dp_forms_init(&f, &site, true, NULL, NULL);
        if (e == DP_OK)
            e = dp_other_sites_propose(&ideas, &heard, &f);
        if (e == DP_OK)
            assert_int_equal(1, ideas.n);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_ideas_done(&ideas);
        dp_forms_done(&f);
    }
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_for_raise_the_chance_and_one_against_lowers_it),
        cmocka_unit_test(few_votes_say_little_and_mixed_ones_nothing),
        cmocka_unit_test(chance_is_the_integral),
        cmocka_unit_test(what_a_site_said_can_be_left_out),
        cmocka_unit_test(names_of_many_sites_stay),
        cmocka_unit_test(a_pack_says_how_many_sites_it_knows),
        cmocka_unit_test(a_site_tells_what_its_votes_say),
        cmocka_unit_test(small_sites_are_carried_and_large_ones_are_not),
        cmocka_unit_test(no_number_of_sites_overrules_a_vote),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("other_sites", tests, NULL, NULL);
}
