/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "learn/run/plan.h"
#include "site/group.h"

/* A run in small: facts by domain, each domain alone, links. */
typedef struct world {
    dp_buckets   *buckets;
    dp_folder    *folder;
    dp_facts      facts;
    dp_fact_maker maker;
} world;

static void begin(world *w, bool by_host)
{
    *w = (world){0};
    assert_int_equal(DP_OK, dp_folder_new(&w->folder, &(dp_folder_how){.parent = "/tmp"}, NULL));
    assert_int_equal(DP_OK, dp_buckets_new(&w->buckets, DP_BUCKETS, SIZE_MAX, w->folder, 0));
    w->facts.buckets = w->buckets;
    w->facts.by_host = by_host;
}

static void end(world *w)
{
    dp_facts_done(&w->facts);
    dp_fact_maker_done(&w->maker);
    dp_buckets_free(w->buckets);
    dp_folder_remove(w->folder);
}

static void add_record(world *w, const dp_record *r)
{
    dp_fact f;
    bool    any;
    assert_int_equal(DP_OK, dp_fact_make(&w->maker, &f, r, &any));
    assert_true(any);
    assert_int_equal(DP_OK, dp_facts_add(&w->facts, &f, NULL));
}

static void add(world *w, const char *cluster, const char *url)
{
    dp_record r = {.has = 1u << DP_FIELD_URL | 1u << DP_FIELD_CLUSTER};
    r.url = dp_str_c(url);
    r.cluster = dp_str_c(cluster);
    add_record(w, &r);
}

static void redirect(world *w, const char *url, const char *target)
{
    dp_record r = {.has = 1u << DP_FIELD_URL | 1u << DP_FIELD_TARGET};
    r.url = dp_str_c(url);
    r.target = dp_str_c(target);
    add_record(w, &r);
}

static dp_err take(void *ctx, const dp_fact *f)
{
    return dp_corpus_take(ctx, f);
}

/* The presences of one domain behind those in `all`. */
static void look_at(world *w, dp_plan *p, uint32_t d, uint32_t *urls, dp_buf *all)
{
    const dp_plan_site *s = &p->v[p->site_of[d]];
    dp_corpus           c = {.domain = p->domain + s->from, .ndomain = 1, .by_host = w->facts.by_host};
    dp_presence        *v;
    size_t              n;
    const dp_site_of    sites = {p->site_of, (uint32_t)w->facts.name.n};
    assert_int_equal(DP_OK, dp_by_site_stream(w->buckets, s->bucket, sites, p->site_of[d], false, take, &c, NULL));
    assert_int_equal(DP_OK, dp_corpus_label(&c));
    urls[d] = (uint32_t)c.nown;
    assert_int_equal(DP_OK, dp_presences_find(&v, &n, &c, d, &w->facts.name));
    dp_buf_add(all, (const char *)v, n * sizeof *v);
    free(v);
    dp_corpus_done(&c);
}

static void link_all(world *w, dp_plan *out, bool linked, uint32_t *urls)
{
    dp_sets  sets;
    dp_plan  each;
    dp_buf   all = {0};
    dp_links links = {.urls = urls};
    assert_int_equal(DP_OK, dp_plan_make(&each, &w->facts, NULL));
    assert_int_equal(DP_OK, dp_sets_init(&sets, w->facts.name.n));
    for (uint32_t d = 0; d < w->facts.name.n; d++)
        look_at(w, &each, d, urls, &all);
    if (linked) {
        assert_int_equal(DP_OK, dp_links_add(&links, (dp_presence *)(void *)all.p, all.n / sizeof(dp_presence)));
        assert_int_equal(DP_OK, dp_links_join(&links, &sets, NULL, NULL));
    }
    assert_int_equal(DP_OK, dp_plan_make(out, &w->facts, &sets));
    dp_links_done(&links);
    dp_buf_done(&all);
    dp_sets_done(&sets);
    dp_plan_done(&each);
}

