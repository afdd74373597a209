/* Properties: a rule's test is Figure 4 of the paper, however long pages take; and validation is Figure 5, its slip
 * corrected, on random lists and labels. The twins are the figures, line by line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "learn/dust/dust.h"
#include "live/ruletest.h"
#include "support/tempfile.h"

/* ---- random sites ------------------------------------------------------------------------------ */

static const char *const words[] = {"a", "b", "c", "d"};

static const char *draw_word(dp_rng *g)
{
    return words[dp_rng_below(g, DP_COUNT(words))];
}

/* Substitutions that load in both directions, in one block: their sides are different words in equal context. */
static void draw_rules(dp_buf *out, dp_rng *g)
{
    dp_buf_c(out, "dustpan-rules 1\nhost h.com\n");
    for (size_t n = 1 + (size_t)dp_rng_below(g, 4); n; n--) {
        const char *a = draw_word(g), *b;
        do
            b = draw_word(g);
        while (b == a);
        switch (dp_rng_below(g, 4)) {
        case 0: dp_buf_printf(out, "likely sub \"/%s/\" -> \"/%s%s/\"\n", a, b, draw_word(g)); break;
        case 3: /* and a case of it */
            dp_buf_printf(out, "likely sub \"/%s/\" -> \"/%s/\"\nlikely sub \"x/%s/\" -> \"x/%s/\"\n", a, b, a, b);
            break;
        case 1: dp_buf_printf(out, "likely sub \"x/%s/\" -> \"x/%s\"\n", a, b); break;
        default: dp_buf_printf(out, "likely sub \"%s$\" -> \"%s$\"\n", a, b); break;
        }
    }
}

static void draw_url(dp_buf *out, dp_rng *g)
{
    dp_buf_printf(out, "http://h.com/%s", dp_rng_below(g, 2) ? "x/" : "");
    for (size_t n = 1 + (size_t)dp_rng_below(g, 3); n; n--)
        dp_buf_printf(out, "%s%s%s", draw_word(g), dp_rng_below(g, 3) ? "" : draw_word(g), n > 1 ? "/" : "");
}

/* ---- Figure 4 ---------------------------------------------------------------------------------- */

/* A web whose pages are known by the hash of their URL; each takes some time. */
typedef struct web {
    uint64_t seed;
    dp_rng   delay;
    bool     slow;
} web;

static dp_err ask_web(void *self, dp_str url, dp_reply *out, dp_error *err)
{
    web     *w = self;
    uint64_t h = dp_hash_fold(dp_hash_str(url), w->seed);
    (void)err;
    *out = (dp_reply){.kind = DP_REPLY_WAIT};
    if (w->slow && dp_rng_below(&w->delay, 3))
        return DP_OK;
    uint64_t roll = h % 20;
    out->kind = roll < 15 ? DP_REPLY_PAGE : roll < 17 ? DP_REPLY_GONE : roll < 19 ? DP_REPLY_UNKNOWN : DP_REPLY_SPARED;
    for (int i = 0; i < 4; i++)
        out->sketch[i] = (h >> 20) % 2;
    out->last = url;
    return DP_OK;
}

