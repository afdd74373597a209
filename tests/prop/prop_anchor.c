/* Deep tokenization: split and join are inverse, patterns cover what they were learned from, matching is that of a dumb
 * twin, selection is the definition, and order does not matter.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/tree/anchor_select.h"

enum { MOST = 60, SEEDS = 6000 };

/* Values of one to three kinds, each a row of words, delimiters and things that vary. */
static size_t random_values(dp_rng *g, dp_str *v, dp_arena *a)
{
    static const char *const parts[] = {"cat", "-", "_", "sku", ".html", "Z", "QQ", "%2F", "item", "[id]", "x1", "The"};
    int                      kind[3][8];
    size_t                   kinds = 1 + dp_rng_below(g, 3), n = 0, want = 1 + dp_rng_below(g, MOST - 1);
    for (size_t i = 0; i < kinds; i++)
        for (int k = 0; k < 8; k++)
            kind[i][k] = (int)dp_rng_below(g, DP_COUNT(parts) + 8);
    for (size_t i = 0; i < want; i++) {
        dp_buf     b = {0};
        const int *row = kind[dp_rng_below(g, kinds)];
        for (uint64_t k = 0; k < 2 + dp_rng_below(g, 2) * 6; k++) {
            if (row[k] < (int)DP_COUNT(parts))
                dp_buf_c(&b, parts[row[k]]);
            else
                for (uint64_t j = 1 + dp_rng_below(g, 3); j > 0; j--)
                    dp_buf_byte(&b, "abAB019-"[dp_rng_below(g, 8)]);
        }
        dp_str s = dp_arena_str(a, dp_buf_view(&b));
        dp_buf_done(&b);
        bool again = false;
        for (size_t k = 0; k < n; k++)
            again |= dp_str_eq(v[k], s);
        if (!again && s.n)
            v[n++] = s;
    }
    return n;
}

static bool in_escape(dp_str s, size_t at)
{
    return (at >= 1 && at < s.n && s.p[at - 1] == '%') || (at >= 2 && at < s.n && s.p[at - 2] == '%');
}

/* As docs/rule-format.md says: each literal but the last at its leftmost place, no second try. */
static bool naive_split(const dp_anchor_pattern *p, dp_str s, dp_str *piece)
{
    size_t at = p->literal[0].n;
    if (!dp_str_starts(s, p->literal[0]) || memchr(s.p, '*', s.n))
        return false;
    for (size_t k = 1; k <= p->npiece; k++) {
        dp_str l = p->literal[k];
        size_t from = SIZE_MAX;
        if (k == p->npiece)
            from = s.n >= l.n + at && dp_str_ends(s, l) ? s.n - l.n : SIZE_MAX;
        for (size_t i = at + 1; k < p->npiece && from == SIZE_MAX && i + l.n <= s.n; i++)
            if (memcmp(s.p + i, l.p, l.n) == 0 && !in_escape(s, i))
                from = i;
        if (from == SIZE_MAX || from <= at || (l.n && in_escape(s, from)))
            return false;
        piece[k - 1] = dp_str_cut(s, at, from);
        at = from + l.n;
    }
    return at == s.n && !in_escape(s, p->literal[0].n);
}

static void check_pattern(uint64_t seed, const dp_anchor_pattern *p, const dp_str *v, size_t n)
{
    size_t fits = 0;
    assert_true(p->npiece >= 1 && p->npiece < p->text.n);
    for (size_t i = 0; i < n; i++) {
        dp_str x[DP_ANCHOR_PIECES + 1], y[DP_ANCHOR_PIECES + 1];
        bool   fast = dp_anchor_split(p, v[i], x), slow = naive_split(p, v[i], y);
        if (fast != slow)
            fail_msg("seed %" PRIu64 ": %.*s on %.*s: %d, not %d", seed, DP_FMT(p->text), DP_FMT(v[i]), fast, slow);
        if (!fast)
            continue;
        fits++;
        dp_buf joined = {0};
        dp_anchor_join(&joined, p, x);
        assert_true(dp_str_eq(dp_buf_view(&joined), v[i]));
        dp_buf_done(&joined);
        for (size_t k = 0; k < p->npiece; k++)
            assert_true(x[k].n > 0 && dp_str_eq(x[k], y[k]));
    }
    if (fits < p->nvalue)
        fail_msg("seed %" PRIu64 ": %.*s covers %zu of its %zu values", seed, DP_FMT(p->text), fits, p->nvalue);
}

static void patterns_keep_their_promises(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dp_rng             g = dp_rng_seed(seed);
        dp_arena           a = {0};
        dp_str             v[MOST];
        size_t             n = random_values(&g, v, &a);
        dp_anchor_options  o = DP_ANCHOR_OPTIONS_INIT;
        dp_anchor_patterns p, q;
        o.least = 2 + (uint32_t)dp_rng_below(&g, 10);
        assert_int_equal(DP_OK, dp_anchor_learn(&p, v, n, &o, &a));
        for (size_t i = 0; i < p.n; i++)
            check_pattern(seed, &p.v[i], v, n);
        for (size_t i = n; i > 1; i--) { /* in another order */
            size_t k = dp_rng_below(&g, i);
            dp_str x = v[i - 1];
            v[i - 1] = v[k];
            v[k] = x;
        }
        assert_int_equal(DP_OK, dp_anchor_learn(&q, v, n, &o, &a));
        assert_int_equal(p.n, q.n);
        for (size_t i = 0; i < p.n; i++)
            if (!dp_str_eq(p.v[i].text, q.v[i].text) || p.v[i].nvalue != q.v[i].nvalue)
                fail_msg("seed %" PRIu64 ": %.*s, then %.*s", seed, DP_FMT(p.v[i].text), DP_FMT(q.v[i].text));
        dp_arena_done(&a);
    }
}