/* `shared` pages that are on both hosts, and `own` of each alone. */
static void mirror(world *c, const char *a, const char *b, int shared, int own)
{
    char url[200], id[200];
    for (int i = 0; i < shared; i++) {
        snprintf(id, sizeof id, "%s+%s/%d", a, b, i);
        snprintf(url, sizeof url, "http://%s/%d", a, i);
        add(c, id, url);
        snprintf(url, sizeof url, "http://%s/%d", b, i);
        add(c, id, url);
    }
    for (int i = 0; i < 2 * own; i++) {
        snprintf(id, sizeof id, "%s/own/%d", i % 2 ? a : b, i);
        snprintf(url, sizeof url, "http://%s/own/%d", i % 2 ? a : b, i);
        add(c, id, url);
    }
}

/* Names of the sites and how many domains each has: "a.com 2, b.com 1". */
static void check(world *w, bool linked, const char *want)
{
    dp_plan  p;
    dp_buf   got = {0};
    uint32_t urls[64] = {0};
    link_all(w, &p, linked, urls);
    for (size_t i = 0; i < p.n; i++)
        dp_buf_printf(&got, "%s%.*s %u", i ? ", " : "", DP_FMT(p.v[i].name), (unsigned)p.v[i].ndomain);
    dp_buf_byte(&got, 0);
    assert_string_equal(want, got.p);
    dp_buf_done(&got);
    dp_plan_done(&p);
    end(w);
}

static void a_site_is_a_registrable_domain(void **state)
{
    (void)state;
    for (int by_host = 0; by_host < 2; by_host++) {
        world w;
        begin(&w, by_host);
        add(&w, "1", "http://www.a.co.uk/");
        add(&w, "2", "https://a.co.uk/");
        add(&w, "3", "http://b.github.io/");
        add(&w, "4", "http://c.github.io/");
        add(&w, "5", "http://127.0.0.1:81/");
        add(&w, "6", "http://localhost/");
        check(&w, false,
              by_host ? "127.0.0.1 1, a.co.uk 1, b.github.io 1, c.github.io 1, localhost 1, www.a.co.uk 1"
                      : "127.0.0.1 1, a.co.uk 1, b.github.io 1, c.github.io 1, localhost 1");
    }
}

static void mirrors_are_one_site(void **state)
{
    (void)state;
    world w;
    begin(&w, false);
    mirror(&w, "www.z.com", "a.org", 3, 0);
    mirror(&w, "b.org", "c.org", 2, 0);
    check(&w, true, "a.org 2, b.org 1, c.org 1");
    begin(&w, false);
    mirror(&w, "z.com", "a.org", 3, 0);
    check(&w, false, "a.org 1, z.com 1");
}

/* A name with the XXH3 of victim.com, found in seconds. It is a site of its own, and what it leads to is no mirror of
 * the other. */
static void domains_of_one_hash_are_told_apart(void **state)
{
    (void)state;
    static const char evil[] = "zs3f1ieugph77llfugl6eypq7p9nakthcl6az02tf48skot80getzps6nquy.com";
    world             w;
    assert_int_equal(dp_fact_hash(DP_STR("victim.com")), dp_fact_hash(dp_str_c(evil)));
    for (int linked = 0; linked < 2; linked++) {
        begin(&w, false);
        for (int i = 0; i < 3; i++) {
            char from[100], to[64], id[16];
            snprintf(from, sizeof from, "http://%s/%d", evil, i);
            snprintf(to, sizeof to, "http://b.com/%d", i);
            snprintf(id, sizeof id, "%d", i);
            redirect(&w, from, to);
            add(&w, id, to);
            snprintf(to, sizeof to, "http://victim.com/%d", i);
            snprintf(id, sizeof id, "v%d", i);
            add(&w, id, to);
        }
        check(&w, linked, linked ? "b.com 2, victim.com 1"
                                 : "b.com 1, victim.com 1, "
                                   "zs3f1ieugph77llfugl6eypq7p9nakthcl6az02tf48skot80getzps6nquy.com 1");
    }
}

/* A site that has moved: its pages lead to those of another, which have clusters of their own. */
static void redirects_link_sites(void **state)
{
    (void)state;
    for (int pages = 2; pages <= 3; pages++) {
        world w;
        begin(&w, false);
        for (int i = 0; i < pages; i++) {
            char from[64], to[64], id[16];
            snprintf(from, sizeof from, "http://old.com/%d", i);
            snprintf(to, sizeof to, "http://new.com/%d", i);
            snprintf(id, sizeof id, "%d", i);
            redirect(&w, from, to);
            redirect(&w, from, to); /* seen twice, counted once */
            add(&w, id, to);
        }
        check(&w, true, pages == 3 ? "new.com 2" : "new.com 1, old.com 1");
    }
}

