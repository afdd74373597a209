/* The fast DustBuster equals Figures 2 and 3 (support/naive_dust.h), whatever the list and the options.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/rng.h"
#include "input/reader.h"
#include "learn/dust/dust.h"
#include "support/data.h"
#include "support/naive_dust.h"

enum { MOST = 48 };

/* URLs out of few tokens, so that substrings overlap, repeat and have borders; distinct. */
static size_t random_list(dp_rng *g, dp_dust_url *v, bool escapes, dp_arena *a)
{
    static const char *const words[] = {"a", "b", "/", "a", "/", "x1", "=", "%", "2F", "%2F", "2"};
    size_t                   n = 0, want = 2 + dp_rng_below(g, MOST - 2), kinds = escapes ? DP_COUNT(words) : 7;
    uint64_t                 length = 1 + dp_rng_below(g, 8);
    for (size_t i = 0; i < want; i++) {
        dp_buf b = {0};
        for (uint64_t k = dp_rng_below(g, length + 1); k > 0; k--)
            dp_buf_c(&b, words[dp_rng_below(g, kinds)]);
        dp_dust_url u = {.url = dp_arena_str(a, dp_buf_view(&b))};
        dp_buf_done(&b);
        bool twice = false;
        for (size_t k = 0; k < n; k++)
            twice |= dp_str_eq(v[k].url, u.url);
        if (twice)
            continue;
        u.has_size = dp_rng_below(g, 4) > 0;
        u.has_sketch = dp_rng_below(g, 4) > 0;
        u.size_min = (int64_t)dp_rng_below(g, 6);
        u.size_max = u.size_min + (int64_t)dp_rng_below(g, 3);
        for (int k = 0; k < 4; k++)
            u.sketch[k] = dp_rng_below(g, 3);
        v[n++] = u;
    }
    return n;
}

static dp_dust_options random_options(dp_rng *g)
{
    static const uint64_t masks[] = {UINT64_MAX, UINT64_MAX, 0xFF, 7, 0};
    dp_dust_options       o = DP_DUST_OPTIONS_INIT;
    o.S = dp_rng_below(g, 2) ? 35 : (uint32_t)dp_rng_below(g, 8);
    o.T_low = 1 + (uint32_t)dp_rng_below(g, 16);
    o.T_high = o.T_low + (uint32_t)dp_rng_below(g, 8);
    o.MS = 1 + (uint32_t)dp_rng_below(g, 3);
    o.MW = dp_rng_below(g, 2) ? 1100 : dp_rng_below(g, 10);
    o.MRD = (double)dp_rng_below(g, 4) * 0.1;
    o.MAD = (uint32_t)dp_rng_below(g, 3);
    o.shingles = dp_rng_below(g, 2) ? 0 : (unsigned)dp_rng_below(g, 5);
    o.ignore_sizes = dp_rng_below(g, 3) > 0;
    o.memory = dp_rng_below(g, 2) ? 0 : 200 + dp_rng_below(g, 2000);
    o.hash_mask = masks[dp_rng_below(g, DP_COUNT(masks))];
    return o;
}

static void expect_same(const dp_dust_rules *got, const naive_dust *want, uint64_t seed, const char *phase)
{
    if (got->n != want->n)
        fail_msg("seed %" PRIu64 ", %s: %zu rules, not %zu", seed, phase, got->n, want->n);
    for (size_t i = 0; i < got->n; i++) {
        const dp_dust_rule *x = &got->v[i], *y = &want->v[i];
        if (!dp_str_eq(x->alpha, y->alpha) || !dp_str_eq(x->beta, y->beta) || x->at_start != y->at_start ||
            x->at_end != y->at_end || x->alpha_tokens != y->alpha_tokens || x->beta_tokens != y->beta_tokens ||
            x->sup_low != y->sup_low || x->sup_high != y->sup_high)
            fail_msg("seed %" PRIu64 ", %s, rule %zu: \"%.*s\" \"%.*s\" %u %u, not \"%.*s\" \"%.*s\" %u %u", seed,
                     phase, i, DP_FMT(x->alpha), DP_FMT(x->beta), x->sup_low, x->sup_high, DP_FMT(y->alpha),
                     DP_FMT(y->beta), y->sup_low, y->sup_high);
    }
}

enum { MANY = 255 };

/* Instances are told as often as they were counted, and each has the two sides. */
typedef struct told {
    const dp_dust_rules *r;
    const dp_dust_url   *url;
    uint32_t             similar[20000], differ[20000];
} told;

static dp_err count_instance(void *self, size_t rule, size_t x, size_t y, bool similar)
{
    told               *t = self;
    const dp_dust_rule *r = &t->r->v[rule];
    assert_int_equal(t->url[x].url.n - r->alpha.n, t->url[y].url.n - r->beta.n);
    t->similar[rule] += similar;
    t->differ[rule] += !similar;
    return DP_OK;
}

