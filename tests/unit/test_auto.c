/* learn/auto: a small site with known rules; labels and names that mean nothing; threads; memory.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/fold.h"
#include "learn/auto/confine/condition.h"
#include "rule/ruleline.h"
#include "learn/auto/vote/guard.h"
#include "learn/auto/method.h"
#include "learn/auto/rounds/rounds.h"
#include "learn/sample/sample_part.h"
#include "support/failing_alloc.h"

/* Pages in the making; texts are in the arena. */
typedef struct pages {
    dp_site_page v[1200];
    size_t       n;
    dp_arena     a;
    char         shift; /* added to letters: other names, in the same order */
} pages;

/* Add a URL of cluster `id`. Letters behind the origin run from a to m, so that they can be renamed. */
static void add(pages *s, unsigned id, const char *rest)
{
    char url[200], cluster[16];
    int  n = snprintf(url, sizeof url, "http://a.test%s", rest), c = snprintf(cluster, sizeof cluster, "c%u", id);
    for (int i = 13; i < n; i++)
        if (url[i] >= 'a' && url[i] <= 'm')
            url[i] = (char)(url[i] + s->shift);
    s->v[s->n++] = (dp_site_page){dp_arena_str(&s->a, (dp_str){url, (size_t)n}),
                                  dp_arena_str(&s->a, (dp_str){cluster, (size_t)c}), DP_BY_TEXT};
    assert_non_null(s->v[s->n - 1].url.p);
}

static void addf(pages *s, unsigned id, const char *format, unsigned x, unsigned y)
{
    char rest[160];
    snprintf(rest, sizeof rest, format, x, y);
    add(s, id, rest);
}

/* Session ids that mean nothing under /abcd, and parameters that matter; an index file; pages of their own. */
static void plant(pages *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned id = 1000 + 37 * i;
        addf(s, 4 * i, "/abcd/%u", id, 0);
        addf(s, 4 * i, "/abcd/%u?gade=%u", id, 70001 * (i + 1));
        addf(s, 4 * i, "/abcd/%u?gade=%u", id, 91003 * (i + 1));
        addf(s, 4 * i + 1, "/ficle/%u/kame.bac", id, 0);
        addf(s, 4 * i + 1, "/ficle/%u/", id, 0);
        addf(s, 4 * i + 2, "/blade/%u?hill=1", id, 0);
        addf(s, 4 * i + 3, "/blade/%u?hill=2", id, 0);
    }
}

static dp_err learn_with(dp_proposals *out, const pages *s, const void *options, dp_pool *pool, dp_arena *a)
{
    dp_site          site;
    dp_learn_context ctx = {.min_precision = .99, .folds = DP_ALL_FOLDS, .pool = pool,
                            .trust = 1u << DP_BY_TEXT};
    *out = (dp_proposals){0};
    DP_TRY(dp_site_make(&site, DP_STR("a.test"), s->v, s->n, a));
    return dp_method_auto.learn(out, &site, options, &ctx, a);
}

static dp_err learn(dp_proposals *out, const pages *s, dp_pool *pool, dp_arena *a)
{
    return learn_with(out, s, dp_method_auto.options_init, pool, a);
}

static bool has(const dp_proposals *p, const char *text)
{
    for (size_t i = 0; i < p->n; i++)
        if (dp_str_eq(p->v[i].text, dp_str_c(text)))
            return true;
    return false;
}

