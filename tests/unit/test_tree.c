/* learn/tree/tree.h: each switch changes what the papers say it changes; bad input; threads; memory that is out.
 * The papers' examples are in tests/golden/tree.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/fold.h"
#include "learn/tree/pick.h"
#include "learn/tree/tree.h"
#include "site/part.h"
#include "support/failing_alloc.h"

/* ---- sites in the making ---------------------------------------------------------------------------------- */

typedef struct world {
    dp_site_page *page; /* [n] malloc'd */
    size_t        n, cap;
    dp_arena      a;
    dp_site       s;
} world;

static void add(world *w, const char *cluster, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(world *w, const char *cluster, const char *format, ...)
{
    char    text[300];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (w->n == w->cap) {
        w->cap = w->cap ? 2 * w->cap : 64;
        w->page = realloc(w->page, w->cap * sizeof *w->page);
        assert_non_null(w->page);
    }
    dp_str url = dp_arena_str(&w->a, (dp_str){text, (size_t)n}), id = dp_arena_str(&w->a, dp_str_c(cluster));
    assert_true(url.p && id.p);
    w->page[w->n++] = (dp_site_page){url, id, DP_BY_TEXT};
}

static const char *number(size_t i)
{
    static char text[4][24];
    static int  at;
    at = (at + 1) % 4;
    snprintf(text[at], sizeof text[at], "%zu", i);
    return text[at];
}

static bool holds(dp_str s, const char *part)
{
    return memmem(s.p, s.n, part, strlen(part)) != NULL;
}

static void make(world *w)
{
    assert_int_equal(DP_OK, dp_site_make(&w->s, DP_STR("a.com"), w->page, w->n, &w->a));
}

static void done(world *w)
{
    free(w->page);
    dp_arena_done(&w->a);
}

/* The rules that pass, joined by line ends; in the world's arena. */
static const char *learn_with(world *w, const dp_tree_options *o, dp_pool *pool, uint32_t folds)
{
    dp_proposals     p = {0};
    dp_learn_context ctx = {
        .min_precision = .9, .accept = DP_ACCEPT_PAPER, .folds = folds, .pool = pool, .seed = 1};
    dp_buf text = {0};
    assert_int_equal(DP_OK, dp_method_tree.learn(&p, &w->s, o, &ctx, &w->a));
    for (size_t i = 0; i < p.n; i++)
        if (p.v[i].passes) {
            dp_buf_c(&text, text.n ? "\n" : "");
            dp_buf_str(&text, p.v[i].text);
        }
    dp_buf_byte(&text, 0);
    assert_false(text.failed);
    const char *copy = dp_arena_str(&w->a, dp_buf_view(&text)).p;
    dp_buf_done(&text);
    dp_proposals_done(&p);
    return copy;
}

static const char *learn(world *w, const dp_tree_options *o)
{
    if (!w->s.url)
        make(w);
    return learn_with(w, o, NULL, DP_ALL_FOLDS);
}

/* ---- switches --------------------------------------------------------------------------------------------- */

static void deep_tokens_find_what_stands_inside_a_segment(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/item-%zu.html", 100 + i);
        add(&w, number(i), "http://a.com/show?id=%zu", 100 + i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("/show?id={id} => /item-{id}.html", learn(&w, &o));
    o.no_deep = true; /* the target is a literal then, another in each cluster */
    assert_string_equal("", learn(&w, &o));
    done(&w);
}

static void conversions_say_case(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/p/k%cx%zu", (char)('a' + i), i);
        add(&w, number(i), "http://a.com/p/K%cX%zu", (char)('A' + i), i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("/p/{a} => /p/{a|lower}", learn(&w, &o));
    o.no_conversions = true;
    assert_string_equal("", learn(&w, &o));
    o = (dp_tree_options)DP_TREE_OPTIONS_INIT;
    o.as = DP_TREE_CIKM09;
    assert_string_equal("", learn(&w, &o));
    done(&w);
}

static void keys_from_both_ends_join_depths(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 8; i++) {
        add(&w, number(i), "http://a.com/x%zu/index.html", i);
        add(&w, number(i), "http://a.com/x%zu", i);
        add(&w, number(100 + i), "http://a.com/y%zu/z%zu/index.html", i, i);
        add(&w, number(100 + i), "http://a.com/y%zu/z%zu", i, i);
        add(&w, number(200 + i), "http://a.com/x%zu/other.html", i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("/{a}/{**}/index.html => /{a}/{**}", learn(&w, &o));
    o.forward_only = true; /* two classes of eight pairs each, with eight values in their contexts: none is any */
    assert_string_equal("", learn(&w, &o));
    o.wild = 4; /* any at last, but one rule for each depth */
    o.coverage = 8;
    assert_string_equal("/{a}/index.html => /{a}\n/{a}/{b}/index.html => /{a}/{b}", learn(&w, &o));
    o = (dp_tree_options)DP_TREE_OPTIONS_INIT;
    o.as = DP_TREE_CIKM09;
    o.wild = 4;
    o.coverage = 8;
    assert_string_equal("/{a}/index.html => /{a}\n/{a}/{b}/index.html => /{a}/{b}", learn(&w, &o));
    done(&w);
}

static void the_threshold_of_values_says_what_is_any(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 60; i++) {
        add(&w, number(i), "http://a.com/s%zu/%zu?sid=%zu", i % 3, i, i * 7919);
        add(&w, number(i), "http://a.com/s%zu/%zu", i % 3, i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("drop ?sid on /s0/*\ndrop ?sid on /s1/*\ndrop ?sid on /s2/*", learn(&w, &o));
    o.wild = 2;
    assert_string_equal("drop ?sid on /*/*", learn(&w, &o));
    o = (dp_tree_options)DP_TREE_OPTIONS_INIT;
    o.majority = .5; /* none of the three has it */
    assert_string_equal("drop ?sid on /*/*", learn(&w, &o));
    done(&w);
}

static void coverage_is_asked_for(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/a/%zu?sid=%zu", i, i);
        add(&w, number(i), "http://a.com/a/%zu", i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    o.coverage = 20;
    assert_string_equal("drop ?sid on /a/*", learn(&w, &o));
    o.coverage = 21;
    assert_string_equal("", learn(&w, &o));
    done(&w);
}

/* One cluster: with one target its literal is all that is known; with several, that it does not matter. */
static void more_targets_generalize_transformations(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 30; i++)
        add(&w, "one", "http://a.com/friends-%c%zu%c", (char)('a' + i % 26), i * 37 % 31, (char)('k' + i % 9));
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    const char     *one = learn(&w, &o);
    assert_non_null(strstr(one, "/friends-* => /friends-"));
    assert_null(strstr(one, "=> /friends-*"));
    o.targets = 3;
    assert_string_equal("/friends-* => /friends-*", learn(&w, &o));
    done(&w);
}

/* The target is the one that is linked most, where links are known. */
static void links_choose_the_target(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/x/%zu", 100 + i);
        add(&w, number(i), "http://a.com/longer/%zu", 100 + i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("/longer/{a} => /x/{a}", learn(&w, &o));
    uint32_t links[40], hops[40];
    for (size_t i = 0; i < 40; i++) {
        links[i] = holds(w.s.url[i], "longer") ? 9 : 1;
        hops[i] = holds(w.s.url[i], "longer") ? 5 : 2;
    }
    w.s.inlinks = links;
    assert_string_equal("/x/{a} => /longer/{a}", learn(&w, &o));
    w.s.hops = hops; /* nearness comes before links */
    assert_string_equal("/longer/{a} => /x/{a}", learn(&w, &o));
    done(&w);
}

/* Of a cluster of 12,000 some 1,550 are sources; importance says which. */
static void sources_are_sampled_by_importance(void **state)
{
    (void)state;
    enum { MANY = 10800, FEW = 1200 /* a tenth: one stratum */ };
    world w = {0};
    add(&w, "one", "http://a.com/");
    for (size_t i = 0; i < MANY; i++)
        add(&w, "one", "http://a.com/?sid=%zu", i);
    for (size_t i = 0; i < FEW; i++)
        add(&w, "one", "http://a.com/old/%zu", i);
    make(&w);
    double *importance = calloc(w.s.n, sizeof *importance);
    assert_non_null(importance);
    for (size_t i = 0; i < w.s.n; i++)
        importance[i] = holds(w.s.url[i], "sid") ? 1 : 0;
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    o.all_sources = true;
    assert_string_equal("drop ?sid on /\n/old/* => /", learn(&w, &o));
    o.all_sources = false; /* without importance each stratum has its share */
    assert_string_equal("drop ?sid on /\n/old/* => /", learn(&w, &o));
    w.s.importance = importance; /* what is worth nothing is not looked at */
    assert_string_equal("drop ?sid on /", learn(&w, &o));
    free(importance);
    done(&w);
}

/* Without importance, strata are made of URLs with as many different tokens: a kind that has a tenth of the URLs, and
 * more different tokens than the others, fills one, and has its share of the sources to a URL. */
static void sources_are_sampled_by_different_tokens(void **state)
{
    (void)state;
    enum { MANY = 10800, FEW = 1200 };
    world w = {0};
    add(&w, "one", "http://a.com/");
    for (size_t i = 0; i < MANY; i++)
        add(&w, "one", "http://a.com/?x=%zu&y=%zu&z=%zu", i, i, i); /* 6 different ones of 8 */
    for (size_t i = 0; i < FEW; i++)
        add(&w, "one", "http://a.com/?a=%zu&b=t%zu&c=u%zu", i, i, i); /* 8 of 8 */
    make(&w);
    dp_tree_picks    p;
    dp_tree_options  o = DP_TREE_OPTIONS_INIT;
    dp_learn_context ctx = {.folds = DP_ALL_FOLDS, .seed = 1};
    size_t           few = 0;
    assert_int_equal(DP_OK, dp_tree_pick(&p, &w.s, &o, &ctx));
    for (size_t i = 0; i < p.npair; i++)
        few += holds(w.s.url[p.pair[i].u], "a=");
    assert_int_equal(1550, p.npair);
    assert_int_equal(155, few);
    dp_tree_picks_done(&p);
    done(&w);
}

/* A rule that removes two parameters at once is superfluous beside those that remove each; the papers keep it. */
static void unpruned_rules_are_all_that_cover_enough(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 40; i++) {
        add(&w, number(i), "http://a.com/p/%zu", i);
        add(&w, number(i), "http://a.com/p/%zu?ref=%zu", i, i % 20);
        add(&w, number(i), "http://a.com/p/%zu?sid=%zu", i, i);
        add(&w, number(i), "http://a.com/p/%zu?ref=%zu&sid=%zu", i, i % 20, i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("drop ?ref on /p/*\ndrop ?sid on /p/*", learn(&w, &o));
    o.unpruned = true;
    assert_string_equal("drop ?ref on /p/*\ndrop ?sid on /p/*\ndrop ?ref,sid on /p/*?+ref&+sid", learn(&w, &o));
    done(&w);
}

/* ---- what else it promises ----------------------------------------------------------------------------------- */

static void hosts_that_mirror_each_other_are_joined(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/p/%zu", i);
        add(&w, number(i), "http://www.a.com/p/%zu", i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("/p/{a} => //a.com/p/{a}", learn(&w, &o));
    done(&w);
}

static void path_parameters_are_dropped(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 20; i++) {
        add(&w, number(i), "http://a.com/p/%zu;jsessionid=%zu", i, i * 99991);
        add(&w, number(i), "http://a.com/p/%zu", i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("drop ;jsessionid", learn(&w, &o));
    done(&w);
}

/* Pages that look alike and are not: singletons speak against a rule. */
static void what_is_wrong_elsewhere_does_not_pass(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 12; i++) {
        add(&w, number(i), "http://a.com/p/%zu?v=1", i);
        add(&w, number(i), "http://a.com/p/%zu?v=2", i);
        for (size_t k = 3; k < 12; k++)
            add(&w, number(1000 + 100 * i + k), "http://a.com/p/%zu?v=%zu", i, k);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    o.wild = 1;
    assert_string_equal("/p/{a}?v=2&... => /p/{a}?v=1&...", learn(&w, &o)); /* and not drop, nor erase */
    done(&w);
}

/* One wrong label among the many URLs of a page is one pair (u, v), not the whole page. */
static void one_wrong_label_is_one_pair(void **state)
{
    (void)state;
    world w = {0};
    for (size_t page = 0; page < 12; page++) {
        add(&w, number(page), "http://a.com/p/%zu", page);
        for (size_t i = 0; i < 20; i++)
            add(&w, i == 7 ? number(1000 + page) : number(page), "http://a.com/p/%zu?sid=%zu", page, 100 * page + i);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("drop ?sid on /p/*", learn(&w, &o)); /* 228 of 240 are right */
    done(&w);
}

/* CIKM'09 counts keys from the start; a URL that is deeper has the same first ones. */
static void keys_from_the_start_are_those_of_every_depth(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 12; i++) {
        const char *more = i % 2 ? "/more" : "";
        add(&w, number(i), "http://a.com/p/%zu%s?sid=%zu", i, more, 100 + i);
        add(&w, number(i), "http://a.com/p/%zu%s", i, more);
    }
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    o.as = DP_TREE_CIKM09;
    assert_string_equal("drop ?sid on /p/*/{**}", learn(&w, &o));
    done(&w);
}

static void other_folds_do_not_propose(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 200; i++) {
        add(&w, number(i), "http://a.com/p/%zu?sid=%zu", i, i);
        add(&w, number(i), "http://a.com/p/%zu", i);
    }
    make(&w);
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    assert_string_equal("drop ?sid on /p/*", learn_with(&w, &o, NULL, 0x1FF));
    assert_string_equal("", learn_with(&w, &o, NULL, 0));
    done(&w);
}

static void random_site(world *w, uint64_t seed, size_t n)
{
    static const char *const hosts[] = {"a.com", "www.a.com", "b.a.com"};
    dp_rng                   g = dp_rng_seed(seed);
    for (size_t i = 0; i < n; i++) {
        uint64_t page = dp_rng_below(&g, n / 4 + 1), kind = dp_rng_below(&g, 6);
        char     id[32];
        snprintf(id, sizeof id, "%" PRIu64, dp_rng_below(&g, 20) ? page : dp_rng_below(&g, n));
        const char *host = hosts[dp_rng_below(&g, 3)];
        if (kind == 0)
            add(w, id, "http://%s/x%" PRIu64 "/%" PRIu64 "?sid=%" PRIu64, host, page % 3, page, dp_rng_next(&g));
        else if (kind == 1)
            add(w, id, "http://%s/x%" PRIu64 "/%" PRIu64 "/index.html", host, page % 3, page);
        else if (kind == 2)
            add(w, id, "http://%s/item-%" PRIu64 ".html", host, page);
        else if (kind == 3)
            add(w, id, "http://%s/X%" PRIu64 "/%" PRIu64, host, page % 3, page);
        else
            add(w, id, "https://%s/x%" PRIu64 "/%" PRIu64, host, page % 3, page);
    }
    make(w);
}

/* A part of a site says of its clusters how large they are in the whole. */
static void a_part_is_learned_from_what_it_has(void **state)
{
    (void)state;
    world           w = {0};
    dp_site         whole, part;
    uint8_t         in[3000];
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    random_site(&w, 6, DP_COUNT(in));
    for (size_t i = 0; i < DP_COUNT(in); i++)
        in[i] = i % 3 != 0;
    whole = w.s;
    assert_int_equal(DP_OK, dp_site_part(&part, &whole, in, &w.a));
    w.s = part;
    const char *some = learn(&w, &o);
    for (size_t i = 0; i < part.nclusters; i++)
        ((uint32_t *)part.size)[i] = 0;
    for (size_t i = 0; i < part.n; i++)
        ((uint32_t *)part.size)[part.cluster[i]]++;
    assert_string_equal(learn(&w, &o), some);
    assert_true(strlen(some) > 10);
    done(&w);
}

/* Learning from several choices of folds at once is learning from each; but for deep tokens, which see no labels and
 * are learned from all of them. */
static void choices_of_folds_do_not_see_each_other(void **state)
{
    (void)state;
    static const uint32_t folds[] = {0x0FF, 0x1F1, 0x01E, 0};
    world                 w = {0};
    dp_tree_options       o = DP_TREE_OPTIONS_INIT;
    o.no_deep = true;
    random_site(&w, 6, 3000);
    dp_proposals     all[DP_COUNT(folds)] = {{0}};
    dp_learn_context ctx = {.min_precision = .9, .accept = DP_ACCEPT_JUDGE, .seed = 1};
    assert_int_equal(DP_OK, dp_method_tree.learn_each(all, folds, DP_COUNT(folds), &w.s, &o, &ctx, &w.a));
    for (size_t run = 0; run < DP_COUNT(folds); run++) {
        dp_proposals one = {0};
        ctx.folds = folds[run];
        assert_int_equal(DP_OK, dp_method_tree.learn(&one, &w.s, &o, &ctx, &w.a));
        assert_int_equal(one.n, all[run].n);
        assert_true(folds[run] ? one.n > 3 : one.n == 0);
        for (size_t i = 0; i < one.n; i++) {
            const dp_proposal *a = &one.v[i], *b = &all[run].v[i];
            assert_true(dp_str_eq(a->hosts, b->hosts) && dp_str_eq(a->text, b->text));
            assert_true(a->n == b->n && a->neg == b->neg && a->save == b->save && a->passes == b->passes);
        }
        dp_proposals_done(&one);
        dp_proposals_done(&all[run]);
    }
    done(&w);
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    world           w = {0};
    dp_pool        *pool;
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    random_site(&w, 5, 9000);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 4));
    const char *one = learn_with(&w, &o, NULL, DP_ALL_FOLDS);
    assert_true(strlen(one) > 0);
    assert_string_equal(one, learn_with(&w, &o, pool, DP_ALL_FOLDS));
    dp_pool_free(pool);
    done(&w);
}

/* ---- bad input ------------------------------------------------------------------------------------------------ */

static void odd_sites_are_survived(void **state)
{
    (void)state;
    dp_tree_options o = DP_TREE_OPTIONS_INIT;
    world           none = {0}, one = {0}, alone = {0}, giant = {0}, odd = {0}, torn = {0};
    assert_string_equal("", learn(&none, &o));
    add(&one, "1", "http://a.com/");
    assert_string_equal("", learn(&one, &o));
    for (size_t i = 0; i < 500; i++)
        add(&alone, number(i), "http://a.com/%zu", i);
    assert_string_equal("", learn(&alone, &o));
    for (size_t i = 0; i < 5000; i++) /* one cluster of everything */
        add(&giant, "one", "http://a.com/%zu/%zu?x=%zu", i % 7, i, i * i);
    assert_non_null(learn(&giant, &o));
    /* What rules cannot say: userinfo, IPv6, empty names, stars, very many parts, no scheme. */
    char deep[121];
    for (size_t i = 0; i < 60; i++)
        memcpy(deep + 2 * i, "/x", 3);
    for (size_t i = 0; i < 30; i++) {
        add(&odd, number(i), "http://me@a.com/%zu", i);
        add(&odd, number(i), "http://[::1]/%zu", i);
        add(&odd, number(i), "http://[::1]/%zu?s=%zu", i, i);
        add(&odd, number(i), "http://a.com/%zu?=%zu", i, i);
        add(&odd, number(i), "http://a.com/%zu?+a=%zu&a#b", i, i);
        add(&odd, number(i), "http://a.com/*/%zu?a=*", i);
        add(&odd, number(i), "http://a.com%s?n=%zu", deep, i);
        add(&odd, number(i), "a.com/%zu", i);
        add(&odd, number(i), "http://a.com:8080/%zu;;x=;y", i);
        add(&odd, number(i), "http://a.com/%zu?a=1&a=2&a=%zu", i, i);
    }
    assert_non_null(learn(&odd, &o));
    for (size_t i = 0; i < 400; i++) /* contradicting ids: one URL in several clusters */
        add(&torn, number(i % 13), "http://a.com/%zu?sid=%zu", i % 50, i % 7);
    assert_non_null(learn(&torn, &o));
    done(&none);
    done(&one);
    done(&alone);
    done(&giant);
    done(&odd);
    done(&torn);
}

static void memory_may_be_out_anywhere(void **state)
{
    (void)state;
    world w = {0};
    for (size_t i = 0; i < 14; i++) {
        add(&w, number(i), "http://a.com/item-%zu.html", 100 + i);
        add(&w, number(i), "http://a.com/show?id=%zu", 100 + i);
        add(&w, number(i), "http://www.a.com/show?id=%zu&sid=%zu", 100 + i, i);
        add(&w, number(i), "http://www.a.com/x/show?id=%zu&sid=%zu", 100 + i, i);
    }
    make(&w);
    DP_EVERY_ALLOC_FAILURE {
        dp_tree_options  o = DP_TREE_OPTIONS_INIT;
        dp_proposals     p = {0};
        dp_arena         a = {0};
        dp_learn_context ctx = {.min_precision = .9, .accept = DP_ACCEPT_PAPER, .folds = DP_ALL_FOLDS};
        dp_proposals     more[2] = {{0}};
        dp_err           e = dp_method_tree.learn(&p, &w.s, &o, &ctx, &a);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        if (e == DP_OK)
            e = dp_method_tree.learn_each(more, (const uint32_t[]){0x1FF, 0x2FE}, 2, &w.s, &o, &ctx, &a);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_proposals_done(&p);
        dp_proposals_done(&more[0]);
        dp_proposals_done(&more[1]);
        dp_arena_done(&a);
    }
    done(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_tokens_find_what_stands_inside_a_segment),
        cmocka_unit_test(conversions_say_case),
        cmocka_unit_test(keys_from_both_ends_join_depths),
        cmocka_unit_test(the_threshold_of_values_says_what_is_any),
        cmocka_unit_test(coverage_is_asked_for),
        cmocka_unit_test(more_targets_generalize_transformations),
        cmocka_unit_test(links_choose_the_target),
        cmocka_unit_test(sources_are_sampled_by_importance),
        cmocka_unit_test(sources_are_sampled_by_different_tokens),
        cmocka_unit_test(unpruned_rules_are_all_that_cover_enough),
        cmocka_unit_test(hosts_that_mirror_each_other_are_joined),
        cmocka_unit_test(path_parameters_are_dropped),
        cmocka_unit_test(what_is_wrong_elsewhere_does_not_pass),
        cmocka_unit_test(one_wrong_label_is_one_pair),
        cmocka_unit_test(keys_from_the_start_are_those_of_every_depth),
        cmocka_unit_test(other_folds_do_not_propose),
        cmocka_unit_test(a_part_is_learned_from_what_it_has),
        cmocka_unit_test(choices_of_folds_do_not_see_each_other),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(odd_sites_are_survived),
        cmocka_unit_test(memory_may_be_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
