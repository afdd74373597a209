/* The lines of a log by URL: what is made of them is what is made of the lines one by one.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/rng.h"
#include "site/corpus.h"
#include "store/loglines.h"

/* Where facts go, and how many have come. */
typedef struct taker {
    dp_corpus corpus;
    size_t    facts;
} taker;

static dp_err take(void *ctx, const dp_fact *f)
{
    taker *t = ctx;
    t->facts++;
    return dp_corpus_take(&t->corpus, f);
}

/* A line of a log of `urls` URLs, with texts in `text`, and what else it says in `more`. */
static dp_fact random_line(dp_rng *r, uint64_t urls, char text[2][64], uint32_t *client, dp_fact_size *more)
{
    static const dp_fact_kind kinds[] = {DP_FACT_PAGE, DP_FACT_PAGE, DP_FACT_PAGE, DP_FACT_REDIRECT, DP_FACT_GONE,
                                         DP_FACT_FOLLOWED};
    dp_fact                   f = {.kind = kinds[dp_rng_below(r, DP_COUNT(kinds))]};
    for (int i = 0; i < 2; i++)
        snprintf(text[i], sizeof text[i], "http://a.com/%d", (int)dp_rng_below(r, urls));
    f.url = dp_str_c(text[0]);
    f.host = dp_fact_host(f.url);
    if (f.kind == DP_FACT_GONE)
        return f;
    if (f.kind == DP_FACT_FOLLOWED) {
        f.has = DP_FACT_LINK;
        f.link = dp_str_c(text[1]);
        return f;
    }
    if (f.kind == DP_FACT_PAGE && dp_rng_below(r, 2)) {
        *more = (dp_fact_size){(uint32_t)dp_rng_below(r, 5) + 1, 1};
        f.has = DP_FACT_TAGS | DP_FACT_LINKED;
        f.tags = (dp_str){(const char *)more, sizeof *more};
        f.linked = 1;
    }
    *client = (uint32_t)dp_rng_below(r, 40);
    f.has |= DP_FACT_CLIENT;
    f.clients = (dp_str){(const char *)client, sizeof *client};
    if (f.kind == DP_FACT_REDIRECT) {
        f.has |= DP_FACT_LINK;
        f.link = dp_str_c(text[1]);
    } else if (dp_rng_below(r, 10)) {
        f.has |= DP_FACT_SIZE;
        f.size = 100 + (int64_t)dp_rng_below(r, 3) * (int64_t)dp_rng_below(r, 90);
    }
    return f;
}

static uint32_t number_of(const dp_corpus *c, dp_str url)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (dp_str_eq(dp_corpus_url(c, i), url))
            return i;
    }
    fail_msg("%.*s is missing", DP_FMT(url));
    return 0;
}

/* The pairs of URL `i` of one corpus are those of URL `j` of another; `named`: the second number is a URL, too. */
static void assert_pairs(const dp_corpus *c, const dp_counted *a, uint32_t i, const dp_corpus *d, const dp_counted *b,
                         uint32_t j, bool named)
{
    size_t   n = 0, m = 0;
    uint64_t left = 0, right = 0;
    for (size_t at = dp_counted_find(a, i); at < a->n && dp_counted_first(&a->v[at]) == i; at++, n++) {
        uint32_t to = dp_counted_second(&a->v[at]);
        left += (named ? dp_fact_hash(dp_corpus_url(c, to)) : dp_hash_mix(to)) * a->v[at].item;
    }
    for (size_t at = dp_counted_find(b, j); at < b->n && dp_counted_first(&b->v[at]) == j; at++, m++) {
        uint32_t to = dp_counted_second(&b->v[at]);
        right += (named ? dp_fact_hash(dp_corpus_url(d, to)) : dp_hash_mix(to)) * b->v[at].item;
    }
    assert_int_equal(n, m);
    assert_true(left == right);
}

