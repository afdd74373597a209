/* Twins of what stands around the learners: counted pairs, linked sites, rules together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/accept/run_together.h"
#include "site/group.h"

/* ---- counted pairs ---------------------------------------------------------------------------------- */

static void counting_equals_a_table(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dp_rng     r = dp_rng_seed(seed);
        dp_counted c = {.most = (uint32_t)dp_rng_below(&r, 5)};
        uint32_t   table[SIDE][SIDE] = {{0}};
        size_t     n = 0;
        for (uint64_t k = dp_rng_below(&r, 4000); k; k--) {
            uint32_t a = (uint32_t)dp_rng_below(&r, SIDE), b = (uint32_t)dp_rng_below(&r, SIDE);
            table[a][b]++;
            assert_true(dp_counted_add(&c, a, b));
        }
        assert_true(dp_counted_merge(&c));
        for (uint32_t a = 0; a < SIDE; a++) {
            uint32_t of_first = 0;
            assert_int_equal(n, dp_counted_find(&c, a));
            for (uint32_t b = 0; b < SIDE; b++) {
                if (!table[a][b] || (c.most && ++of_first > c.most))
                    continue;
                assert_int_equal(a, dp_counted_first(&c.v[n]));
                assert_int_equal(b, dp_counted_second(&c.v[n]));
                /* Where only some are kept, those that come back after a merge may have been counted less. */
                if (!c.most)
                    assert_int_equal(table[a][b], c.v[n].item);
                n++;
            }
        }
        assert_int_equal(n, c.n);
        dp_counted_done(&c);
    }
}

/* ---- linked sites --------------------------------------------------------------------------------------- */

enum { DOMAINS = 8 };

typedef struct web {
    uint32_t n, domain[400], cluster[400];
} web;

static web random_web(dp_rng *r)
{
    web w = {.n = 1 + (uint32_t)dp_rng_below(r, 400)};
    for (uint32_t i = 0; i < w.n; i++) {
        w.domain[i] = (uint32_t)dp_rng_below(r, DOMAINS);
        w.cluster[i] = (uint32_t)dp_rng_below(r, 1 + w.n);
    }
    return w;
}

/* How many clusters link two domains, by counting everything. */
static int links(const web *w, uint32_t a, uint32_t b)
{
    uint32_t urls[DOMAINS] = {0};
    int      n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        urls[w->domain[i]]++;
    for (uint32_t c = 0; c <= w->n; c++) {
        uint32_t on[DOMAINS] = {0};
        for (uint32_t i = 0; i < w->n; i++)
            on[w->domain[i]] += w->cluster[i] == c;
        bool few_a = on[a] == 1 || (on[a] && on[a] * 100 <= urls[a]);
        bool few_b = on[b] == 1 || (on[b] && on[b] * 100 <= urls[b]);
        n += few_a && few_b;
    }
    return n;
}

/* The presences of domain `d` of the web. */
static void add_presences(dp_buf *out, const web *w, uint32_t d, uint32_t *urls, const dp_intern *domains)
{
    dp_corpus    c = {0};
    dp_presence *v;
    size_t       n;
    char         url[64], host[16], id[16];
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->domain[i] != d)
            continue;
        snprintf(url, sizeof url, "http://d%u.com/%u", (unsigned)d, (unsigned)i);
        snprintf(host, sizeof host, "d%u.com", (unsigned)d);
        snprintf(id, sizeof id, "%u", (unsigned)w->cluster[i]);
        const dp_fact f = {.has = DP_FACT_CLUSTER, .url = dp_str_c(url), .host = dp_str_c(host),
                           .cluster = dp_fact_hash(dp_str_c(id))};
        assert_int_equal(DP_OK, dp_corpus_take(&c, &f));
    }
    assert_int_equal(DP_OK, dp_corpus_label(&c));
    urls[d] = (uint32_t)c.nown;
    assert_int_equal(DP_OK, dp_presences_find(&v, &n, &c, d, domains));
    dp_buf_add(out, (const char *)v, n * sizeof *v);
    free(v);
    dp_corpus_done(&c);
}

