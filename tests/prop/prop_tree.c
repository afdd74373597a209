/* The tree learner against the definitions: entropy, the decision tree, coverage and precision, on random small sites.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/fold.h"
#include "learn/tree/class.h"

enum { SEEDS = 600, MOST_ROWS = 4000 };

static void entropy_is_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dp_rng   g = dp_rng_seed(seed);
        uint32_t v[50], n = 1 + (uint32_t)dp_rng_below(&g, 49);
        double   bits = 0;
        for (uint32_t i = 0; i < n; i++)
            v[i] = (uint32_t)dp_rng_below(&g, 1 + seed % 12);
        for (uint32_t i = 0; i < n; i++) { /* each member adds its share of the surprise of its value */
            uint32_t same = 0;
            for (uint32_t k = 0; k < n; k++)
                same += v[k] == v[i];
            bits -= log2((double)same / n) / n;
        }
        assert_true(fabs(bits - dp_tree_entropy(v, n)) < 1e-9);
    }
}

/* ---- sites ----------------------------------------------------------------------------------------------- */

static size_t random_pages(dp_rng *g, dp_site_page *p, size_t want, dp_arena *a)
{
    for (size_t i = 0; i < want; i++) {
        char     text[200], id[24];
        uint64_t page = dp_rng_below(g, want / 3 + 1), section = page % (2 + dp_rng_below(g, 3));
        int      n;
        switch (dp_rng_below(g, 6)) {
        case 0:
            n = snprintf(text, sizeof text, "http://a.com/s%" PRIu64 "/%" PRIu64 "?sid=%" PRIu64, section, page,
                         dp_rng_below(g, 30));
            break;
        case 1:
            n = snprintf(text, sizeof text, "http://a.com/s%" PRIu64 "/%" PRIu64 "?sid=%" PRIu64 "&v=%" PRIu64, section,
                         page, dp_rng_below(g, 9), dp_rng_below(g, 3));
            break;
        case 2: n = snprintf(text, sizeof text, "http://a.com/s%" PRIu64 "/%" PRIu64 "/", section, page); break;
        case 3: n = snprintf(text, sizeof text, "http://a.com/x/S%" PRIu64 "/%" PRIu64, section, page); break;
        case 4: n = snprintf(text, sizeof text, "http://a.com/item-%" PRIu64 ".html", page); break;
        default: n = snprintf(text, sizeof text, "https://a.com/s%" PRIu64 "/%" PRIu64, section, page); break;
        }
        int m = snprintf(id, sizeof id, "%" PRIu64, dp_rng_below(g, 15) ? page : dp_rng_below(g, want));
        p[i] = (dp_site_page){dp_arena_str(a, (dp_str){text, (size_t)n}), dp_arena_str(a, (dp_str){id, (size_t)m}),
                              DP_BY_TEXT};
    }
    return want;
}

/* ---- the decision tree by brute force ----------------------------------------------------------------------- */

/* A row with all that the tree knows of it. */
typedef struct row {
    uint32_t            of, number;
    uint64_t            wild[2]; /* alone, joined */
    uint32_t            node;
} row;

typedef struct brute {
    const dp_tree_classes *c;
    row                    v[MOST_ROWS];
    size_t                 n;
    uint32_t               order[1000];
} brute;

static uint32_t cell(const brute *b, const row *r, uint32_t key)
{
    const dp_tree_class *k = &b->c->v[r->of];
    return k->cell[(size_t)r->number * k->nkey + key];
}

/* The number of the key with that id in the row's class, UINT32_MAX: none. */
static uint32_t key_of(const brute *b, const row *r, uint32_t id)
{
    const dp_tree_class *k = &b->c->v[r->of];
    for (uint32_t i = 0; i < k->nkey; i++)
        if (k->key[i].id == id)
            return i;
    return UINT32_MAX;
}