/* What speaks against rules is what instances in envelopes of any size say. */
static void expect_contraries(const dp_dust_rules *r, const dp_dust_url *v, const dp_dust_site *s,
                              const dp_dust_options *o, uint64_t seed)
{
    told           *t = calloc(2, sizeof *t), *all = t + 1;
    dp_dust_options any = *o;
    assert_non_null(t);
    any.T_low = any.T_high = MANY; /* more than there are URLs */
    t->r = all->r = r;
    t->url = all->url = v;
    assert_int_equal(DP_OK, dp_dust_contraries(r, s, o, count_instance, t));
    assert_int_equal(DP_OK, dp_dust_instances(r, s, &any, any.T_high, count_instance, all));
    for (size_t i = 0; i < r->n && o->support == DP_DUST_ENVELOPES; i++)
        if (t->differ[i] != all->differ[i] || t->similar[i])
            fail_msg("seed %" PRIu64 ", rule %zu: %u differ, not %u", seed, i, t->differ[i], all->differ[i]);
    free(t);
}

static void expect_instances(const dp_dust_rules *r, const dp_dust_url *v, const dp_dust_site *s,
                             const dp_dust_options *o, uint64_t seed)
{
    told *t = calloc(1, sizeof *t);
    assert_true(t && r->n <= DP_COUNT(t->similar));
    t->r = r;
    t->url = v;
    assert_int_equal(DP_OK, dp_dust_instances(r, s, o, o->T_low, count_instance, t));
    for (size_t i = 0; i < r->n; i++)
        if (t->similar[i] != r->v[i].sup_low)
            fail_msg("seed %" PRIu64 ", rule %zu: %u instances, not %u", seed, i, t->similar[i], r->v[i].sup_low);
    free(t);
}

/* Rules detected. */
static size_t compare(const dp_dust_url *v, size_t n, const dp_dust_options *o, uint64_t seed)
{
    dp_arena      a = {0};
    dp_dust_site *s = NULL;
    dp_dust_rules got;
    assert_int_equal(DP_OK, dp_dust_site_new(&s, v, n, o));
    assert_int_equal(DP_OK, dp_dust_detect(&got, s, o, &a));
    naive_dust want = naive_dust_detect(v, n, o, &a);
    size_t     detected = want.n;
    expect_same(&got, &want, seed, "phase 1");
    assert_int_equal(DP_OK, dp_dust_eliminate(&got, o));
    want = naive_dust_eliminate(want, o, &a);
    expect_same(&got, &want, seed, "phase 2");
    expect_instances(&got, v, s, o, seed);
    if (n < MANY)
        expect_contraries(&got, v, s, o, seed);
    dp_dust_site_free(s);
    dp_arena_done(&a);
    return detected;
}

static void fast_equals_the_figures_on_random_lists(void **state)
{
    (void)state;
    size_t rules = 0, lists = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_arena        a = {0};
        dp_dust_url     v[MOST];
        size_t          n = random_list(&g, v, true, &a);
        dp_dust_options o = random_options(&g);
        size_t          found = compare(v, n, &o, seed);
        rules += found;
        lists += found > 0;
        dp_arena_done(&a);
    }
    print_message("seeds 1 to 1000: %zu lists with %zu rules\n", lists, rules);
    assert_true(lists > 300);
}

static bool same_rule(const dp_dust_rule *x, const dp_dust_rule *y)
{
    return dp_dust_rule_cmp(x, y) == 0 && x->sup_low == y->sup_low && x->sup_high == y->sup_high;
}

static void order_and_copies_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_arena        a = {0};
        dp_dust_url     v[2 * MOST];
        size_t          n = random_list(&g, v, true, &a);
        dp_dust_options o = random_options(&g);
        dp_dust_result  want, got;
        assert_int_equal(DP_OK, dp_dust_learn(&want, v, n, &o, &a));
        size_t more = n + dp_rng_below(&g, n);
        for (size_t i = n; i < more; i++)
            v[i] = v[dp_rng_below(&g, n)];
        for (size_t i = more; i > 1; i--) {
            size_t      k = dp_rng_below(&g, i);
            dp_dust_url x = v[i - 1];
            v[i - 1] = v[k];
            v[k] = x;
        }
        assert_int_equal(DP_OK, dp_dust_learn(&got, v, more, &o, &a));
        if (got.rules.n != want.rules.n || got.detected != want.detected || got.urls != want.urls)
            fail_msg("seed %" PRIu64, seed);
        for (size_t i = 0; i < got.rules.n; i++)
            if (!same_rule(&got.rules.v[i], &want.rules.v[i]))
                fail_msg("seed %" PRIu64 ", rule %zu", seed, i);
        dp_arena_done(&a);
    }
}

