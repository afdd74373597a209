/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "apply/engine.h"
#include "base/arena.h"
#include "base/rng.h"
#include "judge/replay.h"

/* Property: replay counts what looking at every pair of URLs counts. The twin makes an engine
 * out of each rule, takes its first firing, and compares all pairs. */

static const char *const rules[] = {
    "drop ?s",
    "drop ?s,t",
    "erase ?s",
    "set ?p=1",
    "/{**}/i => /{**}/",
    "/a/{**} => /b/{**}",
    "/c/{y} => /{y}",
    "/{x}/a => /{x}/*",
    "fold case path",
    "drop ?p if =1",
    "sub \"a\" -> \"b\"",
};

enum { URLS = 60, RULES = sizeof rules / sizeof *rules };

typedef struct twin_url {
    dp_str   raw, form, made[RULES]; /* made: p NULL where the rule does not fire */
    uint32_t fired; /* bits: rules that fire when all run together */
    uint32_t cluster;
} twin_url;

static dp_engine *engine_of(const char *const *text, size_t n)
{
    char       file[1024];
    dp_rules  *r;
    dp_engine *e = NULL;
    dp_error   err;
    int        at = snprintf(file, sizeof file, "dustpan-rules 1\nhost a.com\n");
    for (size_t i = 0; i < n; i++)
        at += snprintf(file + at, sizeof file - (size_t)at, "%s\n", text[i]);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "test", file, (size_t)at, &err) != DP_OK || dp_engine_new(&e, r, 0, 0, &err) != DP_OK)
        fail_msg("%zu: %s", err.line, err.message);
    dp_rules_free(r);
    return e;
}

static dp_str random_url(dp_rng *r, dp_arena *a)
{
    static const char *const seg[] = {"a", "b", "i", "A", "c", ""};
    static const char *const par[] = {"s=1", "s=2", "t=1", "p=1", "p=2", "q"};
    char                     url[200];
    int at = snprintf(url, sizeof url, "%s", dp_rng_below(r, 12) ? "http://a.com" : "HTTP://A.com:80");
    for (uint64_t i = 0, n = 1 + dp_rng_below(r, 3); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "/%s", seg[dp_rng_below(r, DP_COUNT(seg))]);
    for (uint64_t i = 0, n = dp_rng_below(r, 3); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "%c%s", i ? '&' : '?', par[dp_rng_below(r, DP_COUNT(par))]);
    return dp_arena_str(a, (dp_str){url, (size_t)at});
}

typedef struct first_made {
    dp_str    text;
    dp_arena *a;
} first_made;

static bool keep_first(void *ctx, uint32_t rule, dp_str text)
{
    first_made *f = ctx;
    (void)rule;
    if (!f->text.p)
        f->text = dp_arena_str(f->a, text);
    return true;
}

static bool mark_rule(void *ctx, uint32_t rule, dp_str text)
{
    (void)text;
    *(uint32_t *)ctx |= 1u << rule;
    return true;
}

static dp_trial brute_rule(const twin_url *u, size_t n, size_t rule, bool erases)
{
    dp_trial t = {.bad_a = DP_NO_ITEM, .bad_b = DP_NO_ITEM};
    uint8_t  vote[URLS] = {0}; /* of a cluster: 1 it has one, 2 against */
    for (size_t i = 0; i < n; i++) {
        dp_str   f = u[i].made[rule].p ? u[i].made[rule] : u[i].form;
        bool     changed = u[i].made[rule].p != NULL, alone = true, wrong = false, first = true, first_of = true;
        bool     has_changed = changed;
        uint64_t pairs = 0, false_pairs = 0, is_url = 0, not_same = 0;
        for (size_t j = 0; j < n; j++) {
            bool   moved = u[j].made[rule].p != NULL, other = u[i].cluster != u[j].cluster;
            dp_str g = moved ? u[j].made[rule] : u[j].form;
            if (j != i && changed && dp_str_eq(f, u[j].form)) {
                t.support++;
                t.false_support += other;
                is_url = 1;
                not_same += other;
            }
            if (j == i || !dp_str_eq(f, g))
                continue;
            alone = false;
            has_changed |= moved;
            wrong |= other;
            first &= j > i;
            first_of &= j > i || other;
            pairs++;
            false_pairs += other;
        }
        t.changed += changed;
        if (changed)
            t.f += is_url ? (double)not_same : pairs ? (double)false_pairs / (double)pairs : 0;
        t.unknown += changed && alone;
        if (alone || !has_changed)
            continue;
        t.pairs += pairs;
        t.false_pairs += false_pairs;
        t.good += !first_of;           /* not the first of its cluster in the group */
        t.bad += first_of && !first;   /* the first of its cluster, in a group that had others */
        vote[u[i].cluster] |= (uint8_t)((changed ? 1 : 0) | (wrong ? 2 : 0));
    }
    for (size_t c = 0; c < URLS; c++) {
        t.n[c % DP_FOLDS] += vote[c] & 1;
        t.s[c % DP_FOLDS] += vote[c] == 1;
    }
    if (erases) {
        t.support = t.pairs;
        t.false_support = t.false_pairs;
    }
    return t;
}