static bool is_wildable(const brute *b, const row *r, uint32_t key)
{
    const dp_tree_class *k = &b->c->v[r->of];
    uint32_t             value = cell(b, r, key);
    if (k->key[key].deep == DP_TREE_PATTERN)
        return value > DP_TREE_UNLIKE;
    return k->key[key].kind == DP_TREE_SCHEME || dp_tree_is_solid(&b->c->h->values, value);
}

/* Whether key `key` is some of a place of which any value will do. */
static bool is_moot(const brute *b, const row *r, uint32_t key, int joined)
{
    uint32_t first = b->c->v[r->of].key[key].first;
    return first != key && r->wild[joined] >> first & 1 && is_wildable(b, r, first);
}

/* Whether it fits no pattern where nearly all others do. */
static bool is_odd(const brute *b, const row *r)
{
    for (uint32_t i = 0; i < b->c->v[r->of].nkey; i++)
        if (b->c->v[r->of].key[i].deep == DP_TREE_PATTERN && cell(b, r, i) == DP_TREE_UNLIKE)
            return true;
    return false;
}

/* Distinct values of key `id` over the classes marked in `in`, by looking at every row for every row. */
static uint32_t count_values(const brute *b, uint32_t id, const uint8_t *in)
{
    uint32_t n = 0;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t key = key_of(b, &b->v[i], id);
        bool     seen = key == UINT32_MAX || !in[b->v[i].of] ||
                    !dp_tree_counts(&b->c->v[b->v[i].of].key[key], cell(b, &b->v[i], key));
        for (size_t j = 0; j < i && !seen; j++) {
            uint32_t other = key_of(b, &b->v[j], id);
            seen = other != UINT32_MAX && in[b->v[j].of] && cell(b, &b->v[j], other) == cell(b, &b->v[i], key);
        }
        n += !seen;
    }
    return n;
}

/* H(class | key) as a mean over rows of the surprise of their class among the rows with their value. */
static double rest_of(const brute *b, uint32_t id, uint32_t *distinct)
{
    double   bits = 0;
    uint32_t n = 0, classes = 0;
    uint8_t  in[1000] = {0};
    for (size_t i = 0; i < b->n; i++) {
        uint32_t key = key_of(b, &b->v[i], id), same = 0, both = 0;
        if (key == UINT32_MAX)
            continue;
        n++;
        classes += !in[b->v[i].of];
        in[b->v[i].of] = 1;
        for (size_t j = 0; j < b->n; j++) {
            uint32_t other = key_of(b, &b->v[j], id);
            if (other == UINT32_MAX || cell(b, &b->v[j], other) != cell(b, &b->v[i], key))
                continue;
            same++;
            both += b->v[j].of == b->v[i].of;
        }
        bits -= log2((double)both / same);
    }
    *distinct = count_values(b, id, in);
    if (classes == 1 && *distinct > b->c->o->wild + 1)
        *distinct = b->c->o->wild + 1; /* no more are told apart where there is nothing to tell */
    return bits / n;
}

static void order_keys(brute *b)
{
    double   rest[1000];
    uint32_t distinct[1000];
    for (uint32_t i = 0; i < b->c->nid; i++) {
        rest[i] = rest_of(b, i, &distinct[i]);
        uint32_t at = i;
        while (at > 0) {
            uint32_t k = b->order[at - 1];
            bool     tie = fabs(rest[k] - rest[i]) <= 1e-9;
            if ((!tie && rest[k] < rest[i]) || (tie && distinct[k] >= distinct[i]))
                break;
            b->order[at] = k;
            at--;
        }
        b->order[at] = i;
    }
}

