/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "site/group.h"

static void add(dp_corpus *c, const char *cluster, const char *url)
{
    dp_record r = {.has = 1u << DP_FIELD_URL | 1u << DP_FIELD_CLUSTER};
    r.url = dp_str_c(url);
    r.cluster = dp_str_c(cluster);
    assert_int_equal(DP_OK, dp_corpus_add(c, &r));
}

/* `shared` pages that are on both hosts, and `own` of each alone. */
static void mirror(dp_corpus *c, const char *a, const char *b, int shared, int own)
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

/* Names and sizes of the sites: "a.com 12, b.com 3". */
static void check(dp_corpus *c, dp_grouping how, const char *want)
{
    dp_sitelist l;
    dp_buf      got = {0};
    size_t      sum = 0;
    assert_int_equal(DP_OK, dp_corpus_label(c));
    assert_int_equal(DP_OK, dp_sitelist_make(&l, c, how));
    for (size_t i = 0; i < l.n; i++) {
        dp_buf_printf(&got, "%s%.*s %zu", i ? ", " : "", DP_FMT(l.v[i].name), l.v[i].n);
        assert_int_equal(sum, l.v[i].from);
        sum += l.v[i].n;
    }
    assert_int_equal(sum, c->n);
    dp_buf_byte(&got, 0);
    assert_string_equal(want, got.p);
    dp_buf_done(&got);
    dp_sitelist_done(&l);
    dp_corpus_done(c);
}

static void a_site_is_a_registrable_domain(void **state)
{
    (void)state;
    for (int by_host = 0; by_host < 2; by_host++) {
        dp_corpus c = {0};
        add(&c, "1", "http://www.a.co.uk/");
        add(&c, "2", "https://a.co.uk/");
        add(&c, "3", "http://b.github.io/");
        add(&c, "4", "http://c.github.io/");
        add(&c, "5", "http://127.0.0.1:81/");
        add(&c, "6", "http://localhost/");
        check(&c, by_host ? DP_GROUP_HOST : DP_GROUP_DOMAIN,
              by_host ? "127.0.0.1 1, a.co.uk 1, b.github.io 1, c.github.io 1, localhost 1, www.a.co.uk 1"
                      : "127.0.0.1 1, a.co.uk 2, b.github.io 1, c.github.io 1, localhost 1");
    }
}

static void mirrors_are_one_site(void **state)
{
    (void)state;
    dp_corpus c = {0};
    mirror(&c, "www.z.com", "a.org", 3, 0);
    mirror(&c, "b.org", "c.org", 2, 0);
    check(&c, DP_GROUP_LINKED, "a.org 6, b.org 2, c.org 2");
    mirror(&c, "z.com", "a.org", 3, 0);
    check(&c, DP_GROUP_DOMAIN, "a.org 3, z.com 3");
}

/* One page that 21 sites show, three times over, joins none of them. */
static void what_is_everywhere_joins_nobody(void **state)
{
    (void)state;
    for (int sites = 20; sites <= 21; sites++) {
        dp_corpus   c = {0};
        dp_sitelist l;
        for (int i = 0; i < sites; i++) {
            for (int k = 0; k < 3; k++) {
                char url[64], id[16];
                snprintf(url, sizeof url, "http://s%d.com/robots%d.txt", i, k);
                snprintf(id, sizeof id, "%d", k);
                add(&c, id, url);
            }
        }
        assert_int_equal(DP_OK, dp_corpus_label(&c));
        assert_int_equal(DP_OK, dp_sitelist_make(&l, &c, DP_GROUP_LINKED));
        assert_int_equal(sites == 20 ? 1 : 21, l.n);
        dp_sitelist_done(&l);
        dp_corpus_done(&c);
    }
}

/* A cluster with many URLs of a site says nothing: here 3 of 100 on one side. */
static void large_clusters_join_nobody(void **state)
{
    (void)state;
    dp_corpus c = {0};
    char      url[64], id[16];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            snprintf(id, sizeof id, "e%d", k);
            snprintf(url, sizeof url, "http://a.com/error%d/%d", k, i);
            add(&c, id, url);
        }
        snprintf(url, sizeof url, "http://b.com/error%d", k);
        add(&c, id, url);
    }
    for (int i = 0; i < 88; i++) {
        snprintf(id, sizeof id, "p%d", i);
        snprintf(url, sizeof url, "http://a.com/%d", i);
        add(&c, id, url);
    }
    check(&c, DP_GROUP_LINKED, "a.com 100, b.com 4");
}

static void nothing_has_no_sites(void **state)
{
    (void)state;
    dp_corpus c = {0};
    check(&c, DP_GROUP_LINKED, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_is_a_registrable_domain),  cmocka_unit_test(mirrors_are_one_site),
        cmocka_unit_test(what_is_everywhere_joins_nobody), cmocka_unit_test(large_clusters_join_nobody),
        cmocka_unit_test(nothing_has_no_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
