/* The rules of learn/rewrite/rewrite.h, with their counts, equal those of KDD 2008 taken literally
 * (support/naive_rewrite.h): all pairs, all rules compared with each other, entropy by definition, support and false
 * positives by enumeration. DP_TWIN_SETS: how many random sites.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/fold.h"
#include "learn/rewrite/oracle.h"
#include "learn/rewrite/rounds.h"
#include "support/naive_rewrite.h"

/* ---- random sites ---------------------------------------------------------------------------------------- */

static const char *pick(dp_rng *g, const char *const *words, size_t n)
{
    return words[dp_rng_below(g, n)];
}

#define PICK(g, words) pick(g, words, DP_COUNT(words))

/* Few words, so that URLs are equal but for one key, values are repeated under other keys, and parts are empty. */
static dp_str random_url(dp_rng *g, dp_arena *a)
{
    static const char *const hosts[] = {"http://a.com", "http://a.com", "http://www.a.com", "https://a.com:81"};
    static const char *const segments[] = {"a", "b", "c", "x", "1", "", "a;s=x", "b;s"};
    static const char *const names[] = {"p", "p", "q", "sid"};
    static const char *const values[] = {"=1", "=2", "=3", "=x", "=a", "=", ""};
    dp_buf                   b = {0};
    dp_buf_c(&b, PICK(g, hosts));
    for (size_t n = 1 + dp_rng_below(g, 2); n; n--)
        dp_buf_printf(&b, "/%s", PICK(g, segments));
    for (size_t i = 0, n = dp_rng_below(g, 3); i < n; i++)
        dp_buf_printf(&b, "%c%s%s", i ? '&' : '?', PICK(g, names), PICK(g, values));
    dp_str s = dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return s;
}

/* Sites as they are: pages with an id under several forms, and sessions. */
static dp_str planted_url(dp_rng *g, uint64_t page, dp_arena *a)
{
    dp_buf   b = {0};
    unsigned id = (unsigned)page, x = (unsigned)dp_rng_below(g, 4);
    switch (dp_rng_below(g, 6)) {
    case 0: dp_buf_printf(&b, "http://a.com/show?id=%u", id); break;
    case 1: dp_buf_printf(&b, "http://a.com/show?id=%u&sid=s%u", id, x); break;
    case 2: dp_buf_printf(&b, "http://a.com/show?sid=s%u&id=%u", x, id); break;
    case 3: dp_buf_printf(&b, "http://a.com/s%u/%u", x, id); break;
    case 4: dp_buf_printf(&b, "http://www.a.com/s%u/%u", x, id); break;
    default: dp_buf_printf(&b, "http://a.com/show/%u;sid=s%u", id, x);
    }
    dp_str s = dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return s;
}

static void random_site(dp_site *s, dp_rng *g, dp_arena *a)
{
    size_t        n = 2 + dp_rng_below(g, 24), clusters = 1 + dp_rng_below(g, 5);
    bool          planted = dp_rng_below(g, 2);
    dp_site_page *page = DP_NEWS(a, n, dp_site_page);
    for (size_t i = 0; i < n; i++) {
        uint64_t cluster = dp_rng_below(g, clusters);
        char    *id = dp_arena_alloc(a, 8);
        page[i].url = planted ? planted_url(g, cluster, a) : random_url(g, a);
        page[i].cluster = (dp_str){id, (size_t)snprintf(id, 8, "%u", (unsigned)cluster)};
        page[i].by = DP_BY_TEXT;
        if (dp_rng_below(g, 20) == 0)
            page[i].cluster.n = 0;
    }
    assert_int_equal(DP_OK, dp_site_make(s, DP_STR("a.com"), page, n, a));
}

/* ---- our side ------------------------------------------------------------------------------------------------ */

typedef struct ours {
    dp_book             book;
    dp_rw_train         train;
    dp_rw_index         index;
    dp_rw_rules         rules, later;
    dp_rewrite_options  o;
} ours;

static void spell_key(dp_buf *b, const dp_book_key *k)
{
    if (k->kind == DP_K_PAIR)
        dp_buf_printf(b, "~?%.*s#%u", DP_FMT(k->name), k->nth);
    else if (k->kind == DP_K_PARAM)
        dp_buf_printf(b, "p%02u;%.*s#%u", k->x, DP_FMT(k->name), k->nth);
    else
        dp_buf_printf(b, "k%02u", k->x);
}

static void spell_value(dp_buf *b, const dp_book *book, uint32_t v)
{
    static const char *const odd[] = {"", "-", "e", "*"};
    if (v & DP_V_REF) {
        dp_buf_c(b, "@");
        spell_key(b, &book->key[v & ~DP_V_REF]);
    } else if (v < DP_V_FIRST) {
        dp_buf_c(b, odd[v]);
    } else {
        dp_buf_printf(b, "=%.*s", DP_FMT(book->value[v]));
    }
}

static int by_text(const void *x, const void *y)
{
    return strcmp(((const naive_rule *)x)->text, ((const naive_rule *)y)->text);
}

