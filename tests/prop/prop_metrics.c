/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "eval/evaluate.h"

/* Property: metrics out of groups are those of looking at every pair of URLs, and of a crawl that
 * walks through them. */

enum { MOST = 120 };

typedef struct world {
    uint32_t n, cluster[MOST], host[MOST];
    uint64_t key[MOST];
    bool     in[MOST]; /* counts */
} world;

/* Every pair; and every URL in order. */
static dp_score brute_force(const world *w)
{
    dp_tally t = {0};
    bool     covered[MOST] = {false}, there[MOST] = {false};
    for (uint32_t i = 0; i < w->n; i++) {
        bool fetched = true, good = false;
        if (!w->in[i])
            continue;
        for (uint32_t j = 0; j < i; j++) {
            bool same_key = w->in[j] && w->key[i] == w->key[j];
            fetched &= !same_key;
            good |= same_key && w->cluster[i] == w->cluster[j];
        }
        t.urls++;
        t.clusters += !there[w->cluster[i]];
        there[w->cluster[i]] = true;
        t.groups += fetched;
        t.covered += fetched && !covered[w->cluster[i]];
        covered[w->cluster[i]] |= fetched;
        t.good += good;
        t.bad += !good && !fetched;
    }
    return dp_score_of(&t);
}

/* The way of eval/evaluate.c: members, sorted, added up. */
static dp_score score_of(const dp_eval *v, const uint64_t *key)
{
    dp_member m[MOST];
    dp_stamps stamps = {0};
    dp_maps_members(&v->maps, m, key, &v->truth, false);
    assert_int_equal(DP_OK, dp_stamps_init(&stamps, v->truth.clusters.n));
    dp_tally tally = dp_groups_tally(m, v->truth.n, v->truth.cluster, &stamps);
    dp_stamps_done(&stamps);
    return dp_score_of(&tally);
}

static void metrics_equal_brute_force(void **state)
{
    (void)state;
    dp_eval *v = calloc(1, sizeof *v);
    assert_non_null(v);
    uint64_t lost = 0, bad = 0, good = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        dp_rng    r = dp_rng_seed(seed);
        world     w = {0};
        dp_truth *t = &v->truth;
        uint64_t  clusters = 1 + dp_rng_below(&r, MOST), keys = 1 + dp_rng_below(&r, MOST);
        uint64_t  hosts = 1 + dp_rng_below(&r, 5);
        for (uint64_t n = dp_rng_below(&r, MOST + 1); w.n < n; w.n++) {
            char url[64], label[32], host[32];
            bool fresh;
            w.host[w.n] = (uint32_t)dp_rng_below(&r, hosts);
            w.cluster[w.n] = (uint32_t)dp_rng_below(&r, clusters);
            w.key[w.n] = dp_rng_below(&r, keys) * 0x9E3779B97F4A7C15u;
            w.in[w.n] = true;
            snprintf(host, sizeof host, "h%" PRIu32 ".com", w.host[w.n]);
            snprintf(url, sizeof url, "http://%s/%" PRIu32, host, w.n);
            snprintf(label, sizeof label, "c%" PRIu32, w.cluster[w.n]);
            const dp_says says = {.name = dp_str_c(label)};
            assert_int_equal(DP_OK, dp_truth_add(t, dp_str_c(url), dp_str_c(host), &says, &fresh));
            assert_true(fresh);
        }
        dp_score want = brute_force(&w), got = score_of(v, w.key);
        if (memcmp(&want, &got, sizeof got) != 0)
            fail_msg("seed %" PRIu64, seed);
        assert_int_equal(want.good + want.bad, want.urls - want.fetched);
        lost += want.lost;
        bad += want.bad;
        good += want.good;

        /* each host alone */
        dp_score by_host[8];
        assert_int_equal(DP_OK, dp_eval_hosts(by_host, v, w.key));
        for (uint32_t h = 0; h < t->nhost; h++) {
            for (uint32_t i = 0; i < w.n; i++)
                w.in[i] = t->host[i] == h;
            want = brute_force(&w);
            assert_memory_equal(&want, &by_host[h], sizeof want);
        }
        dp_truth_done(t);
        *t = (dp_truth){0};
    }
    free(v);
    print_message("%" PRIu64 " good and %" PRIu64 " bad merges, %" PRIu64 " lost clusters\n", good, bad, lost);
    assert_true(lost > 1000 && bad > 1000 && good > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_equal_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