/* One a form, of the cluster that most URLs of it have, of equal ones the one with the least number. */
static size_t forms_of(twin_url *out, const twin_url *u, size_t n)
{
    size_t forms = 0;
    for (size_t i = 0; i < n; i++) {
        bool   first = true;
        size_t most = 0;
        for (size_t j = 0; j < i; j++)
            first &= !dp_str_eq(u[i].form, u[j].form);
        if (!first)
            continue;
        out[forms] = u[i];
        for (uint32_t c = 0; c < URLS; c++) {
            size_t votes = 0;
            for (size_t j = 0; j < n; j++)
                votes += dp_str_eq(u[i].form, u[j].form) && u[j].cluster == c;
            if (votes > most) {
                most = votes;
                out[forms].cluster = c;
            }
        }
        forms++;
    }
    return forms;
}

static void replay_equals_all_pairs(void **state)
{
    (void)state;
    dp_engine *all = engine_of(rules, RULES), *one[RULES];
    uint8_t    fold[URLS];
    dp_scratch *s;
    dp_arena    a = {0};
    uint64_t    merges = 0, votes = 0, joined = 0;
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    for (size_t r = 0; r < RULES; r++)
        one[r] = engine_of(&rules[r], 1);
    for (size_t c = 0; c < URLS; c++)
        fold[c] = (uint8_t)(c % DP_FOLDS);
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        dp_rng     rng = dp_rng_seed(seed);
        twin_url   u[URLS];
        uint32_t   cluster[URLS], clusters = 1 + (uint32_t)dp_rng_below(&rng, URLS);
        size_t     n = 0;
        dp_replay *p;
        assert_int_equal(DP_OK, dp_replay_new(&p, all));
        for (int k = 0; k < URLS; k++) {
            twin_url *v = &u[n];
            *v = (twin_url){.raw = random_url(&rng, &a)};
            bool fresh = true;
            for (size_t i = 0; i < n; i++)
                fresh &= !dp_str_eq(u[i].raw, v->raw);
            if (!fresh)
                continue;
            v->form = dp_arena_str(&a, dp_engine_run(all, s, DP_STAGE0, v->raw, NULL, NULL));
            dp_engine_run(all, s, DP_KEY, v->raw, mark_rule, &v->fired);
            for (size_t r = 0; r < RULES; r++) {
                first_made f = {.a = &a};
                dp_engine_run(one[r], s, DP_KEY, v->raw, keep_first, &f);
                v->made[r] = f.text;
            }
            cluster[n] = v->cluster = (uint32_t)dp_rng_below(&rng, clusters);
            assert_int_equal(DP_OK, dp_replay_add(p, &v->raw, 1));
            n++;
        }
        twin_url  form[URLS];
        size_t    forms = forms_of(form, u, n);
        dp_labels labels = {cluster, clusters, fold, NULL};
        assert_int_equal(DP_OK, dp_replay_judge(p, &labels));
        for (size_t r = 0; r < RULES; r++) {
            dp_trial got = *dp_replay_rule(p, r), want = brute_rule(form, forms, r, r == 2 || r == 7);
            if (got.bad_a != DP_NO_ITEM) {
                assert_int_not_equal(got.bad_a, got.bad_b);
                assert_true(got.bad > 0);
            }
            got.bad_a = got.bad_b = DP_NO_ITEM;
            if (fabs(want.f - got.f) > 1e-9)
                fail_msg("seed %" PRIu64 ", rule %zu: f %g, not %g", seed, r, got.f, want.f);
            got.f = want.f;
            if (memcmp(&want, &got, sizeof got) != 0)
                fail_msg("seed %" PRIu64 ", rule %zu", seed, r);
            joined += n - forms;
            merges += got.good + got.bad;
            votes += dp_trial_sum(&got, DP_ALL_FOLDS).n;
        }
        for (size_t r = 0; r < RULES; r++) {
            uint64_t fired = 0;
            for (size_t i = 0; i < n; i++)
                fired += u[i].fired >> r & 1;
            assert_int_equal(fired, dp_replay_fired(p, r));
        }
        dp_replay_free(p);
        dp_arena_reset(&a);
    }
    print_message("%" PRIu64 " merges, %" PRIu64 " votes, %" PRIu64 " URLs joined by stage 0\n", merges, votes, joined);
    for (size_t r = 0; r < RULES; r++)
        dp_engine_free(one[r]);
    dp_engine_free(all);
    dp_scratch_free(s);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_equals_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