static void assert_same(dp_corpus *c, dp_corpus *d)
{
    assert_int_equal(c->n, d->n);
    assert_int_equal(c->gone.n, d->gone.n);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t j = number_of(d, dp_corpus_url(c, i));
        assert_int_equal(c->hits[i], d->hits[j]);
        assert_true((!c->size_min && !d->size_min) ||
                    (c->size_min[i] == d->size_min[j] && c->size_max[i] == d->size_max[j]));
        assert_pairs(c, &c->sizes, i, d, &d->sizes, j, false);
        assert_pairs(c, &c->redirect, i, d, &d->redirect, j, true);
        assert_pairs(c, &c->followed, i, d, &d->followed, j, true);
        assert_pairs(c, &c->tags, i, d, &d->tags, j, false);
        assert_int_equal(c->linked[i], d->linked[j]);
    }
}

/* Clients are kept, not counted: how often each came may differ. */
static void forget_times(dp_counted *c)
{
    assert_true(dp_counted_merge(c));
    for (size_t i = 0; i < c->n; i++)
        c->v[i].item = 1;
}

static void settle(dp_corpus *c)
{
    assert_true(dp_counted_merge(&c->sizes) && dp_counted_merge(&c->redirect));
    assert_true(dp_counted_merge(&c->tags) && dp_counted_merge(&c->followed));
    forget_times(&c->client);
}

static void lines_together_say_what_they_say_one_by_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        dp_rng      r = dp_rng_seed(seed);
        taker       one = {0}, all = {0};
        dp_loglines l = {.put = take, .ctx = &all, .limit = seed % 3 ? 0 : 1};
        for (int i = 0; i < 9000; i++) {
            char         text[2][64];
            uint32_t     client;
            dp_fact_size more;
            dp_fact      f = random_line(&r, seed * 4, text, &client, &more);
            assert_int_equal(DP_OK, take(&one, &f));
            assert_int_equal(DP_OK, dp_loglines_add(&l, &f));
        }
        assert_int_equal(DP_OK, dp_loglines_flush(&l));
        assert_true(all.facts < one.facts);
        settle(&one.corpus);
        settle(&all.corpus);
        assert_same(&one.corpus, &all.corpus);
        for (uint32_t i = 0; i < one.corpus.n; i++) {
            uint32_t j = number_of(&all.corpus, dp_corpus_url(&one.corpus, i));
            assert_pairs(&one.corpus, &one.corpus.client, i, &all.corpus, &all.corpus.client, j, false);
        }
        dp_loglines_done(&l);
        dp_corpus_done(&one.corpus);
        dp_corpus_done(&all.corpus);
    }
}

static dp_err count(void *ctx, const dp_fact *f)
{
    (void)f;
    ++*(size_t *)ctx;
    return DP_OK;
}

static void what_is_no_line_of_a_log_is_passed_on(void **state)
{
    (void)state;
    size_t        n = 0;
    dp_loglines   l = {.put = count, .ctx = &n};
    const dp_fact facts[] = {
        {.kind = DP_FACT_PAGE, .url = DP_STR("http://a.com/")}, /* of a list */
        {.kind = DP_FACT_PAGE, .has = DP_FACT_CLUSTER | DP_FACT_TIME, .url = DP_STR("http://a.com/")},
        {.kind = DP_FACT_REDIRECT, .has = DP_FACT_LINK, .url = DP_STR("http://a.com/"),
         .link = DP_STR("http://a.com/b")},
        {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/"), .from_domain = DP_STR("b.com")},
    };
    for (size_t i = 0; i < DP_COUNT(facts); i++)
        assert_int_equal(DP_OK, dp_loglines_add(&l, &facts[i]));
    assert_int_equal(DP_COUNT(facts), n);
    assert_int_equal(DP_OK, dp_loglines_flush(&l));
    assert_int_equal(DP_COUNT(facts), n);
    dp_loglines_done(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_together_say_what_they_say_one_by_one),
        cmocka_unit_test(what_is_no_line_of_a_log_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