static void finds_what_was_planted_and_nothing_else(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    plant(&s, 40);
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_true(has(&p, "drop ?gade"));
    assert_true(has(&p, "/{**}/kame.bac => /{**}/"));
    assert_int_equal(2, p.n);
    for (size_t i = 0; i < p.n; i++) {
        assert_true(p.v[i].n >= 30 && p.v[i].neg == 0 && p.v[i].p >= .99);
        assert_int_equal(DP_ACTIVE, p.v[i].state);
        assert_true(dp_str_eq(p.v[i].hosts, DP_STR("a.test")));
    }
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Labels that say nothing: whatever is found there would be found anywhere. */
static void shuffled_labels_give_no_rules(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    dp_rng       g = dp_rng_seed(7);
    plant(&s, 60);
    for (size_t i = s.n; i > 1; i--) {
        size_t k = dp_rng_below(&g, i);
        dp_str t = s.v[i - 1].cluster;
        s.v[i - 1].cluster = s.v[k].cluster;
        s.v[k].cluster = t;
    }
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_int_equal(0, p.n);
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Other words of the same length, class and order: other rules of the same length, with the same counts. */
static void renamed_words_give_renamed_rules(void **state)
{
    (void)state;
    pages        s[2] = {{.shift = 0}, {.shift = 13}};
    dp_arena     a = {0};
    dp_proposals p[2];
    for (int k = 0; k < 2; k++) {
        plant(&s[k], 40);
        assert_int_equal(DP_OK, learn(&p[k], &s[k], NULL, &a));
    }
    assert_int_equal(p[0].n, p[1].n);
    for (size_t i = 0; i < p[0].n; i++) {
        assert_int_equal(p[0].v[i].text.n, p[1].v[i].text.n);
        assert_int_equal(p[0].v[i].n, p[1].v[i].n);
        assert_int_equal(p[0].v[i].save, p[1].v[i].save);
    }
    assert_true(has(&p[1], "drop ?tnqr"));
    for (int k = 0; k < 2; k++) {
        dp_proposals_done(&p[k]);
        dp_arena_done(&s[k].a);
    }
    dp_arena_done(&a);
}

static void threads_and_order_do_not_matter(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p[2];
    dp_pool     *pool = NULL;
    plant(&s, 40);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 3));
    assert_int_equal(DP_OK, learn(&p[0], &s, NULL, &a));
    for (size_t i = 0; i < s.n / 2; i++) {
        dp_site_page t = s.v[i];
        s.v[i] = s.v[s.n - 1 - i];
        s.v[s.n - 1 - i] = t;
    }
    assert_int_equal(DP_OK, learn(&p[1], &s, pool, &a));
    assert_int_equal(p[0].n, p[1].n);
    for (size_t i = 0; i < p[0].n; i++)
        assert_true(dp_str_eq(p[0].v[i].text, p[1].v[i].text) && p[0].v[i].p == p[1].v[i].p);
    dp_proposals_done(&p[0]);
    dp_proposals_done(&p[1]);
    dp_pool_free(pool);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* A section where the parameter matters is left alone, though elsewhere it does not. */
static void a_contradicted_section_is_left_out(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    plant(&s, 40);
    for (unsigned i = 0; i < 20; i++) {
        addf(&s, 5000 + 2 * i, "/decal/%u?gade=%u", i, 61 * i + 100001);
        addf(&s, 5001 + 2 * i, "/decal/%u?gade=%u", i, 67 * i + 200003);
    }
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_false(has(&p, "drop ?gade"));
    bool confined = false;
    for (size_t i = 0; i < p.n; i++)
        confined |= dp_str_starts(p.v[i].text, DP_STR("drop ?gade "));
    assert_true(confined);
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

static const struct {
    const char *text, *name, *guard; /* guard: NULL when none knows it */
} guarded[] = {
    {"en", "", "lang"},      {"pt-BR", "", "lang"},    {"xy", "", NULL},          {"12", "p", "page"},
    {"12", "", NULL},        {"1234", "p", NULL},      {"2024-05-17", "", "date"}, {"20240517", "", "date"},
    {"2.13", "", "version"}, {"v3", "", "version"},    {"net-1.5", "", "version"}, {"3fa9c2d1", "", NULL},
    {"1794711225", "", "date"}, {"917947112251", "", "id"}, {"latest", "", "version"}, {"latest", "p", NULL},
    {"lately", "", NULL},
};

static void guards_know_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(guarded); i++) {
        const char *found = NULL;
        for (int g = 0; g < DP_GUARDS && !found; g++)
            if (dp_guards[g].fits(dp_str_c(guarded[i].text), dp_str_c(guarded[i].name)))
                found = dp_guards[g].name;
        if (!guarded[i].guard)
            assert_null(found);
        else
            assert_string_equal(guarded[i].guard, found ? found : guarded[i].text);
    }
    uint32_t bits;
    dp_str   bad;
    assert_true(dp_guard_parse(&bits, DP_STR("lang,id"), &bad));
    assert_int_equal(1 | 1 << 4, bits);
    assert_false(dp_guard_parse(&bits, DP_STR("lang,ids"), &bad));
    assert_true(dp_str_eq(bad, DP_STR("ids")));
}