/* Lines 4 to 15, with what live/ruletest.h says beyond them. */
static dp_test_answer figure4(dp_draws *d, size_t rule, dp_direction side, web *w, const dp_ruletest_options *o)
{
    uint64_t positive = 0, negative = 0, unknown = 0, contents = 0, first = 0;
    size_t   n = dp_draws_direct(d, rule, side);
    for (size_t i = 0; i < n && i < (size_t)o->tests * DP_DRAWS_PER_TEST; i++) {
        dp_drawn x;
        dp_reply u, v;
        char    *again;
        assert_int_equal(DP_OK, dp_draws_get(d, rule, side, false, i, &x));
        again = strndup(x.v.p, x.v.n);
        ask_web(w, x.u, &u, NULL);
        ask_web(w, dp_str_c(again), &v, NULL);
        free(again);
        if (u.kind == DP_REPLY_GONE || u.kind == DP_REPLY_SPARED)
            continue;
        if (u.kind == DP_REPLY_UNKNOWN || v.kind == DP_REPLY_UNKNOWN || v.kind == DP_REPLY_SPARED) {
            unknown++;
        } else if (v.kind == DP_REPLY_GONE || dp_shingle_common(u.sketch, v.sketch) < o->shingles) {
            negative++;
        } else {
            first = positive ? first : u.sketch[0];
            contents += u.sketch[0] != first;
            positive++;
        }
        if (unknown >= o->min_tests && unknown > positive + negative)
            return DP_TEST_UNDECIDED;
        if (negative && (double)negative >= o->epsilon * o->tests)
            return DP_TEST_FALSE;
        if ((double)positive >= (1 - o->epsilon) * o->tests)
            return positive >= DP_SOFT && !contents ? DP_TEST_UNDECIDED : DP_TEST_TRUE;
    }
    if (positive + negative < o->min_tests || (unknown >= o->min_tests && unknown > positive + negative))
        return DP_TEST_UNDECIDED;
    if (negative && (double)negative >= o->epsilon * (double)(positive + negative))
        return DP_TEST_FALSE;
    return positive >= DP_SOFT && !contents ? DP_TEST_UNDECIDED : DP_TEST_TRUE;
}

static dp_draws *make_draws(dp_rules **rules, dp_rng *g, dp_buf *list, size_t urls)
{
    dp_buf    text = {0};
    dp_draws *d = NULL;
    bool      is_url;
    draw_rules(&text, g);
    assert_int_equal(DP_OK, dp_rules_new(rules));
    assert_int_equal(DP_OK, dp_rules_parse(*rules, "drawn", text.p, text.n, NULL));
    assert_int_equal(DP_OK, dp_draws_new(&d, *rules, 1, NULL));
    for (size_t i = 0; i < urls; i++) {
        dp_buf_reset(&text);
        draw_url(&text, g);
        assert_int_equal(DP_OK, dp_draws_add(d, dp_buf_view(&text), 1, &is_url));
        dp_buf_printf(list, "%u\t%.*s\n", (unsigned)dp_rng_below(g, 4), DP_FMT(dp_buf_view(&text)));
    }
    assert_int_equal(DP_OK, dp_draws_finish(d));
    dp_buf_done(&text);
    return d;
}

static void a_test_is_figure_4_whatever_pages_take(void **state)
{
    (void)state;
    size_t answers[4] = {0};
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        dp_rng              g = dp_rng_seed(seed);
        dp_rules           *r = NULL;
        dp_buf              list = {0};
        dp_draws           *d = make_draws(&r, &g, &list, 5 + (size_t)dp_rng_below(&g, 80));
        dp_ruletest_options o = {.tests = 1 + (unsigned)dp_rng_below(&g, 30),
                                 .min_tests = 1 + (unsigned)dp_rng_below(&g, 9),
                                 .epsilon = (double)dp_rng_below(&g, 60) / 100, .shingles = 4};
        web                 w = {.seed = seed % 3 ? seed : 0, .delay = dp_rng_seed(seed), .slow = true}, at_once = w;
        dp_teller           s = {&w, ask_web};
        at_once.slow = false;
        for (size_t i = 0; i < dp_rules_count(r); i++) {
            for (int side = 0; side < DP_DIRECTIONS; side++) {
                dp_ruletest t = {.rule = i, .side = (dp_direction)side,
                                 .branches = dp_draws_branches(d, i, (dp_direction)side)};
                dp_arena    a = {0};
                for (int steps = 0; t.truth == DP_TEST_RUNS; steps++) {
                    assert_true(steps < 10000);
                    assert_int_equal(DP_OK, dp_ruletest_step(&t, d, &s, &o, &a, NULL));
                }
                if (t.truth != figure4(d, i, (dp_direction)side, &at_once, &o))
                    fail_msg("seed %" PRIu64 ", rule %zu, side %d: %d", seed, i, side, t.truth);
                answers[t.truth]++;
                dp_ruletest_done(&t);
                dp_arena_done(&a);
            }
        }
        dp_draws_free(d);
        dp_rules_free(r);
        dp_buf_done(&list);
    }
    for (int i = DP_TEST_TRUE; i <= DP_TEST_UNDECIDED; i++)
        assert_true(answers[i] > 100); /* the worlds are worth something */
}

