/* eval/crawl against a crawler that remembers everything and looks at it again and again.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "eval/crawl.h"
#include "support/failing_alloc.h"

enum { MOST = 40 };

typedef struct site {
    uint32_t n, cluster[MOST], host[MOST];
    uint64_t key[MOST], met[MOST];
} site;

static site draw_site(dp_rng *r)
{
    site s = {.n = (uint32_t)dp_rng_below(r, MOST + 1)};
    for (uint32_t i = 0; i < s.n; i++) {
        s.cluster[i] = (uint32_t)dp_rng_below(r, 12);
        s.host[i] = (uint32_t)dp_rng_below(r, 3);
        s.key[i] = dp_rng_below(r, 15);
        s.met[i] = dp_rng_below(r, 30);
    }
    return s;
}

static dp_crawl crawl_of(const site *s)
{
    return (dp_crawl){.n = s->n, .cluster = s->cluster, .host = s->host, .clusters = 12, .hosts = 3};
}

/* ---- the twin --------------------------------------------------------------------------------------------------- */

/* Whether one of the first `n` URLs was fetched and has this key (any: -1) and this page (any: -1). */
static bool was_fetched(const dp_crawl *c, const site *s, const bool *fetched, uint32_t from, uint32_t n, int64_t key,
                        int64_t page)
{
    for (uint32_t i = from; i < n; i++) {
        uint32_t u = c->order[i];
        if (fetched[i] && (key < 0 || s->key[u] == (uint64_t)key) && (page < 0 || s->cluster[u] == (uint32_t)page))
            return true;
    }
    return false;
}

static dp_crawl_score crawl_slowly(const dp_crawl *c, const site *s)
{
    dp_crawl_score out = {0};
    bool           fetched[MOST] = {0};
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t u = c->order[i];
        fetched[i] = i < c->past || !was_fetched(c, s, fetched, 0, i, (int64_t)s->key[u], -1);
        out.rest += i >= c->past;
        out.fetched += i >= c->past && fetched[i];
        out.bad += !fetched[i] && !was_fetched(c, s, fetched, 0, i, (int64_t)s->key[u], s->cluster[u]);
    }
    for (uint32_t page = 0; page < c->clusters; page++) {
        bool there = false;
        for (uint32_t i = c->past; i < c->n; i++)
            there |= s->cluster[c->order[i]] == page;
        bool needed = there && !was_fetched(c, s, fetched, 0, c->past, -1, page);
        out.needed += needed;
        out.lost += needed && !was_fetched(c, s, fetched, c->past, c->n, -1, page);
    }
    return out;
}

static void counts_as_its_twin(void **state)
{
    dp_rng r = dp_rng_seed(7);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        site           s = draw_site(&r);
        dp_crawl       c = crawl_of(&s);
        dp_crawl_score got, want, host[3] = {{0}}, sum = {0};
        uint64_t       cut = round % 2 ? UINT64_MAX : dp_rng_below(&r, 32);
        assert_int_equal(DP_OK, dp_crawl_order(&c, s.met, cut, .01 * (double)dp_rng_below(&r, 101)));
        assert_int_equal(DP_OK, dp_crawl_run(&got, host, &c, s.key, NULL));
        want = crawl_slowly(&c, &s);
        assert_memory_equal(&got, &want, sizeof got);
        assert_true(dp_crawl_avoided(&got) <= dp_crawl_avoidable(&got));
        for (int h = 0; h < 3; h++)
            sum = (dp_crawl_score){sum.rest + host[h].rest, sum.fetched + host[h].fetched, sum.needed + host[h].needed,
                                   sum.lost + host[h].lost, sum.bad + host[h].bad};
        assert_memory_equal(&got, &sum, sizeof got);
        dp_crawl_done(&c);
    }
}

/* ---- by hand ---------------------------------------------------------------------------------------------------- */

static void order_and_past(void **state)
{
    site     s = {.n = 4, .met = {30, 10, 20, 10}};
    dp_crawl c = crawl_of(&s);
    (void)state;
    assert_int_equal(DP_OK, dp_crawl_order(&c, s.met, 20, 0));
    assert_int_equal(2, c.past);
    const uint32_t want[] = {1, 3, 2, 0};
    assert_memory_equal(want, c.order, sizeof want);
    dp_crawl_done(&c);
    c = crawl_of(&s);
    assert_int_equal(DP_OK, dp_crawl_order(&c, s.met, UINT64_MAX, .75));
    assert_int_equal(3, c.past);
    dp_crawl_done(&c);
}

/* One page under ever new URLs: the first part shows it, a rule gives all one key, nothing of the rest is fetched. */
static void an_old_page_under_new_urls_is_avoided(void **state)
{
    site           s = {.n = 6, .met = {0, 1, 2, 3, 4, 5}};
    dp_crawl       c = crawl_of(&s);
    dp_crawl_score got;
    double         value;
    (void)state;
    assert_int_equal(DP_OK, dp_crawl_order(&c, s.met, 2, 0));
    assert_int_equal(DP_OK, dp_crawl_run(&got, NULL, &c, s.key, NULL));
    assert_true(dp_crawl_find(&got, "avoidable", &value) && value == 4);
    assert_true(dp_crawl_find(&got, "saved_of_avoidable", &value) && value == 1);
    assert_false(dp_crawl_find(&got, "reduction", &value));
    dp_crawl_done(&c);
}

static void survives_every_allocation_failure(void **state)
{
    dp_rng r = dp_rng_seed(1);
    site   s = draw_site(&r);
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        dp_crawl       c = crawl_of(&s);
        dp_crawl_score got;
        dp_err         code = dp_crawl_order(&c, s.met, 9, 0);
        if (code == DP_OK)
            code = dp_crawl_run(&got, NULL, &c, s.key, NULL);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_crawl_done(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_as_its_twin),
        cmocka_unit_test(order_and_past),
        cmocka_unit_test(an_old_page_under_new_urls_is_avoided),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