/* Theorem 2: with nothing filtered, envelopes are instances, where neither side is empty or bordered. */
static void envelopes_are_instances_unless_empty_or_bordered(void **state)
{
    (void)state;
    size_t equal = 0, apart = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_arena        a = {0};
        dp_dust_url     v[MOST];
        size_t          n = random_list(&g, v, false, &a);
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        o.T_low = o.T_high = MOST;
        o.MS = 2;
        o.shingles = 0;
        o.ignore_sizes = true;
        compare(v, n, &o, seed);
        naive_dust r = naive_dust_detect(v, n, &o, &a);
        for (size_t i = 0; i < r.n; i += 1 + r.n / 40) {
            dp_arena work = {0};
            dp_str   x = r.spelled[2 * i], y = r.spelled[2 * i + 1];
            size_t   pairs = naive_dust_pairs(v, n, x, y, &work);
            bool     plain = x.n && y.n && !naive_dust_is_bordered(x) && !naive_dust_is_bordered(y);
            if (plain && pairs != r.v[i].sup_high)
                fail_msg("seed %" PRIu64 ": \"%.*s\" \"%.*s\": %zu pairs, %u envelopes", seed, DP_FMT(r.v[i].alpha),
                         DP_FMT(r.v[i].beta), pairs, r.v[i].sup_high);
            equal += plain;
            apart += pairs != r.v[i].sup_high;
            dp_arena_done(&work);
        }
        dp_arena_done(&a);
    }
    print_message("%zu plain rules agree, %zu others differ\n", equal, apart);
    assert_true(equal > 100 && apart > 10);
}

/* URLs with queries out of few names and values, some sizes; distinct. */
static size_t random_queries(dp_rng *g, dp_dust_url *v, size_t most, dp_arena *a)
{
    static const char *const names[] = {"a", "b", "sid", "a"};
    size_t                   n = 0, want = most / 4 + dp_rng_below(g, most - most / 4);
    uint64_t                 paths = 1 + dp_rng_below(g, 5), values = 1 + dp_rng_below(g, 60);
    for (size_t i = 0; i < want; i++) {
        dp_buf b = {0};
        dp_buf_printf(&b, "/p%u", (unsigned)dp_rng_below(g, paths));
        for (uint64_t k = dp_rng_below(g, 4), first = 1; k > 0; k--, first = 0) {
            dp_buf_c(&b, first ? "?" : "&");
            dp_buf_c(&b, names[dp_rng_below(g, DP_COUNT(names))]);
            if (dp_rng_below(g, 8))
                dp_buf_printf(&b, "=%u", (unsigned)dp_rng_below(g, values));
            if (dp_rng_below(g, 40) == 0)
                dp_buf_c(&b, dp_rng_below(g, 2) ? "?" : "&");
        }
        dp_dust_url u = {.url = dp_arena_str(a, dp_buf_view(&b)), .has_size = dp_rng_below(g, 4) > 0};
        dp_buf_done(&b);
        bool twice = false;
        for (size_t k = 0; k < n; k++)
            twice |= dp_str_eq(v[k].url, u.url);
        u.size_min = u.size_max = dp_rng_below(g, 12) ? (u.url.p[2] & 7) : 99;
        if (!twice)
            v[n++] = u;
    }
    return n;
}

static void parameters_are_those_of_the_twin(void **state)
{
    (void)state;
    enum { QUERIES = 160 };
    size_t found = 0, omitted = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        static const uint64_t masks[] = {UINT64_MAX, UINT64_MAX, 3, 0};
        dp_rng                g = dp_rng_seed(seed);
        dp_arena              a = {0};
        dp_dust_url           v[QUERIES];
        dp_dust_options       o = DP_DUST_OPTIONS_INIT;
        dp_dust_site         *s = NULL;
        dp_dust_result        got = {0};
        size_t                n = random_queries(&g, v, QUERIES, &a);
        o.epsilon = (double)dp_rng_below(&g, 10) * 0.05;
        o.ignore_sizes = dp_rng_below(&g, 4) == 0;
        o.hash_mask = masks[dp_rng_below(&g, DP_COUNT(masks))];
        assert_int_equal(DP_OK, dp_dust_site_new(&s, v, n, &o));
        assert_int_equal(DP_OK, dp_dust_params(&got, s, &o, NULL, NULL, &a));
        naive_dust_param_list want = naive_dust_params(v, n, &o);
        if (got.nparam != want.n)
            fail_msg("seed %" PRIu64 ": %zu parameters, not %zu", seed, got.nparam, want.n);
        for (size_t i = 0; i < want.n; i++) {
            const dp_dust_param *x = &got.param[i], *y = &want.v[i];
            if (!dp_str_eq(x->name, y->name) || !dp_str_eq(x->value, y->value) || x->omit != y->omit ||
                x->urls != y->urls || x->buckets != y->buckets || x->pairs != y->pairs || x->similar != y->similar)
                fail_msg("seed %" PRIu64 ", %.*s=%.*s: %zu urls, %zu buckets, %zu of %zu, not %.*s=%.*s: %zu, %zu, %zu "
                         "of %zu", seed, DP_FMT(x->name), DP_FMT(x->value), x->urls, x->buckets, x->similar, x->pairs,
                         DP_FMT(y->name), DP_FMT(y->value), y->urls, y->buckets, y->similar, y->pairs);
            found++;
            omitted += x->omit;
        }
        dp_dust_site_free(s);
        dp_arena_done(&a);
    }
    print_message("%zu parameters, %zu omitted\n", found, omitted);
    assert_true(found > 150 && omitted > 40);
}