/* ---- Figure 5 ---------------------------------------------------------------------------------- */


/* The label of a URL in lines "label TAB url": the first; -1: none. */
static int label_of(dp_str list, dp_str url)
{
    while (list.n) {
        const char *tab = memchr(list.p, '\t', list.n), *end = memchr(list.p, '\n', list.n);
        if (dp_str_eq(url, (dp_str){tab + 1, (size_t)(end - tab - 1)}))
            return list.p[0];
        list = dp_str_cut(list, (size_t)(end - list.p) + 1, list.n);
    }
    return -1;
}

static dp_test_answer validate_rule(dp_draws *d, size_t rule, dp_direction side, dp_str list, unsigned N,
                                    double epsilon)
{
    unsigned positive = 0, negative = 0, contents = 0;
    int      first = 0;
    for (size_t i = 0; i < dp_draws_direct(d, rule, side) && i < (size_t)N * DP_DRAWS_PER_TEST; i++) {
        dp_drawn x;
        assert_int_equal(DP_OK, dp_draws_get(d, rule, side, false, i, &x));
        int u = label_of(list, x.u), v = label_of(list, x.v);
        if (v == u) {
            first = positive++ ? first : u;
            contents += u != first;
        } else {
            negative++; /* absent: no page, as in the paper */
        }
        if (negative && negative >= epsilon * N)
            return DP_TEST_FALSE;
        if (positive >= (1 - epsilon) * N)
            return positive >= DP_SOFT && !contents ? DP_TEST_UNDECIDED : DP_TEST_TRUE;
    }
    if (positive + negative < 3)
        return DP_TEST_UNDECIDED;
    if (negative && negative >= epsilon * (positive + negative))
        return DP_TEST_FALSE;
    return positive >= DP_SOFT && !contents ? DP_TEST_UNDECIDED : DP_TEST_TRUE;
}

static bool refines(const dp_rule *fine, const dp_rule *broad)
{
    dp_dust_rule a = {.alpha = fine->alpha, .beta = fine->beta, .at_end = fine->at_end};
    dp_dust_rule b = {.alpha = broad->alpha, .beta = broad->beta, .at_end = broad->at_end};
    return dp_dust_refines(&a, &b);
}

/* Lines 2 to 16; R[i] is what becomes of rule i. */
static void figure5(dp_validation_answer *R, const dp_rules *r, dp_draws *d, dp_str list, unsigned N, double epsilon)
{
    for (size_t i = 0; i < r->nrule; i++) {
        const dp_rule *x = r->rule[i];
        R[i] = DP_UNTESTED;
        for (size_t j = 0; j < i; j++)
            if ((R[j] == DP_KEPT || R[j] == DP_TURNED) && refines(x, r->rule[j]))
                R[i] = DP_REFINED;
        if (R[i] == DP_REFINED)
            continue;
        /* alpha > beta: more tokens; of as many, more bytes; then the greater */
        size_t  ta = 0, tb = 0;
        for (size_t k = 0; k < x->alpha.n; k++)
            ta += x->alpha.p[k] == '/' || k == 0 || x->alpha.p[k - 1] == '/';
        for (size_t k = 0; k < x->beta.n; k++)
            tb += x->beta.p[k] == '/' || k == 0 || x->beta.p[k - 1] == '/';
        bool shrinks = ta != tb               ? ta > tb
                       : x->alpha.n != x->beta.n ? x->alpha.n > x->beta.n
                                                 : dp_str_cmp(x->alpha, x->beta) > 0;
        dp_direction   first = shrinks ? DP_AS_WRITTEN : DP_TURNED_ROUND;
        dp_direction   second = shrinks ? DP_TURNED_ROUND : DP_AS_WRITTEN;
        dp_test_answer t[DP_DIRECTIONS];
        t[first] = validate_rule(d, i, first, list, N, epsilon);
        t[second] = t[first] == DP_TEST_TRUE ? DP_TEST_RUNS : validate_rule(d, i, second, list, N, epsilon);
        if (t[first] == DP_TEST_TRUE || t[second] == DP_TEST_TRUE)
            R[i] = (t[first] == DP_TEST_TRUE ? first : second) == DP_AS_WRITTEN ? DP_KEPT : DP_TURNED;
        else
            R[i] = t[DP_AS_WRITTEN] == DP_TEST_FALSE ? DP_REJECTED : DP_UNDECIDED;
    }
}