/* Algorithm 5, row by row. */
static void descend(brute *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->v[i].node = b->v[i].of;
        b->v[i].wild[1] = 0;
    }
    for (uint32_t o = 0; o < b->c->nid; o++) {
        uint32_t id = b->order[o], next[MOST_ROWS], made = 0;
        struct {
            uint32_t value, node;
        } new[MOST_ROWS];
        for (size_t i = 0; i < b->n; i++) {
            uint32_t key = key_of(b, &b->v[i], id);
            uint8_t  in[1000] = {0};
            next[i] = b->v[i].node;
            if (key == UINT32_MAX)
                continue;
            for (size_t j = 0; j < b->n; j++)
                if (b->v[j].node == b->v[i].node && key_of(b, &b->v[j], id) != UINT32_MAX)
                    in[b->v[j].of] = 1;
            bool     many = count_values(b, id, in) > b->c->o->wild;
            uint32_t value = many ? UINT32_MAX : cell(b, &b->v[i], key), k = 0;
            if (many)
                b->v[i].wild[1] |= (uint64_t)1 << key;
            while (k < made && new[k].value != value)
                k++;
            if (k == made) {
                new[made].value = value;
                new[made].node = (o + 1) * MOST_ROWS + made;
                made++;
            }
            next[i] = new[k].node;
        }
        for (size_t i = 0; i < b->n; i++)
            b->v[i].node = next[i];
    }
}

static bool same_context(const brute *b, const row *x, const row *y, int joined)
{
    const dp_tree_class *k = &b->c->v[x->of], *l = &b->c->v[y->of];
    bool family = joined && k->family && k->family == l->family && !k->pooled && !l->pooled;
    if (x->of != y->of && !family)
        return false;
    if (k->nkey != l->nkey || is_odd(b, x) || is_odd(b, y))
        return false;
    for (uint32_t i = 0; i < k->nkey; i++) {
        if (is_moot(b, x, i, joined) && is_moot(b, y, i, joined))
            continue;
        bool wx = x->wild[joined] >> i & 1 && is_wildable(b, x, i);
        bool wy = y->wild[joined] >> i & 1 && is_wildable(b, y, i);
        if (wx != wy || (!wx && (cell(b, x, i) != cell(b, y, i) || k->key[i].id != l->key[i].id)))
            return false;
    }
    return true;
}

static void check_contexts(uint64_t seed, const brute *b, const dp_tree_contexts *x, uint32_t least)
{
    size_t want[2] = {0}, got[2] = {0};
    for (int joined = 0; joined < 2; joined++)
        for (size_t i = 0; i < b->n; i++) {
            uint32_t support = 0;
            bool     first = true;
            for (size_t j = 0; j < b->n; j++)
                if (same_context(b, &b->v[i], &b->v[j], joined)) {
                    support++;
                    first &= j >= i;
                }
            want[joined] += first && support >= least;
        }
    for (uint32_t i = 0; i < x->n; i++) {
        const dp_tree_context *y = &x->v[i];
        size_t                 r = 0;
        uint32_t               support = 0;
        while (b->v[r].of != y->of || b->v[r].number != y->row)
            r++;
        for (size_t j = 0; j < b->n; j++)
            support += same_context(b, &b->v[r], &b->v[j], y->joined);
        if (support != y->support)
            fail_msg("seed %" PRIu64 ": context of %u rows, not %u", seed, y->support, support);
        for (uint32_t k = 0; k < b->c->v[y->of].nkey; k++)
            if ((y->wild >> k & 1) != ((b->v[r].wild[y->joined] >> k & 1) && is_wildable(b, &b->v[r], k) &&
                                       !is_moot(b, &b->v[r], k, y->joined)))
                fail_msg("seed %" PRIu64 ": key %u of class %u: any %d", seed, k, y->of, (int)(y->wild >> k & 1));
        got[y->joined]++;
    }
    if (want[0] != got[0] || want[1] != got[1])
        fail_msg("seed %" PRIu64 ": %zu and %zu contexts, not %zu and %zu", seed, got[0], got[1], want[0], want[1]);
}

