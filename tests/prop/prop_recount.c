/* Property: what learn/recount/recount.h counts in any number of parts is what a twin counts that looks at every pair
 * of URLs and at every text on their ways.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/recount/recount.h"

static const char *const rules[] = {
    "drop ?s", "drop ?p if =1", "/{**}/i => /{**}/", "/a/{**} => /b/{**}", "/c/{y} => /{y}", "fold case path",
};

enum { URLS = 50, RULES = DP_COUNT(rules), STEPS = 8, WORLDS = 400, PARTS = 7, TEXT = 96 };

/* A URL on its way: text[0] is itself, rule[k] made text[k]. */
typedef struct way {
    char     text[STEPS][TEXT];
    uint32_t rule[STEPS], steps; /* steps: firings */
    uint32_t cluster;
} way;

typedef struct world {
    way             v[URLS]; /* [n] by text */
    size_t          n;
    dp_recount      sum;
    dp_site_sample *draw;
} world;

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

static bool follow(void *ctx, uint32_t rule, dp_str text)
{
    way *w = ctx;
    assert_true(w->steps + 1 < STEPS && text.n < TEXT);
    w->steps++;
    w->rule[w->steps] = rule;
    memcpy(w->text[w->steps], text.p, text.n);
    w->text[w->steps][text.n] = 0;
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const way *)a)->text[0], ((const way *)b)->text[0]);
}

static void draw_urls(world *w, dp_rng *r)
{
    static const char *const seg[] = {"a", "b", "i", "A", "c", "B"};
    static const char *const par[] = {"", "?s=1", "?s=2", "?p=1", "?p=2", "?p=1&s=1"};
    w->n = 0;
    for (size_t i = 0; i < URLS; i++) {
        way *u = &w->v[w->n];
        *u = (way){.cluster = (uint32_t)dp_rng_below(r, 12)};
        snprintf(u->text[0], TEXT, "http://a.com/%s/%s%s", seg[dp_rng_below(r, DP_COUNT(seg))],
                 seg[dp_rng_below(r, DP_COUNT(seg))], par[dp_rng_below(r, DP_COUNT(par))]);
        bool again = false;
        for (size_t k = 0; k < w->n; k++)
            again |= strcmp(w->v[k].text[0], u->text[0]) == 0;
        w->n += !again;
    }
    qsort(w->v, w->n, sizeof *w->v, by_text);
}

static void make_world(world *w, dp_rng *r, unsigned parts)
{
    char file[1024];
    int  at = snprintf(file, sizeof file, "host a.com\n");
    for (size_t i = 0; i < RULES; i++) {
        if (dp_rng_below(r, 3))
            at += snprintf(file + at, sizeof file - (size_t)at, "%s [p=.9 n=1 neg=0]\n", rules[i]);
    }
    w->draw = dp_site_sample_make(100, 10);
    assert_non_null(w->draw);
    assert_int_equal(DP_OK, dp_site_sample_turn(w->draw));
    assert_int_equal(DP_OK, dp_site_sample_turn(w->draw)); /* of nothing: all bins are taken */
    assert_int_equal(DP_OK, dp_recount_init(&w->sum, (dp_str){file, (size_t)at}, w->draw, parts));
    draw_urls(w, r);
    for (size_t i = 0; i < w->n; i++) {
        dp_str url = dp_str_c(w->v[i].text[0]);
        assert_non_null(dp_engine_run(&w->sum.program.engine, w->sum.scratch, DP_KEY, url, follow, &w->v[i]).p);
    }
}

/* ---- the twin ------------------------------------------------------------------------------------------- */

static const char *key_of(const way *u)
{
    return u->text[u->steps];
}

/* The first step at which the way of `u` meets one of another cluster; *who is one that comes there, too, moved if
 * any is. STEPS: it meets none. */
static uint32_t meets(const world *w, const way *u, const way **who, uint32_t *at)
{
    for (uint32_t k = 0; k <= u->steps; k++) {
        bool met = false;
        *who = NULL;
        for (size_t i = 0; i < w->n; i++) {
            for (uint32_t m = 0; m <= w->v[i].steps; m++) {
                if (strcmp(w->v[i].text[m], u->text[k]) != 0)
                    continue;
                met |= w->v[i].cluster != u->cluster;
                if (m && !*who) {
                    *who = &w->v[i];
                    *at = m;
                }
            }
        }
        if (met)
            return k;
    }
    return STEPS;
}

static uint32_t guilty_of(const world *w, const size_t *in, size_t n, uint32_t cluster)
{
    uint32_t best = STEPS, rule = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        const way *u = &w->v[in[i]], *who;
        uint32_t   at = 0, step = u->cluster == cluster ? meets(w, u, &who, &at) : STEPS;
        if (step >= best)
            continue;
        best = step;
        rule = step ? u->rule[step] : who->rule[at];
    }
    return rule;
}