/* ---- SelectAnchors by definition, at the root -------------------------------------------------------------- */

typedef struct naive_cluster {
    dp_edge left, right;
    bool    numeric;
} naive_cluster;

static bool same_edge(dp_edge a, dp_edge b)
{
    return a.kind == b.kind && a.what == b.what;
}

static bool is_of(const naive_cluster *c, const dp_deep_run *r)
{
    return same_edge(c->left, r->left) && same_edge(c->right, r->right) && c->numeric == (r->unit == DP_UNIT_DIGIT);
}

static dp_str run_text(const dp_anchor_token *t, uint32_t i)
{
    return dp_str_cut(t->text, t->run.v[i].at, t->run.v[i].end);
}

static bool is_eligible(const naive_cluster *c, const dp_anchor_token *t, size_t n, const dp_anchor_options *o,
                        size_t *texts)
{
    dp_str   text[1000];
    uint32_t count[1000];
    size_t   covered = 0;
    double   sum = 0, squares = 0;
    *texts = 0;
    for (size_t i = 0; i < n; i++) {
        bool has = false;
        for (uint32_t r = 0; r < t[i].run.n; r++) {
            if (!is_of(c, &t[i].run.v[r]))
                continue;
            has = true;
            size_t k = 0;
            while (k < *texts && !dp_str_eq(text[k], run_text(&t[i], r)))
                k++;
            if (k == *texts) {
                text[k] = run_text(&t[i], r);
                count[(*texts)++] = 0;
            }
            bool before = false;
            for (uint32_t q = 0; q < r; q++)
                before |= is_of(c, &t[i].run.v[q]) && dp_str_eq(run_text(&t[i], q), text[k]);
            count[k] += !before;
        }
        covered += has;
    }
    size_t all = *texts;
    *texts = 0;
    for (size_t k = 0; k < all; k++) {
        if (count[k] < 2 || count[k] < o->rare * (double)n)
            continue;
        ++*texts;
        sum += count[k];
        squares += (double)count[k] * count[k];
    }
    if (!*texts || all > DP_ANCHOR_UNIQUE)
        return false;
    double mean = sum / (double)*texts, variance = squares / (double)*texts - mean * mean;
    return (double)covered >= o->coverage * (double)n && sum >= o->coverage * (double)n && *texts <= o->unique &&
           (variance <= 0 || sqrt(variance) / mean <= o->spread) && (*texts == 1 || !c->numeric);
}

static void selection_is_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dp_rng            g = dp_rng_seed(seed * 7919);
        dp_arena          a = {0};
        dp_str            v[MOST];
        size_t            n = random_values(&g, v, &a), unique = 0, many = 0, nc = 0;
        dp_anchor_token   t[MOST];
        dp_keyed          order[MOST];
        naive_cluster     c[1000];
        dp_anchor_options o = DP_ANCHOR_OPTIONS_INIT;
        dp_anchor_chooser fast = {.o = &o};
        o.coverage = .5 + (double)dp_rng_below(&g, 6) / 10;
        for (size_t i = 0; i < n; i++) {
            t[i] = (dp_anchor_token){.text = v[i]};
            assert_int_equal(DP_OK, dp_deep_cut(&t[i].run, v[i], &a));
            t[i].chosen = DP_NEWS(&a, t[i].run.n + 1, uint8_t);
            t[i].text_hash = DP_NEWS(&a, t[i].run.n + 1, uint64_t);
            for (uint32_t r = 0; r < t[i].run.n; r++) {
                dp_str s = run_text(&t[i], r);
                for (size_t k = 0; k < s.n; k++)
                    t[i].text_hash[r] = t[i].text_hash[r] * 131 + (unsigned char)s.p[k];
                size_t k = 0;
                while (k < nc && !is_of(&c[k], &t[i].run.v[r]))
                    k++;
                if (k == nc)
                    c[nc++] = (naive_cluster){t[i].run.v[r].left, t[i].run.v[r].right,
                                              t[i].run.v[r].unit == DP_UNIT_DIGIT};
            }
            order[i] = (dp_keyed){0, (uint32_t)i};
        }
        for (size_t k = 0; k < nc; k++) {
            size_t texts;
            bool   good = is_eligible(&c[k], t, n, &o, &texts);
            unique += good && texts == 1;
            many += good && texts > 1;
        }
        assert_int_equal(DP_OK, dp_anchor_choose(&fast, t, order, n));
        if (fast.nunique != unique || fast.nmany != many)
            fail_msg("seed %" PRIu64 ": %zu and %zu clusters, not %zu and %zu", seed, fast.nunique, fast.nmany, unique,
                     many);
        dp_anchor_chooser_done(&fast);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_keep_their_promises),
        cmocka_unit_test(selection_is_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