static void the_tree_is_that_of_brute_force(void **state)
{
    (void)state;
    brute *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dp_rng           g = dp_rng_seed(seed);
        dp_arena         a = {0};
        dp_site_page     page[120];
        dp_site          s;
        dp_tree_options  o = DP_TREE_OPTIONS_INIT;
        size_t           n = random_pages(&g, page, 20 + dp_rng_below(&g, 100), &a), pairs = 0;
        dp_tree_change   pair[2000];
        uint32_t         least = 1 + (uint32_t)dp_rng_below(&g, 3);
        dp_tree_host     h = {.name = DP_STR("a.com")};
        dp_tree_classes  c = {.h = &h, .o = &o, .editor = {.h = &h, .conversions = true}};
        dp_tree_contexts x = {0};
        o.wild = 1 + (uint32_t)dp_rng_below(&g, 6);
        o.forward_only = dp_rng_below(&g, 4) == 0;
        o.unlike = (double)dp_rng_below(&g, 4) / 10;
        assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), page, n, &a));
        h.site = &s;
        for (uint32_t i = 0; i < s.n; i++) {
            uint32_t number;
            assert_int_equal(DP_OK, dp_tree_host_add(&h, i, false, &number));
            assert_int_equal(i, number);
        }
        for (uint32_t i = 0; i < s.n; i++)
            for (uint32_t k = 0; k < i && pairs < 2000; k++)
                if (s.cluster[i] == s.cluster[k])
                    pair[pairs++] = (dp_tree_change){.u = i, .v = k};
        assert_int_equal(DP_OK, dp_tree_host_deepen(&h, true));
        assert_int_equal(DP_OK, dp_tree_changes_find(pair, pairs, &c.editor, &o));
        assert_int_equal(DP_OK, dp_tree_classes_make(&c, pair, pairs, DP_ALL_FOLDS));
        assert_int_equal(DP_OK, dp_tree_contexts_find(&x, &c, least));
        b->c = &c;
        b->n = 0;
        for (uint32_t i = 0; i < c.n; i++)
            for (uint32_t k = 0; c.v[i].nrow >= least && k < c.v[i].nrow; k++) {
                row *r = &b->v[b->n++];
                *r = (row){.of = i, .number = k};
                assert_true(b->n < MOST_ROWS && c.n < 1000 && c.nid < 1000);
            }
        for (size_t i = 0; i < b->n; i++)
            for (uint32_t k = 0; k < c.v[b->v[i].of].nkey; k++) {
                uint8_t in[1000] = {0};
                in[b->v[i].of] = 1;
                if (count_values(b, c.v[b->v[i].of].key[k].id, in) > o.wild)
                    b->v[i].wild[0] |= (uint64_t)1 << k;
            }
        order_keys(b);
        descend(b);
        check_contexts(seed, b, &x, least);
        free(x.v);
        dp_tree_classes_done(&c);
        dp_tree_host_done(&h);
        dp_arena_done(&a);
    }
    free(b);
}

/* ---- coverage and precision by enumeration ---------------------------------------------------------------------- */

static void keep_text(void *ctx, uint32_t rule, dp_str text)
{
    dp_buf *b = ctx;
    (void)rule;
    dp_buf_reset(b);
    dp_buf_str(b, text);
}

/* What the learner has left of a rule is what becomes of each URL: to[i] where moved[i]. */
static void check_deed(uint64_t seed, const dp_effect *d, const bool *moved, const dp_str *to, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        left += moved[i];
    if (d->n != left)
        fail_msg("seed %" PRIu64 ": %zu firings, not %zu", seed, d->n, left);
    for (size_t i = 0; i < d->n; i++)
        assert_true(moved[d->v[i].item] && d->v[i].key == dp_hash_str(to[d->v[i].item]));
}

