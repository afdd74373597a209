/* learn/run/certify: who votes has no say in the rules; votes are those that counting by hand gives; what is not proven
 * is only likely.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "learn/accept/judge_each.h"
#include "learn/accept/program.h"
#include "learn/run/certify.h"
#include "support/failing_alloc.h"

enum { PAGES = 1400, TRAPS = 40, MOST = 2 * PAGES + 2 * TRAPS };

/* Folds, as bits. */
typedef struct parts {
    uint32_t teach, first, second;
} parts;

static const parts halves = {0x01f, 0x060, 0x380}, fifths = {0x0ff, 0x100, 0x200};

/* Pages with and without a session; of `traps` more URLs with one, each is a page of its own beside a page that has
 * none. In fold `fold` all traps. */
static void make_site(dp_site *out, unsigned traps, unsigned fold, dp_arena *a)
{
    static dp_site_page page[MOST];
    size_t              n = 0;
    char                url[80], id[16];
    for (unsigned i = 0; i < PAGES + 2 * traps; i++) {
        bool is_trap = i >= PAGES;
        for (unsigned k = 0; k < (is_trap ? 1 : 2); k++) {
            if (is_trap)
                snprintf(url, sizeof url, i % 2 ? "http://a.test/p/%u?sid=%u" : "http://a.test/p/%u", 9000 + i / 2, i);
            else
                snprintf(url, sizeof url, k ? "http://a.test/p/%u?sid=%u" : "http://a.test/p/%u", i, i * 7);
            snprintf(id, sizeof id, "p%u", i);
            page[n++] = (dp_site_page){dp_arena_str(a, dp_str_c(url)), dp_arena_str(a, dp_str_c(id)), DP_BY_TEXT};
        }
    }
    assert_int_equal(DP_OK, dp_site_make(out, DP_STR("a.test"), page, n, a));
    uint8_t *of = DP_NEWS(a, out->nclusters + 1, uint8_t);
    assert_non_null(of);
    for (size_t u = 0; u < out->n; u++) {
        bool is_trap = dp_str_starts(out->url[u], DP_STR("http://a.test/p/9")) && out->size[out->cluster[u]] == 1;
        bool votes = is_trap && memchr(out->url[u].p, '?', out->url[u].n);
        of[out->cluster[u]] = (uint8_t)(votes ? fold : is_trap ? 5 : out->cluster[u] % DP_FOLDS);
    }
    out->fold = of;
}

static dp_learn_how how_of(double precision)
{
    const dp_method *m = dp_methods[0];
    return (dp_learn_how){.method = m, .options = m->options_init,
                         .ctx = {.min_precision = precision, .seed = 1, .trust = DP_TRUST_ALWAYS},
                         .trust = DP_TRUST_ALWAYS, .confidence = .95};
}

static bool in(const dp_site *s, uint32_t c, uint32_t folds)
{
    return folds >> s->fold[c] & 1;
}

/* Votes on the active rules of `text`, every URL against every other. */
static void count_by_hand(uint64_t out[2], const dp_site *s, dp_str text, parts p)
{
    dp_program  g = {0};
    dp_scratch *scratch = NULL;
    dp_arena    a = {0};
    assert_int_equal(DP_OK, dp_program_read(&g, text));
    assert_int_equal(DP_OK, dp_scratch_new(&scratch));
    dp_str  *key = DP_NEWS(&a, s->n, dp_str);
    uint8_t *bad = DP_NEWS(&a, s->nclusters, uint8_t), *good = DP_NEWS(&a, s->nclusters, uint8_t);
    for (size_t u = 0; u < s->n; u++)
        key[u] = dp_arena_str(&a, dp_engine_run(&g.engine, scratch, DP_KEY, s->url[u], NULL, NULL));
    for (size_t u = 0; u < s->n; u++) {
        for (size_t v = 0; v < s->n; v++) {
            uint32_t c = s->cluster[u], d = s->cluster[v];
            if (u == v || !dp_str_eq(key[u], key[v]))
                continue;
            good[c] |= c == d;
            bad[c] |= (in(s, c, p.first) && in(s, d, p.teach)) || (in(s, c, p.second) && in(s, d, p.teach | p.first));
        }
    }
    out[0] = out[1] = 0;
    for (uint32_t c = 0; c < s->nclusters; c++) {
        out[0] += in(s, c, p.first | p.second) && good[c] && !bad[c];
        out[1] += in(s, c, p.first | p.second) && bad[c];
    }
    dp_scratch_free(scratch);
    dp_program_done(&g);
    dp_arena_done(&a);
}