static void linking_equals_counting_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dp_rng      r = dp_rng_seed(seed);
        web         w = random_web(&r);
        uint32_t    site[DOMAINS], urls[DOMAINS];
        dp_intern   domains = {0};
        dp_buf      all = {0};
        dp_links    l = {.urls = urls};
        dp_sets     sets;
        for (uint32_t d = 0; d < DOMAINS; d++)
            site[d] = d;
        for (int round = 0; round < DOMAINS; round++) { /* until nothing spreads any more */
            for (uint32_t a = 0; a < DOMAINS; a++) {
                for (uint32_t b = 0; b < a; b++) {
                    if (links(&w, a, b) >= DP_LINKS)
                        site[a] = site[b] = site[a] < site[b] ? site[a] : site[b];
                }
            }
        }
        for (uint32_t d = 0; d < DOMAINS; d++)
            add_presences(&all, &w, d, urls, &domains);
        assert_int_equal(DP_OK, dp_links_add(&l, (dp_presence *)(void *)all.p, all.n / sizeof(dp_presence)));
        assert_int_equal(DP_OK, dp_sets_init(&sets, DOMAINS));
        assert_int_equal(DP_OK, dp_links_join(&l, &sets, NULL, NULL));
        for (uint32_t i = 0; i < DOMAINS; i++) {
            for (uint32_t k = 0; k < i; k++) {
                if ((site[i] == site[k]) != (dp_sets_root(&sets, i) == dp_sets_root(&sets, k)))
                    fail_msg("seed %" PRIu64, seed);
            }
        }
        dp_links_done(&l);
        dp_sets_done(&sets);
        dp_buf_done(&all);
    }
}

/* ---- rules together ----------------------------------------------------------------------------------------- */

static const char *const texts[] = {"drop ?s",     "drop ?p",        "/{a}/ => /{a}", "/x/{a} => /y/{a}",
                                    "drop ?s if =1", "fold case path", "set ?p=0",      "/y/{a} => /{a}"};

typedef struct scene {
    dp_site      site;
    dp_proposals p;
    dp_program   g;
    dp_arena     a;
} scene;

static void make_scene(scene *s, dp_rng *r)
{
    enum { URLS = 60 };
    dp_site_page page[URLS];
    *s = (scene){0};
    for (size_t i = 0; i < URLS; i++) {
        char url[64], id[16];
        snprintf(url, sizeof url, "http://a.com/%s%s%s?s=%u&p=%u", (const char *[]){"", "x/", "y/"}[dp_rng_below(r, 3)],
                 (const char *[]){"a", "A", "b"}[dp_rng_below(r, 3)], dp_rng_below(r, 3) ? "" : "/",
                 (unsigned)dp_rng_below(r, 3), (unsigned)dp_rng_below(r, 3));
        snprintf(id, sizeof id, "%u", (unsigned)dp_rng_below(r, 20));
        page[i] = (dp_site_page){dp_arena_str(&s->a, dp_str_c(url)), dp_arena_str(&s->a, dp_str_c(id)),
                                 dp_rng_below(r, 4) ? DP_BY_TEXT : DP_BY_NEAR};
    }
    assert_int_equal(DP_OK, dp_site_make(&s->site, DP_STR("a.com"), page, URLS, &s->a));
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        dp_proposal one = {.hosts = DP_STR("a.com"), .text = dp_str_c(texts[i])};
        if (dp_rng_below(r, 2))
            assert_int_equal(DP_OK, dp_proposals_add(&s->p, &one));
    }
    assert_int_equal(DP_OK, dp_program_make(&s->g, &s->p, NULL, (dp_str){0}));
}

static void end_scene(scene *s)
{
    dp_program_done(&s->g);
    dp_proposals_done(&s->p);
    dp_arena_done(&s->a);
}