static void check_proposal(uint64_t seed, const dp_site *s, const dp_proposal *p, const dp_effect *d, dp_arena *a)
{
    dp_rules   *r;
    dp_engine  *e;
    dp_scratch *scratch;
    dp_error    err;
    dp_buf      file = {0}, made = {0};
    dp_str     *to = DP_NEWS(a, s->n, dp_str);
    double      covered = 0, wrong = 0;
    dp_buf_printf(&file, "dustpan-rules 1\nhost %.*s\n%.*s\n", DP_FMT(p->hosts), DP_FMT(p->text));
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "x", file.p, file.n, &err) || dp_engine_new(&e, r, 0, 0, &err))
        fail_msg("seed %" PRIu64 ": %.*s: %s", seed, DP_FMT(p->text), err.message);
    assert_int_equal(DP_OK, dp_scratch_new(&scratch));
    bool *moved = DP_NEWS(a, s->n, bool);
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_reset(&made);
        dp_engine_each(e, scratch, s->url[i], keep_text, &made);
        moved[i] = made.n > 0;
        to[i] = moved[i] ? dp_arena_str(a, dp_buf_view(&made)) : s->url[i];
    }
    if (d)
        check_deed(seed, d, moved, to, s->n);
    for (size_t i = 0; i < s->n; i++) {
        double bad = 0, others = 0;
        bool   is_url = false;
        for (size_t k = 0; k < s->n && moved[i]; k++) {
            bool differs = s->cluster[k] != s->cluster[i];
            if (dp_str_eq(s->url[k], to[i])) { /* the pair (u, r(u)) */
                is_url = true;
                wrong += differs;
            } else if (k != i && dp_str_eq(to[k], to[i])) {
                others++;
                bad += differs;
            }
        }
        covered += moved[i];
        wrong += !is_url && others > 0 ? bad / others : 0;
    }
    if (fabs(p->p - (covered - wrong) / covered) > 1e-12)
        fail_msg("seed %" PRIu64 ": %.*s: %g, not 1 - %g / %g", seed, DP_FMT(p->text), p->p, wrong, covered);
    assert_true(covered >= 5 || !p->passes);
    dp_buf_done(&file);
    dp_buf_done(&made);
    dp_scratch_free(scratch);
    dp_engine_free(e);
    dp_rules_free(r);
}

static void precision_is_what_enumeration_finds(void **state)
{
    (void)state;
    size_t tried = 0, effects = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        static const char *const odd[] = {"http://u@a.com/s1/2", "http://a.com:81/s1/2"};
        dp_effects       d = {0};
        dp_rng           g = dp_rng_seed(seed + 1000);
        dp_arena         a = {0};
        dp_site_page     page[400];
        dp_site          s;
        dp_proposals     p = {0};
        dp_tree_options  o = DP_TREE_OPTIONS_INIT;
        dp_learn_context ctx = {.min_precision = .5, .folds = DP_ALL_FOLDS};
        size_t           n = random_pages(&g, page, 100 + dp_rng_below(&g, 300), &a);
        o.coverage = 5;
        o.wild = 2 + (uint32_t)dp_rng_below(&g, 9);
        ctx.accept = dp_rng_below(&g, 2) ? DP_ACCEPT_PAPER : DP_ACCEPT_JUDGE;
        ctx.effects = &d;
        if (seed % 5 < 2) /* a block of a.com is for this, too, which the learner does not see: then nothing is left */
            page[0].url = dp_str_c(odd[seed % 5]);
        assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), page, n, &a));
        assert_int_equal(DP_OK, dp_method_tree.learn(&p, &s, &o, &ctx, &a));
        for (size_t i = 0; i < p.n && seed % 5 >= 2; i++, tried++)
            check_proposal(seed, &s, &p.v[i], dp_effects_find(&d, &p.v[i]), &a);
        assert_true(seed % 5 < 2 ? d.n == 0 : p.n == 0 || d.n > 0);
        effects += d.n;
        dp_effects_done(&d);
        dp_proposals_done(&p);
        dp_arena_done(&a);
    }
    assert_true(tried > 100 && effects > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropy_is_the_definition),
        cmocka_unit_test(the_tree_is_that_of_brute_force),
        cmocka_unit_test(precision_is_what_enumeration_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