static void proves_what_holds(void **state)
{
    dp_arena     a = {0};
    dp_site      s;
    dp_learned   l = {0};
    dp_learn_how t = how_of(.99);
    uint64_t     votes[2];
    (void)state;
    make_site(&s, 0, 0, &a);
    assert_int_equal(DP_OK, dp_certify_site(&l, &s, &t, false));
    count_by_hand(votes, &s, dp_buf_view(&l.text), halves);
    assert_int_equal(1, l.certified);
    assert_int_equal(PAGES / 2, l.cert_good);
    assert_int_equal(votes[0], l.cert_good);
    assert_int_equal(0, l.cert_bad);
    assert_int_equal(PAGES / 2, l.cert_pool);
    assert_int_equal(PAGES, l.clusters);
    assert_int_equal(2 * PAGES, l.labelled);
    assert_true(l.active > 0 && l.likely == 0);
    assert_non_null(memmem(l.text.p, l.text.n, "host a.test [cert=.99/.95 n=700 pool=700]\n", 42));
    dp_learned_done(&l);
    dp_arena_done(&a);
}

/* The rules are those that the pages would make that teach, whatever the others say. At .99 half of the pages vote, and
 * the traps run into pages of the first part, which only the second part is tried against; at .8 a fifth is enough. */
static void who_votes_refuses_what_does_not_hold(void **state)
{
    dp_arena     a = {0};
    dp_site      s;
    dp_learned   l = {0};
    dp_learn_how strict = how_of(.99), lenient = how_of(.8);
    uint64_t     votes[2];
    (void)state;
    make_site(&s, TRAPS, 8, &a);
    assert_int_equal(DP_OK, dp_certify_site(&l, &s, &strict, false));
    assert_int_equal(0, l.certified);
    assert_int_equal(TRAPS, l.cert_bad);
    assert_true(l.cert_missing > 1000);
    assert_int_equal(0, l.active);
    assert_true(l.likely > 0);
    assert_null(memmem(l.text.p, l.text.n, "cert=", 5));
    dp_learned_done(&l);
    assert_int_equal(DP_OK, dp_certify_site(&l, &s, &lenient, false));
    count_by_hand(votes, &s, dp_buf_view(&l.text), fifths);
    assert_int_equal(1, l.certified);
    assert_int_equal(TRAPS, l.cert_bad);
    assert_int_equal(votes[1], l.cert_bad);
    assert_int_equal(votes[0], l.cert_good);
    assert_non_null(memmem(l.text.p, l.text.n, "[cert=.8/.95 n=280 neg=40 pool=1160]", 36));
    dp_learned_done(&l);
    dp_arena_done(&a);
}

static void survives_failing_allocation(void **state)
{
    dp_arena     a = {0};
    dp_site      s;
    dp_learn_how t = how_of(.99);
    (void)state;
    make_site(&s, 0, 0, &a);
    bool failed = true;
    for (size_t n = 1; failed; n += 1 + n / 4) {
        dp_learned l = {0};
        dp_alloc_fail_at(n);
        dp_err code = dp_certify_site(&l, &s, &t, false);
        failed = dp_alloc_failed();
        dp_alloc_disarm();
        assert_int_equal(failed ? DP_ENOMEM : DP_OK, code);
        dp_learned_done(&l);
    }
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proves_what_holds),
        cmocka_unit_test(who_votes_refuses_what_does_not_hold),
        cmocka_unit_test(survives_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