/* How many pages of a fold a crawl by the keys of the whole file fetches and loses: by comparing all with all. */
static dp_held_out_result naive_measure(scene *s, unsigned kinds, uint32_t fold)
{
    const dp_site     *t = &s->site;
    dp_held_out_result out = {0};
    dp_scratch        *scratch;
    dp_str            *key = DP_NEWS(&s->a, t->n, dp_str);
    uint8_t           *fetched = DP_NEWS(&s->a, t->nclusters, uint8_t);
    assert_int_equal(DP_OK, dp_scratch_new(&scratch));
    for (size_t i = 0; i < t->n; i++) {
        dp_str k = dp_engine_run(&s->g.engine, scratch, DP_KEY, t->url[i], NULL, NULL);
        key[i] = dp_arena_str(&s->a, k);
    }
    for (size_t i = 0; i < t->n; i++) {
        bool first = true, first_of_fold = true, in_fold = t->fold[t->cluster[i]] == fold;
        if (!(kinds >> t->by[i] & 1))
            continue;
        fetched[t->cluster[i]] |= 1;
        for (size_t k = 0; k < i; k++) {
            bool same = (kinds >> t->by[k] & 1) && dp_str_eq(key[k], key[i]);
            first &= !same;
            first_of_fold &= !same || t->fold[t->cluster[k]] != fold;
        }
        fetched[t->cluster[i]] |= first ? 2 : 0;
        out.urls += in_fold;
        out.fetched += in_fold && first_of_fold;
    }
    for (uint32_t c = 0; c < t->nclusters; c++) {
        out.clusters += t->fold[c] == fold && fetched[c];
        out.lost += t->fold[c] == fold && fetched[c] == 1;
    }
    dp_scratch_free(scratch);
    return out;
}

static void together_equals_comparing_all_with_all(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        dp_rng             r = dp_rng_seed(seed);
        scene              s;
        dp_together        j;
        dp_held_out_result got;
        double             p[DP_COUNT(texts)] = {0};
        dp_together_rule   did[DP_COUNT(texts)];
        const unsigned     kinds = dp_rng_below(&r, 2) ? ~0u : 1u << DP_BY_TEXT;
        uint32_t           fold = (uint32_t)dp_rng_below(&r, DP_FOLDS);
        uint64_t           bad = 0, fired = 0;
        make_scene(&s, &r);
        assert_int_equal(DP_OK,
                         dp_together_run(&j, &(dp_together_task){.program = &s.g, .site = &s.site, .kinds = kinds}));
        assert_int_equal(DP_OK, dp_together_measure(&j, fold, p, &got));
        dp_held_out_result want = naive_measure(&s, kinds, fold);
        if (got.urls != want.urls || got.clusters != want.clusters || got.fetched != want.fetched ||
            got.lost != want.lost)
            fail_msg("seed %" PRIu64, seed);
        /* Every wrong merge is put down to one rule: as many as clusters that share a key with others. */
        assert_int_equal(DP_OK, dp_together_count(&j, DP_ALL_FOLDS, p, did, s.g.rules->nrule));
        for (size_t i = 0; i < s.g.rules->nrule; i++) {
            bad += did[i].bad;
            fired += did[i].fired;
            assert_true(did[i].good <= did[i].fired);
        }
        assert_int_equal(fired, j.at[s.site.n]);
        uint64_t wrong = 0;
        for (size_t i = 0; i < s.site.n; i++) { /* pairs (key, cluster) beyond the first cluster of each key */
            bool takes = kinds >> s.site.by[i] & 1, new_pair = takes, new_key = takes;
            for (size_t k = 0; k < i; k++) {
                bool same = (kinds >> s.site.by[k] & 1) && j.key[k] == j.key[i];
                new_key &= !same;
                new_pair &= !same || s.site.cluster[k] != s.site.cluster[i];
            }
            wrong += new_pair && !new_key;
        }
        if (bad != wrong)
            fail_msg("seed %" PRIu64 ": %" PRIu64 " wrong merges, %" PRIu64 " put down", seed, wrong, bad);
        dp_together_done(&j);
        end_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_equals_a_table),
        cmocka_unit_test(linking_equals_counting_everything),
        cmocka_unit_test(together_equals_comparing_all_with_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