static int by_rank(const void *l, const void *r, void *keys)
{
    const dp_book_key *k = keys;
    uint32_t x = k[((const dp_rw_part *)l)->key].rank, y = k[((const dp_rw_part *)r)->key].rank;
    return (x > y) - (x < y);
}

static naive_rules learn(ours *w, const dp_site *s, uint32_t folds, dp_arena *a)
{
    w->rules.most = w->later.most = 1000000;
    dp_rw_oracle oracle = {.index = &w->index, .options = &w->o};
    dp_rw_maker  m = {.book = &w->book, .options = &w->o, .rules = &w->rules, .later = &w->later,
                      .estimate = dp_rw_oracle_lets, .self = &oracle};
    assert_int_equal(DP_OK, dp_book_read(&w->book, s, a));
    assert_int_equal(DP_OK, dp_rw_index_init(&w->index, &w->book, s, folds, a));
    assert_int_equal(DP_OK, dp_rw_train_init(&w->train, &w->book, s, folds, a));
    assert_int_equal(DP_OK, dp_rw_first(&m, &w->train));
    assert_int_equal(DP_OK, dp_rw_rounds(&m));
    assert_int_equal(DP_OK, oracle.error);
    dp_rw_oracle_done(&oracle);
    uint32_t    *which = DP_NEWS(a, w->rules.n, uint32_t);
    dp_rw_count *count = DP_NEWS(a, w->rules.n, dp_rw_count);
    naive_rules  out = {calloc(w->rules.n + 1u, sizeof *out.v), w->rules.n};
    for (uint32_t i = 0; i < w->rules.n; i++)
        which[i] = i;
    assert_int_equal(DP_OK, dp_rw_support(count, &w->index, &w->rules, which, w->rules.n, NULL));
    for (uint32_t i = 0; i < w->rules.n; i++) {
        dp_buf            b = {0};
        const dp_rw_rule *r = &w->rules.v[i];
        qsort_r(w->rules.part + r->at, r->n, sizeof *w->rules.part, by_rank, w->book.key);
        for (uint32_t j = 0; j < r->n; j++) {
            const dp_rw_part *p = &w->rules.part[r->at + j];
            spell_key(&b, &w->book.key[p->key]);
            dp_buf_c(&b, " ");
            spell_value(&b, &w->book, p->c);
            dp_buf_c(&b, " ");
            spell_value(&b, &w->book, p->a);
            dp_buf_c(&b, "|");
        }
        dp_buf_byte(&b, 0);
        out.v[i] = (naive_rule){b.p, count[i].matched, count[i].explained, count[i].support, count[i].wrong};
    }
    qsort(out.v, out.n, sizeof *out.v, by_text);
    dp_rw_index_done(&w->index);
    dp_rw_rules_done(&w->rules);
    dp_rw_rules_done(&w->later);
    return out;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static void compare(uint64_t seed, const naive_rules *got, const naive_rules *want)
{
    for (size_t i = 0; i < got->n || i < want->n; i++) {
        int order = i == got->n ? 1 : i == want->n ? -1 : strcmp(got->v[i].text, want->v[i].text);
        if (order)
            fail_msg("seed %" PRIu64 ": %s %s", seed, order < 0 ? "made up" : "missed",
                     order < 0 ? got->v[i].text : want->v[i].text);
        const naive_rule *x = &got->v[i], *y = &want->v[i];
        if (x->matched != y->matched || x->explained != y->explained || x->support != y->support ||
            x->wrong != y->wrong)
            fail_msg("seed %" PRIu64 ": %s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 ", not %" PRIu64 " %" PRIu64
                     " %" PRIu64 " %" PRIu64, seed, x->text, x->matched, x->explained, x->support, x->wrong,
                     y->matched, y->explained, y->support, y->wrong);
    }
}

static void rules_equal_the_papers(void **state)
{
    (void)state;
    const char *sets = getenv("DP_TWIN_SETS");
    uint64_t    n = sets ? strtoull(sets, NULL, 10) : 300, rules = 0, some = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        dp_rng   g = dp_rng_seed(seed);
        dp_arena a = {0};
        dp_site  s;
        ours     w = {.o = DP_REWRITE_OPTIONS_INIT};
        random_site(&s, &g, &a);
        w.o.filter = (dp_rewrite_filter)dp_rng_below(&g, 4);
        w.o.fan_out = 2 + (uint32_t)dp_rng_below(&g, 3);
        w.o.min_entropy = .5 + .1 * (double)dp_rng_below(&g, 6);
        w.o.max_fpr = .1 * (double)(1 + dp_rng_below(&g, 5));
        uint32_t    folds = dp_rng_below(&g, 3) ? DP_ALL_FOLDS : (uint32_t)dp_rng_below(&g, DP_ALL_FOLDS);
        naive_rules got = learn(&w, &s, folds, &a), want = naive_rewrite(&s, &w.o, folds);
        compare(seed, &got, &want);
        rules += want.n;
        some += want.n > 0;
        naive_rewrite_done(&got);
        naive_rewrite_done(&want);
        dp_arena_done(&a);
    }
    print_message("%" PRIu64 " sites, %" PRIu64 " with rules, %" PRIu64 " rules\n", n, some, rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_equal_the_papers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