/* Duplicates of which nobody doubts anything: what is promised of a list has room for some that are less sure. */
static void plant_sure(pages *s)
{
    for (unsigned i = 0; i < 100; i++) {
        addf(s, 20000 + i, "/ficle/%u/kame.bac", 1000 + 37 * i, 0);
        addf(s, 20000 + i, "/ficle/%u/", 1000 + 37 * i, 0);
    }
}

/* Pages that were imported in one second show today what they showed then. */
static void a_timestamp_needs_thirty_pages(void **state)
{
    (void)state;
    for (unsigned n = 25; n <= 35; n += 10) {
        pages        s = {0};
        dp_arena     a = {0};
        dp_proposals p;
        plant_sure(&s);
        for (unsigned i = 0; i < n; i++) {
            addf(&s, i, "/abcd/%u", 1000 + 37 * i, 0);
            addf(&s, i, "/abcd/%u?gade=%u", 1000 + 37 * i, 1794711225);
            addf(&s, 100 + i, "/abcd/%u?gade=%u", 1000 + 37 * i, 1700000000 + 71001 * i);
        }
        assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
        assert_int_equal(n > 30, has(&p, "drop ?gade if =1794711225"));
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

/* The date of a revision, whichever: pages that were written once show what they showed then. `two` pages were seen
 * with two of them: only these say that one revision is as good as another. */
static bool drops_any_revision(unsigned n, unsigned two)
{
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    plant_sure(&s);
    for (unsigned i = 0; i < n; i++) {
        addf(&s, i, "/abcd/%u", 1000 + 37 * i, 0);
        addf(&s, i, "/abcd/%u?gade=%u", 1000 + 37 * i, 1700000000 + 71001 * i);
        if (i < two)
            addf(&s, i, "/abcd/%u?gade=%u", 1000 + 37 * i, 1600000000 + 71001 * i);
    }
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    bool found = has(&p, "drop ?gade");
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
    return found;
}

static void a_revision_of_any_date_needs_twenty_pages_and_three_with_two(void **state)
{
    (void)state;
    assert_true(drops_any_revision(25, 3));
    assert_false(drops_any_revision(15, 3));
    assert_false(drops_any_revision(25, 2));
}

/* Pages of two URLs by formats of their number; the one rule that must come out. */
static const struct {
    const char *one, *other, *want;
} queries[] = {
    {"/bad?gade=mice:%u", "/bad?gade=mice%%3A%u", "/{**}?gade={x}&... => /{**}?gade={x|decode}&..."},
    {"/bad?b=%u", "/bad?b=%u&dig=mad&hid=&led=1", "/{**}?dig=mad&hid=&led=1&... => /{**}?..."},
    {"/bad?b=%u", "/bad?gade=%u", "sub \"gade=\" -> \"b=\""},
    {"/bad?b=%u&gade=mice", "/bad?b=%u;gade=mice", "sub \";\" -> \"&\""},
};

static void one_rule_says_it_for_all_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < DP_COUNT(queries); k++) {
        pages        s = {0};
        dp_arena     a = {0};
        dp_proposals p;
        for (unsigned i = 0; i < 20; i++) {
            addf(&s, i, queries[k].one, 1000 + 37 * i, 0);
            addf(&s, i, queries[k].other, 1000 + 37 * i, 0);
            addf(&s, 100 + i, "/mild?dig=mad&c=%u", i, 0); /* a value alone is no default */
            addf(&s, 200 + i, "/mild?c=%u", i, 0);
        }
        assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
        if (p.n != 1 || !has(&p, queries[k].want))
            fail_msg("%zu rules, the first %.*s, not %s", p.n, (int)(p.n ? p.v[0].text.n : 0), p.n ? p.v[0].text.p : "",
                     queries[k].want);
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

/* Two releases of a manual: `files` that are equal in both, and pages that are not. */
static void plant_releases(pages *s, unsigned files)
{
    for (unsigned i = 0; i < files; i++) {
        addf(s, i, "/2.1/deal%u.bac", i, 0);
        addf(s, i, "/2.0/deal%u.bac", i, 0);
    }
    for (unsigned i = 0; i < 40; i++) {
        addf(s, 1000 + i, "/2.1/mice%u", i, 0);
        addf(s, 2000 + i, "/2.0/mice%u", i, 0);
    }
}

/* What is guarded may hold for files of one kind, if they alone have the votes; a few equal ones are an accident. */
static void what_is_guarded_holds_where_it_has_all_the_votes(void **state)
{
    (void)state;
    static const unsigned files[] = {25, 40};
    for (size_t k = 0; k < DP_COUNT(files); k++) {
        pages        s = {0};
        dp_arena     a = {0};
        dp_proposals p;
        plant_releases(&s, files[k]);
        plant_sure(&s);
        assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
        assert_int_equal(k + 1, p.n);
        if (k)
            assert_true(has(&p, "/2.1/{a}.bac => /2.0/{a}.bac"));
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

/* The p of a rule; it must be there. */
static double p_of(const dp_proposals *p, const char *text)
{
    for (size_t i = 0; i < p->n; i++)
        if (dp_str_eq(p->v[i].text, dp_str_c(text)))
            return p->v[i].p;
    fail_msg("no rule %s", text);
    return 0;
}

/* What is guarded is equal so far, and n votes say no more than that: one page in n + 2 may be another. A list of
 * nothing else does not keep .99; among sure rules it does. */
static void what_holds_by_accident_needs_sure_company(void **state)
{
    (void)state;
    for (int sure = 0; sure < 2; sure++) {
        pages        s = {0};
        dp_arena     a = {0};
        dp_proposals p;
        plant_releases(&s, 30);
        if (sure)
            plant_sure(&s);
        assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
        if (sure) {
            assert_true(p_of(&p, "/2.1/{a}.bac => /2.0/{a}.bac") < 31.5 / 32);
            assert_true(p_of(&p, "/2.1/{a}.bac => /2.0/{a}.bac") > 30.5 / 32);
        } else {
            assert_int_equal(1, p.n);
            assert_int_equal(DP_LIKELY, p.v[0].state);
        }
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

/* Two folders with the same images, of two kinds, and pages: in both if they `agree`, else in one of them. */
static void plant_folders(pages *s, bool agree)
{
    for (unsigned i = 0; i < 40; i++) {
        addf(s, i, i % 3 ? "/old/made%u.png" : "/old/made%u.gif", i, 0);
        addf(s, i, i % 3 ? "/kid/made%u.png" : "/kid/made%u.gif", i, 0);
        addf(s, 1000 + i, "/old/leaf%u", i, 0);
        if (agree)
            addf(s, 1000 + i, "/kid/leaf%u", i, 0);
    }
}

/* Pages outvote images: where pages have no say, a rule goes to images alone. */
static void images_say_nothing_of_pages(void **state)
{
    (void)state;
    for (int agree = 0; agree < 2; agree++) {
        pages        s = {0};
        dp_arena     a = {0};
        dp_proposals p;
        plant_folders(&s, agree);
        assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
        assert_true(p.n > 0);
        for (size_t i = 0; i < p.n; i++) {
            dp_str text = p.v[i].text;
            bool   images = memmem(text.p, text.n, "png", 3) || memmem(text.p, text.n, "gif", 3);
            if (images == (agree == 1))
                fail_msg("%.*s", DP_FMT(p.v[i].text));
        }
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

/* A folder that became another, and folders of any name: one rule that forgets the name says both. */
static void one_rule_that_forgets_stands_for_its_cases(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    for (unsigned i = 0; i < 12; i++) {
        addf(&s, i, "/able/%u", 1000 + 37 * i, 0);
        addf(&s, i, "/cable/%u", 1000 + 37 * i, 0);
    }
    for (unsigned i = 0; i < 20; i++) {
        addf(&s, 100 + i, "/able/%u", 5000 + 31 * i, 0);
        addf(&s, 100 + i, "/h%uk/%u", 7919 * i, 5000 + 31 * i);
    }
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_int_equal(1, p.n);
    assert_true(dp_str_eq(p.v[0].text, DP_STR("/{A}/{a:int} => /able/{a}")));
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* In one folder the last component is a title; in another two views of a page are the same, and a third is not: the
 * title is forgotten, not the view. */
static void a_value_that_stands_for_pages_of_its_own_matters(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    for (unsigned i = 0; i < 64; i++) {
        addf(&s, i, "/able/h%u/k%um", 1000 + 37 * i, 7919 * i % 99991);
        addf(&s, i, "/able/h%u/k%um", 1000 + 37 * i, 104729 * i % 99991);
    }
    for (unsigned i = 0; i < 20; i++) {
        addf(&s, 100 + i, "/gade/h%u/mild", 5000 + 31 * i, 0);
        addf(&s, 100 + i, "/gade/h%u/dime", 5000 + 31 * i, 0);
    }
    for (unsigned i = 0; i < 2; i++)
        addf(&s, 200 + i, "/gade/h%u/jade", 5000 + 31 * i, 0);
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_int_equal(2, p.n);
    assert_true(has(&p, "/able/{b}/{c} => /able/{b}"));
    assert_true(has(&p, "/{**}/mild => /{**}/dime"));
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* A list of ten is the default; lists of 20 are the same as long as they are short, which few are. Two values that are
 * left out would make them one page with each other, too. */
static void a_name_has_one_default(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    for (unsigned i = 0; i < 40; i++) {
        addf(&s, i, "/able/%u", 1000 + 37 * i, 0);
        addf(&s, i, "/able/%u?beam=10", 1000 + 37 * i, 0);
        if (i % 7 == 0)
            addf(&s, i, "/able/%u?beam=20", 1000 + 37 * i, 0);
        if (i % 2 == 0)
            addf(&s, 100 + i, "/able/%u?beam=%u", 1000 + 37 * i, 30 + i);
    }
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_true(has(&p, "drop ?beam if =10"));
    assert_int_equal(1, p.n);
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Folders of any name are forgotten; one that is a language, of which nobody has seen that it may be, is not. */
static void a_language_is_not_forgotten_with_other_names(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    for (unsigned i = 0; i < 30; i++) {
        addf(&s, i, "/d%um", 1000 + 37 * i, 0);
        addf(&s, i, "/h%uk/d%um", 7919 * i % 99991, 1000 + 37 * i);
    }
    add(&s, 100, "/de/d5000m");
    add(&s, 101, "/de/d5031m");
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    assert_int_equal(1, p.n);
    assert_true(has(&p, "/{A}/{a} => /{a} unless /de/{**}"));
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Twelve folders became others, each by itself: a part of the site finds some of them, with three votes, and says by
 * that that there are more. What comes out is what the whole says. */
static void a_part_with_scarce_rules_is_forgotten(void **state)
{
    (void)state;
    static const char *const folders[] = {"abide", "badge", "cable", "decal", "eagle", "fable",
                                          "glade", "habit", "image", "jihad", "khaki", "label"};
    pages           s = {0};
    dp_arena        a = {0};
    dp_proposals    p[2];
    dp_auto_options o[2] = {DP_AUTO_OPTIONS_INIT, DP_AUTO_OPTIONS_INIT};
    for (unsigned i = 0; i < 288; i += 2) {
        char rest[64];
        snprintf(rest, sizeof rest, "/%s/%u", folders[i / 24], 1000 + 37 * (i % 24));
        add(&s, i, rest);
        snprintf(rest, sizeof rest, "/%s/%u", folders[i / 24] + 1, 1000 + 37 * (i % 24));
        add(&s, i, rest);
    }
    o[0].sample = 60;
    o[1].sample = 0;
    for (int k = 0; k < 2; k++)
        assert_int_equal(DP_OK, learn_with(&p[k], &s, &o[k], NULL, &a));
    assert_int_equal(p[0].n, p[1].n);
    for (size_t i = 0; i < p[0].n; i++)
        if (!dp_str_eq(p[0].v[i].text, p[1].v[i].text))
            fail_msg("%.*s, not %.*s", (int)p[0].v[i].text.n, p[0].v[i].text.p, (int)p[1].v[i].text.n,
                     p[1].v[i].text.p);
    for (int k = 0; k < 2; k++)
        dp_proposals_done(&p[k]);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* A template where files have one extension, or a component one of two values; another rule; what cannot be said. */
static void conditions_of_rules(void **state)
{
    (void)state;
    static const struct {
        dp_feature_kind kind;
        uint8_t         at;
        const char     *text, *value, *want; /* want: NULL when it cannot be said */
    } cases[] = {
        {DP_F_EXTENSION, 0, "/a/{**} => /b/{**}", ".png", "/a/{**}/{z}.png => /b/{**}/{z}.png"},
        {DP_F_EXTENSION, 0, "/a/{x}/{y} => /{x}/b/{y}", ".png", "/a/{x}/{y}.png => /{x}/b/{y}.png"},
        {DP_F_EXTENSION, 0, "/a/{y} => /b/{y} unless /a/c/{**}", ".png", "/a/{y}.png => /b/{y}.png unless /a/c/{**}"},
        {DP_F_EXTENSION, 0, "/a/{x}/{y} => /{x}", ".png", NULL},
        {DP_F_EXTENSION, 0, "/{**}/index.html => /{**}/", ".html", NULL},
        {DP_F_EXTENSION, 0, "/a/{**} => /b/{**}", "", NULL},
        {DP_F_START, 0, "/{x}/{**} => /{**}", "a", "/{x=a}/{**} => /{**}"},
        {DP_F_START, 0, "/{**}/x => /{**}/y", "a", "/{q=a}/{**}/x => /{q}/{**}/y"},
        {DP_F_START, 1, "/{**}/x?k={v} => /{**}/{v}", "a", "/{r}/{q=a}/{**}/x?k={v} => /{r}/{q}/{**}/{v}"},
        {DP_F_START, 2, "/{**}/x => /{**}/y", "a", NULL},
        {DP_F_START, 1, "/a/{x:int} => /b/{x}", "7", NULL},
        {DP_F_START, 0, "//a.com/{**} => //b.com/{**}", "a", NULL},
        {DP_F_START, 0, "https:/{x} => http:/{x}", "a", NULL},
        {DP_F_END, 1, "/a/{x}/{y} => /{y}/{x}", "b", "/a/{x=b}/{y} => /{y}/{x}"},
        {DP_F_END, 1, "/{**}/{y} => /{**}/b/{y}", "b", NULL},
        {DP_F_START, 0, "drop ?s unless /b/{**}?k=1", "a", "drop ?s on /a/{**} unless /b/{**}?k=1"},
        {DP_F_START, 0, "drop ?s if =/on/ on /{**}?+k", "a", NULL},
        {DP_F_HAS, 0, "drop ?s if =/on/", "", "drop ?s if =/on/ on /{**}?+n"},
        {DP_F_START, 0, "order any", "a", NULL},
    };
    dp_buf   out = {0};
    dp_arena a = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_feature        f = {.kind = (uint8_t)cases[i].kind, .at = cases[i].at, .name = DP_STR("n"),
                               .value = dp_str_c(cases[i].value)};
        const dp_feature *one = &f;
        dp_rule           rule;
        bool              said = dp_ruleline_parse(&rule, dp_str_c(cases[i].text), &a) == DP_OK &&
                    dp_condition_restrict(&out, &rule, &one, 1, &a);
        if (said != (cases[i].want != NULL) || (said && !dp_str_eq(dp_buf_view(&out), dp_str_c(cases[i].want))))
            fail_msg("%s: %.*s", cases[i].text, said ? (int)out.n : 0, out.p);
    }
    dp_buf_done(&out);
    dp_arena_done(&a);
}

/* What a rule says already is no exception more. */
static void exceptions_of_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"drop ?s", "drop ?s unless /a/{**}"},
        {"drop ?s on /b/{**} unless /c/{**}", "drop ?s on /b/{**} unless /c/{**} unless /a/{**}"},
        {"/{x}.html => /{x} unless /a/{**}", NULL},
        {"/{x}.html => /{x} unless /a/{**}?k=1", "/{x}.html => /{x} unless /a/{**}?k=1 unless /a/{**}"},
    };
    dp_buf            out = {0};
    dp_arena          a = {0};
    dp_feature        f = {.kind = DP_F_START, .value = DP_STR("a")};
    const dp_feature *one = &f;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_rule rule;
        assert_int_equal(DP_OK, dp_ruleline_parse(&rule, dp_str_c(cases[i].text), &a));
        assert_int_equal(cases[i].want != NULL, dp_condition_except(&out, &rule, &one, 1));
        if (cases[i].want)
            assert_true(dp_str_eq(dp_buf_view(&out), dp_str_c(cases[i].want)));
    }
    dp_buf_done(&out);
    dp_arena_done(&a);
}

/* A list with nothing known of any page is guessed at, and nothing is active. */
static void without_clusters_rules_are_likely(void **state)
{
    (void)state;
    pages        s = {0};
    dp_arena     a = {0};
    dp_proposals p;
    plant(&s, 40);
    for (size_t i = 0; i < s.n; i++)
        s.v[i].cluster.n = 0;
    assert_int_equal(DP_OK, learn(&p, &s, NULL, &a));
    for (size_t i = 0; i < p.n; i++)
        assert_int_equal(DP_LIKELY, p.v[i].state);
    dp_proposals_done(&p);
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

/* Old addresses redirect to longer ones: rules lead where the redirects lead, though the other way would be cheaper. */
static void rules_follow_arrows(void **state)
{
    (void)state;
    enum { PAIRS = 30 };
    for (unsigned directed = 0; directed < 2; directed++) {
        pages            s = {0};
        dp_arena         a = {0};
        dp_site          site;
        dp_arrow         arrow[PAIRS];
        dp_proposals     p = {0};
        dp_learn_context ctx = {.min_precision = .99, .folds = DP_ALL_FOLDS, .trust = 1u << DP_BY_TEXT};
        for (unsigned i = 0; i < PAIRS; i++) {
            addf(&s, i, "/ab/%u", 100 + i, 0);
            addf(&s, i, "/long/ab/%u", 100 + i, 0);
            addf(&s, PAIRS + i, "/ed/%u", 100 + i, 0);
        }
        assert_int_equal(DP_OK, dp_site_make(&site, DP_STR("a.test"), s.v, s.n, &a));
        for (uint32_t i = 0; i < PAIRS; i++) /* URLs are sorted: /ab, /ed, /long */
            arrow[i] = (dp_arrow){i, 2 * PAIRS + i, DP_BY_REDIRECT};
        site.arrow = arrow;
        site.narrow = directed ? PAIRS : 0;
        assert_int_equal(DP_OK, dp_method_auto.learn(&p, &site, dp_method_auto.options_init, &ctx, &a));
        assert_int_equal(1, p.n);
        assert_int_equal(directed, memmem(p.v[0].text.p, p.v[0].text.n, "=> /long/", 9) != NULL);
        dp_proposals_done(&p);
        dp_arena_done(&a);
        dp_arena_done(&s.a);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    pages s = {0};
    plant(&s, 4);
    DP_EVERY_ALLOC_FAILURE {
        dp_arena     a = {0};
        dp_proposals p = {0};
        dp_err       e = learn(&p, &s, NULL, &a);
        if (e != (dp_alloc_failed() ? DP_ENOMEM : DP_OK))
            fail_msg("allocation %zu: %d", dp_alloc_run_, (int)e);
        dp_proposals_done(&p);
        dp_arena_done(&a);
    }
    dp_arena_done(&s.a);
}

/* A part holds what is equal to a URL of it but for a parameter. */
static void parts_are_like_the_whole(void **state)
{
    pages    s = {0};
    dp_arena a = {0};
    dp_site  whole, part;
    size_t   pairs = 0, blades = 0;
    (void)state;
    plant(&s, 100);
    assert_int_equal(DP_OK, dp_site_make(&whole, DP_STR("a.test"), s.v, s.n, &a));
    assert_int_equal(DP_OK, dp_sample_part(&part, &whole, 150, &a));
    assert_in_range(part.n, 75, 400);
    for (size_t i = 0; i < part.n; i++) {
        bool blade = memcmp(part.url[i].p + 13, "/blade", 6) == 0;
        assert_true(part.cluster[i] < part.nclusters);
        blades += blade;
        pairs += blade && i + 1 < part.n && part.url[i + 1].n == part.url[i].n &&
                 memcmp(part.url[i].p, part.url[i + 1].p, part.url[i].n - 1) == 0;
        assert_true(i == 0 || dp_str_cmp(part.url[i - 1], part.url[i]) < 0);
    }
    assert_true(blades > 10);
    assert_int_equal(blades, 2 * pairs); /* ?hill=1 and ?hill=2 are there together */
    dp_arena_done(&a);
    dp_arena_done(&s.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_planted_and_nothing_else),
        cmocka_unit_test(shuffled_labels_give_no_rules),
        cmocka_unit_test(renamed_words_give_renamed_rules),
        cmocka_unit_test(threads_and_order_do_not_matter),
        cmocka_unit_test(a_contradicted_section_is_left_out),
        cmocka_unit_test(parts_are_like_the_whole),
        cmocka_unit_test(guards_know_the_table),
        cmocka_unit_test(a_timestamp_needs_thirty_pages),
        cmocka_unit_test(a_revision_of_any_date_needs_twenty_pages_and_three_with_two),
        cmocka_unit_test(one_rule_says_it_for_all_values),
        cmocka_unit_test(what_is_guarded_holds_where_it_has_all_the_votes),
        cmocka_unit_test(what_holds_by_accident_needs_sure_company),
        cmocka_unit_test(images_say_nothing_of_pages),
        cmocka_unit_test(one_rule_that_forgets_stands_for_its_cases),
        cmocka_unit_test(a_value_that_stands_for_pages_of_its_own_matters),
        cmocka_unit_test(a_language_is_not_forgotten_with_other_names),
        cmocka_unit_test(a_name_has_one_default),
        cmocka_unit_test(a_part_with_scarce_rules_is_forgotten),
        cmocka_unit_test(conditions_of_rules),
        cmocka_unit_test(exceptions_of_rules),
        cmocka_unit_test(without_clusters_rules_are_likely),
        cmocka_unit_test(rules_follow_arrows),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