static void count_group(const world *w, const size_t *in, size_t n, dp_recounted *out)
{
    size_t most = 0, kept = SIZE_MAX;
    bool   pro[RULES] = {false}, con[RULES] = {false};
    uint32_t main = 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = 0;
        for (size_t k = 0; k < n; k++)
            size += w->v[in[k]].cluster == w->v[in[i]].cluster;
        if (size > most) {
            most = size;
            main = w->v[in[i]].cluster;
        }
    }
    for (int moved = 0; moved < 2 && kept == SIZE_MAX; moved++) {
        for (size_t i = n; i--;)
            kept = w->v[in[i]].cluster == main && (moved || !w->v[in[i]].steps) ? in[i] : kept;
    }
    for (size_t i = 0; i < n; i++) {
        const way *u = &w->v[in[i]];
        bool       seen[RULES] = {false};
        for (uint32_t k = 1; k <= u->steps && u->cluster == main; k++) {
            if (!seen[u->rule[k]]) {
                out[u->rule[k]].good++;
                out[u->rule[k]].save += in[i] != kept && k == 1;
                pro[u->rule[k]] = most > 1;
            }
            seen[u->rule[k]] = true;
        }
    }
    for (uint32_t c = 0; c < 12; c++) {
        uint32_t rule = c == main ? UINT32_MAX : guilty_of(w, in, n, c);
        if (rule != UINT32_MAX) {
            out[rule].wrong++;
            con[rule] = true;
        }
    }
    for (size_t i = 0; i < RULES; i++) {
        out[i].against += con[i];
        out[i].votes += pro[i] && !con[i];
    }
}

static void count_all(const world *w, dp_recounted *out)
{
    bool done[URLS] = {false};
    for (size_t i = 0; i < w->n; i++) {
        size_t in[URLS], n = 0;
        for (size_t k = i; k < w->n && !done[i]; k++) {
            if (strcmp(key_of(&w->v[k]), key_of(&w->v[i])) == 0) {
                in[n++] = k;
                done[k] = k != i;
            }
        }
        if (n > 1)
            count_group(w, in, n, out);
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void count_parts(world *w, unsigned parts)
{
    for (unsigned part = 0; part < parts; part++) {
        dp_corpus c = {0};
        for (size_t i = 0; i < w->n; i++) {
            dp_fact  f = {.has = DP_FACT_CLUSTER, .url = dp_str_c(w->v[i].text[0]), .cluster = w->v[i].cluster + 100};
            unsigned of[2];
            f.host = dp_fact_host(f.url);
            assert_int_equal(DP_OK, dp_recount_places(&w->sum, w->sum.scratch, &f, of));
            if (of[0] == part)
                assert_int_equal(DP_OK, dp_corpus_take(&c, &f));
        }
        if (c.n) {
            assert_int_equal(DP_OK, dp_corpus_label(&c));
            assert_int_equal(DP_OK, dp_recount_add_part(&w->sum, &c, part, ~0u, NULL));
        }
        dp_corpus_done(&c);
    }
}

static void parts_count_what_the_twin_counts(void **state)
{
    static world w;
    (void)state;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        dp_rng   r = dp_rng_seed(seed);
        unsigned parts = (unsigned)dp_rng_below(&r, PARTS) + 1;
        dp_recounted want[RULES] = {{0}};
        make_world(&w, &r, parts);
        count_parts(&w, parts);
        count_all(&w, want);
        assert_int_equal(w.n, w.sum.urls);
        for (size_t i = 0; i < w.sum.n; i++) {
            const dp_recounted *found = &w.sum.sum[i], *sample = &w.sum.sum[DP_COUNT_ACTIVE_SAMPLE * w.sum.n + i];
            if (found->votes != want[i].votes || found->against != want[i].against || found->wrong != want[i].wrong ||
                found->good != want[i].good || found->save != want[i].save ||
                memcmp(found, sample, sizeof *found) != 0)
                fail_msg("seed %" PRIu64 ", %u parts, rule %zu: votes %" PRIu64 " against %" PRIu64 " wrong %" PRIu64
                         " good %" PRIu64 " save %" PRIu64 ", the twin says %" PRIu64 " %" PRIu64 " %" PRIu64
                         " %" PRIu64 " %" PRIu64, seed, parts, i, found->votes, found->against, found->wrong,
                         found->good, found->save, want[i].votes, want[i].against, want[i].wrong, want[i].good,
                         want[i].save);
        }
        dp_recount_done(&w.sum);
        dp_site_sample_free(w.draw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_count_what_the_twin_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