static void validation_is_figure_5(void **state)
{
    (void)state;
    size_t answers[DP_UNDECIDED + 1] = {0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        dp_rng         g = dp_rng_seed(seed);
        dp_rules      *r = NULL;
        dp_engine     *e = NULL;
        dp_validation *v = NULL;
        dp_buf         list = {0};
        dp_draws      *d = make_draws(&r, &g, &list, 40 + (size_t)dp_rng_below(&g, 160));
        unsigned       N = 3 + (unsigned)dp_rng_below(&g, 10);
        int64_t        millionths = (int64_t)dp_rng_below(&g, 9) * 100000;
        const char    *path = dp_temp_write("labels", dp_buf_view(&list));
        if (dp_engine_new(&e, r, 0, 0, NULL) == DP_OK) { /* drawn rules may feed each other */
            dp_validation_answer want[8];
            assert_int_equal(DP_OK, dp_validation_new(&v));
            assert_int_equal(DP_OK, dp_validation_set(v, DP_VALIDATION_TESTS, N));
            assert_int_equal(DP_OK, dp_validation_set(v, DP_VALIDATION_EPSILON, millionths));
            assert_int_equal(DP_OK, dp_validation_set(v, DP_VALIDATION_MIN_TESTS, 3));
            assert_int_equal(DP_OK, dp_validation_set(v, DP_VALIDATION_ABSENT_NEGATIVE, 1));
            assert_int_equal(DP_OK, dp_validation_input(v, DP_INPUT_FORMAT, "clusters"));
            assert_int_equal(DP_OK, dp_validation_offline(v, &path, 1));
            assert_int_equal(DP_OK, dp_validation_run(v, r, NULL, 0, NULL));
            figure5(want, r, d, dp_buf_view(&list), N, (double)millionths / 1e6);
            for (size_t i = 0; i < dp_rules_count(r); i++) {
                if (dp_validation_verdict(v, i) != want[i])
                    fail_msg("seed %" PRIu64 ", rule %zu: %d, not %d", seed, i, dp_validation_verdict(v, i), want[i]);
                answers[want[i]]++;
            }
            dp_rules *made = NULL;
            assert_int_equal(DP_OK, dp_validation_rules(&made, v, NULL));
            dp_engine *again = NULL;
            assert_int_equal(DP_OK, dp_engine_new(&again, made, DP_WITH_LIKELY, 0, NULL)); /* what is written loads */
            dp_engine_free(again);
            dp_rules_free(made);
        }
        dp_engine_free(e);
        dp_validation_free(v);
        dp_draws_free(d);
        dp_rules_free(r);
        dp_buf_done(&list);
        dp_temp_remove(NULL);
    }
    for (int i = DP_KEPT; i <= DP_UNDECIDED; i++)
        if (answers[i] < 5)
            fail_msg("only %zu rules with verdict %d", answers[i], i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_is_figure_4_whatever_pages_take),
        cmocka_unit_test(validation_is_figure_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