/* One page that 21 sites show, three times over, joins none of them. */
static void what_is_everywhere_joins_nobody(void **state)
{
    (void)state;
    for (int sites = 20; sites <= 21; sites++) {
        world    w;
        dp_plan  p;
        uint32_t urls[64];
        begin(&w, false);
        for (int i = 0; i < sites; i++) {
            for (int k = 0; k < 3; k++) {
                char url[64], id[16];
                snprintf(url, sizeof url, "http://s%d.com/robots%d.txt", i, k);
                snprintf(id, sizeof id, "%d", k);
                add(&w, id, url);
            }
        }
        link_all(&w, &p, true, urls);
        assert_int_equal(sites == 20 ? 1 : 21, p.n);
        dp_plan_done(&p);
        end(&w);
    }
}

/* A cluster with many URLs of a site says nothing: here 3 of 100 on one side. */
static void large_clusters_join_nobody(void **state)
{
    (void)state;
    world w;
    char  url[64], id[16];
    begin(&w, false);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            snprintf(id, sizeof id, "e%d", k);
            snprintf(url, sizeof url, "http://a.com/error%d/%d", k, i);
            add(&w, id, url);
        }
        snprintf(url, sizeof url, "http://b.com/error%d", k);
        add(&w, id, url);
    }
    for (int i = 0; i < 88; i++) {
        snprintf(id, sizeof id, "p%d", i);
        snprintf(url, sizeof url, "http://a.com/%d", i);
        add(&w, id, url);
    }
    check(&w, true, "a.com 1, b.com 1");
}

static void nothing_has_no_sites(void **state)
{
    (void)state;
    world w;
    begin(&w, false);
    check(&w, true, "");
}

static void note(dp_sharing *s, uint32_t domain, uint64_t cluster, uint32_t has)
{
    assert_int_equal(DP_OK, dp_sharing_note(s, &(dp_fact){.has = has, .cluster = cluster}, domain));
}

static void clusters_of_one_domain_each_link_nobody(void **state)
{
    dp_sharing s = {.limit = 1 << 20};
    (void)state;
    for (uint64_t i = 0; i < 5000; i++)
        note(&s, (uint32_t)(i % 7), i % 7 + 7 * (i / 20), DP_FACT_CLUSTER);
    assert_false(dp_sharing_is_possible(&s, 1));
    note(&s, 3, 7, DP_FACT_CLUSTER);
    note(&s, 3, 7, DP_FACT_CLUSTER);
    assert_true(dp_sharing_is_possible(&s, 1));
    assert_false(dp_sharing_is_possible(&s, 2));
    note(&s, 0, 0, DP_FACT_SIZE); /* it is in no cluster */
    assert_false(dp_sharing_is_possible(&s, 2));
    note(&s, 3, 7, DP_FACT_CLUSTER | DP_FACT_DIGEST); /* who knows what is in clusters without names */
    assert_true(dp_sharing_is_possible(&s, 2));
    dp_sharing_done(&s);
}

static void beyond_its_limit_everything_is_possible(void **state)
{
    dp_sharing s = {.limit = 1 << 14};
    (void)state;
    for (uint64_t i = 0; i < 5000; i++)
        note(&s, 0, i, DP_FACT_CLUSTER);
    assert_true(dp_sharing_is_possible(&s, 1));
    assert_null(s.domain);
    dp_sharing_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_is_a_registrable_domain),  cmocka_unit_test(mirrors_are_one_site),
        cmocka_unit_test(domains_of_one_hash_are_told_apart),
        cmocka_unit_test(redirects_link_sites),            cmocka_unit_test(what_is_everywhere_joins_nobody),
        cmocka_unit_test(large_clusters_join_nobody),      cmocka_unit_test(nothing_has_no_sites),
        cmocka_unit_test(clusters_of_one_domain_each_link_nobody),
        cmocka_unit_test(beyond_its_limit_everything_is_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