/* A side of a rule, spelled as naive_dust.h does. */
static dp_str spell_side(const dp_dust_rule *r, dp_str side, dp_arena *a)
{
    dp_str s = naive_dust_spell(side, a);
    return dp_str_cut(s, r->at_start ? 0 : 3, s.n - (r->at_end ? 0 : 3));
}

static void support_by_pairs_is_support_by_definition(void **state)
{
    (void)state;
    size_t rules = 0, bordered = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_arena        a = {0};
        dp_dust_url     v[MOST];
        size_t          n = random_list(&g, v, false, &a);
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        dp_dust_site   *s = NULL;
        dp_dust_rules   r;
        o.T_low = o.T_high = MOST;
        o.MS = 2;
        o.shingles = 0;
        o.ignore_sizes = true;
        o.support = DP_DUST_PAIRS;
        assert_int_equal(DP_OK, dp_dust_site_new(&s, v, n, &o));
        assert_int_equal(DP_OK, dp_dust_detect(&r, s, &o, &a));
        for (size_t i = 0; i < r.n; i += 1 + r.n / 40) {
            dp_arena work = {0};
            dp_str   x = spell_side(&r.v[i], r.v[i].alpha, &work), y = spell_side(&r.v[i], r.v[i].beta, &work);
            size_t   pairs = naive_dust_pairs(v, n, x, y, &work);
            if (pairs != r.v[i].sup_high)
                fail_msg("seed %" PRIu64 ": \"%.*s\" \"%.*s\": %zu pairs, not %u", seed, DP_FMT(r.v[i].alpha),
                         DP_FMT(r.v[i].beta), pairs, r.v[i].sup_high);
            rules++;
            bordered += !x.n || !y.n || naive_dust_is_bordered(x) || naive_dust_is_bordered(y);
            dp_arena_done(&work);
        }
        dp_dust_site_free(s);
        dp_arena_done(&a);
    }
    print_message("%zu rules, of them %zu empty or bordered\n", rules, bordered);
    assert_true(rules > 200 && bordered > 50);
}

static void fast_equals_the_figures_on_a_log(void **state)
{
    (void)state;
    enum { SLICE = 1500 };
    const char       *path = dp_test_data("log-semicomplete/access.log.gz");
    dp_reader_options how = {.base_url = "http://semicomplete.com"};
    dp_reader        *r = NULL;
    dp_arena          a = {0};
    dp_dust_url      *v = calloc(SLICE, sizeof *v);
    size_t            n = 0;
    dp_record         rec;
    bool              more = true;
    assert_int_equal(DP_OK, dp_reader_open(&r, &path, 1, &how, NULL));
    while (n < SLICE && dp_reader_next(r, &rec, &more, NULL) == DP_OK && more) {
        size_t i = 0;
        if (!dp_record_is_page(&rec))
            continue;
        while (i < n && !dp_str_eq(v[i].url, rec.url))
            i++;
        if (i == n)
            v[n++] = (dp_dust_url){.url = dp_arena_str(&a, rec.url)};
        if (dp_record_has(&rec, DP_FIELD_SIZE)) {
            v[i].size_min = v[i].has_size && v[i].size_min < rec.size ? v[i].size_min : rec.size;
            v[i].size_max = v[i].has_size && v[i].size_max > rec.size ? v[i].size_max : rec.size;
            v[i].has_size = true;
        }
    }
    dp_reader_close(r);
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (int sizes = 1; sizes >= 0; sizes--) {
        o.ignore_sizes = !sizes;
        print_message("%zu URLs, sizes %s: %zu rules\n", n, sizes ? "on" : "off", compare(v, n, &o, 0));
    }
    free(v);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_equals_the_figures_on_random_lists),
        cmocka_unit_test(order_and_copies_change_nothing),
        cmocka_unit_test(envelopes_are_instances_unless_empty_or_bordered),
        cmocka_unit_test(support_by_pairs_is_support_by_definition),
        cmocka_unit_test(parameters_are_those_of_the_twin),
        cmocka_unit_test(fast_equals_the_figures_on_a_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
