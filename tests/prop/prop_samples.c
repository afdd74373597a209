/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

#include "apply/engine.h"
#include "base/rng.h"
#include "eval/samples.h"

/* Property: samples and votes are what looking at every pair of URLs finds. */

static const char rules_text[] = "dustpan-rules 1\nhost a.com\ndrop ?s\ndrop ?s,t\nerase ?s\nset ?p=1\n"
                                 "/{**}/i => /{**}/\n/a/{**} => /b/{**}\n/{x}/a => /{x}/*\nfold case path\n"
                                 "sub \"a\" -> \"b\"\n";

enum { URLS = 50, RULES = 9 };

typedef struct twin {
    dp_str   form[URLS], made[URLS][RULES]; /* made: p NULL where the rule does not fire */
    uint32_t cluster[URLS];
    uint32_t n;
} twin;

typedef struct made_by {
    dp_str   *made;
    dp_arena *a;
} made_by;

static void keep(void *ctx, uint32_t rule, dp_str text)
{
    made_by *m = ctx;
    m->made[rule] = dp_arena_str(m->a, text);
}

static dp_str random_url(dp_rng *r, dp_arena *a)
{
    static const char *const seg[] = {"a", "b", "i", "A", ""};
    static const char *const par[] = {"s=1", "s=2", "t=1", "p=1", "p=2"};
    char                     url[200];
    int                      at = snprintf(url, sizeof url, "http://a.com");
    for (uint64_t i = 0, n = 1 + dp_rng_below(r, 2); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "/%s", seg[dp_rng_below(r, DP_COUNT(seg))]);
    for (uint64_t i = 0, n = dp_rng_below(r, 3); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "%c%s", i ? '&' : '?', par[dp_rng_below(r, DP_COUNT(par))]);
    return dp_arena_str(a, (dp_str){url, (size_t)at});
}

/* What URL i is under rule r. */
static dp_str under(const twin *w, size_t i, size_t r)
{
    return w->made[i][r].p ? w->made[i][r] : w->form[i];
}

/* Every cluster with a changed URL in a group of two or more votes by its share. */
static dp_votes twin_votes(const twin *w, size_t r)
{
    dp_votes v = {0, 0};
    for (uint32_t c = 0; c < URLS; c++) {
        double good = 0, all = 0;
        for (uint32_t i = 0; i < w->n; i++) {
            bool     first = true, has_changed = false, seen[URLS] = {false};
            uint32_t n = 0, d = 0;
            for (uint32_t k = 0; k < w->n; k++) {
                if (!dp_str_eq(under(w, i, r), under(w, k, r)))
                    continue;
                first &= k >= i;
                has_changed |= w->cluster[k] == c && w->made[k][r].p;
                n++;
                d += !seen[w->cluster[k]];
                seen[w->cluster[k]] = true;
            }
            if (first && has_changed && n > 1) {
                good += n - d;
                all += n - 1;
            }
        }
        if (all > 0) {
            v.pos += good / all;
            v.neg += 1 - good / all;
        }
    }
    return v;
}

static void check_rule(const twin *w, const dp_rule_samples *s, size_t r, uint64_t seed)
{
    dp_votes want = twin_votes(w, r);
    double   off = want.pos - s->votes.pos + want.neg - s->votes.neg;
    bool     wrong = false, changes = false;
    if (off > 1e-9 || off < -1e-9 || want.pos - s->votes.pos > 1e-9 || s->votes.pos - want.pos > 1e-9)
        fail_msg("seed %" PRIu64 " rule %zu: votes %g %g, twin %g %g", seed, r, s->votes.pos, s->votes.neg, want.pos,
                 want.neg);
    for (uint32_t i = 0; i < w->n; i++) {
        changes |= w->made[i][r].p != NULL;
        for (uint32_t k = 0; k < w->n; k++)
            wrong |= w->made[i][r].p && w->cluster[i] != w->cluster[k] && dp_str_eq(under(w, i, r), under(w, k, r));
    }
    assert_int_equal(wrong, s->nwrong > 0);
    assert_int_equal(changes, s->ngood + s->nwrong > 0);
    for (uint32_t k = 0; k < s->nwrong; k++) {
        assert_true(w->cluster[s->wrong[k].a] != w->cluster[s->wrong[k].b]);
        assert_true(dp_str_eq(under(w, s->wrong[k].a, r), under(w, s->wrong[k].b, r)));
        assert_true(k == 0 || s->wrong[k].a > s->wrong[k - 1].a);
    }
    for (uint32_t k = 0; k < s->ngood; k++)
        assert_true(dp_str_eq(w->made[s->good[k].item][r], s->good[k].after));
}

static void samples_equal_looking_at_every_pair(void **state)
{
    (void)state;
    dp_rules   *r;
    dp_engine  *e;
    dp_scratch *s;
    dp_arena    a = {0};
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "test", rules_text, sizeof rules_text - 1, NULL));
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, NULL));
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    assert_int_equal(RULES, dp_engine_count(e));
    for (uint64_t seed = 1; seed <= 400; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_truth        t = {.text_limit = SIZE_MAX};
        twin            w = {.n = 0};
        dp_rule_samples out[RULES];
        while (w.n < URLS / 2 + dp_rng_below(&g, URLS / 2)) {
            dp_str url = random_url(&g, &a);
            char   label[8];
            bool   fresh;
            int    n = snprintf(label, sizeof label, "%d", (int)dp_rng_below(&g, 6));
            dp_says says = {.name = {label, (size_t)n}};
            assert_int_equal(DP_OK, dp_truth_add(&t, url, DP_STR("a.com"), &says, &fresh));
            if (!fresh)
                continue;
            w.cluster[w.n] = t.cluster[w.n];
            w.form[w.n] = dp_arena_str(&a, dp_engine_each(e, s, url, keep, &(made_by){w.made[w.n], &a}));
            w.n++;
        }
        assert_int_equal(DP_OK, dp_samples_find(out, e, &t, (dp_items){NULL, t.n}, &a));
        for (size_t i = 0; i < RULES; i++)
            check_rule(&w, &out[i], i, seed);
        dp_truth_done(&t);
        dp_arena_reset(&a);
    }
    dp_scratch_free(s);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_equal_looking_at_every_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
