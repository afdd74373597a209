/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "judge/groups.h"
#include "judge/loss.h"
#include "support/failing_alloc.h"

static int by_all(const void *pa, const void *pb)
{
    const dp_member *a = pa, *b = pb;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static void sorts_as_qsort_does(void **state)
{
    (void)state;
    static dp_member a[5000], b[5000];
    dp_rng           r = dp_rng_seed(1);
    for (int round = 0; round < 60; round++) {
        size_t   n = dp_rng_below(&r, round < 30 ? 60 : DP_COUNT(a));
        uint64_t keys = round % 3 == 0 ? 1 : round % 3 == 1 ? 50 : UINT64_MAX;
        for (size_t i = 0; i < n; i++)
            b[i] = a[i] = (dp_member){dp_rng_below(&r, keys), (uint32_t)dp_rng_below(&r, round % 4 ? 1 : 4000000000u),
                                      (uint32_t)dp_rng_next(&r)};
        dp_members_sort(a, n);
        qsort(b, n, sizeof *b, by_all);
        assert_memory_equal(a, b, n * sizeof *a);
    }
}

/* Tags of a few large groups and many small ones, as rules have, and keys that are hashes. */
static void sorts_the_same_on_threads(void **state)
{
    (void)state;
    enum { N = 200000 };
    dp_member *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    dp_rng     r = dp_rng_seed(2);
    dp_pool   *pool;
    assert_int_equal(DP_OK, dp_pool_new(&pool, 3));
    for (int tags = 0; tags < 3; tags++) {
        for (uint32_t i = 0; i < N; i++)
            a[i] = b[i] = (dp_member){tags == 2 ? 7 : dp_rng_next(&r), tags && dp_rng_below(&r, 5) == 0 ? i % 70000 : 0,
                                      i % 1000};
        dp_members_sort_on(pool, a, N);
        qsort(b, N, sizeof *b, by_all);
        assert_memory_equal(a, b, N * sizeof *a);
    }
    dp_pool_free(pool);
    free(a);
    free(b);
}

/* Keys and clusters of URLs 0, 1, ...; the tally and the losses that follow. */
static const struct {
    const char *key, *cluster;
    dp_tally    want;
    size_t      nloss;
    dp_loss     loss[2];
} cases[] = {
    {"", "", {0, 0, 0, 0, 0, 0}, 0, {{0}}},
    {"a", "x", {1, 1, 1, 0, 0, 1}, 0, {{0}}},
    {"abcd", "xxyz", {4, 4, 3, 0, 0, 3}, 0, {{0}}},                       /* keep all */
    {"aaaa", "xxyz", {4, 1, 3, 1, 2, 1}, 2, {{2, 0, 1}, {3, 0, 2}}},      /* all to one */
    {"aabc", "xxyz", {4, 3, 3, 1, 0, 3}, 0, {{0}}},                       /* perfect */
    {"abab", "xyyx", {4, 2, 2, 0, 2, 2}, 0, {{0}}},                       /* all wrong, nothing lost */
    {"aab", "xyy", {3, 2, 2, 0, 1, 2}, 0, {{0}}},                         /* the other URL of y is fetched */
    {"baab", "yxyz", {4, 2, 3, 0, 2, 2}, 1, {{3, 0, 2}}},
};

static void tallies_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_member v[8];
        uint32_t  cluster[8], names = 0, n = (uint32_t)strlen(cases[i].key);
        char      seen[8];
        for (uint32_t k = 0; k < n; k++) {
            uint32_t c = 0;
            while (c < names && seen[c] != cases[i].cluster[k])
                c++;
            names += c == names;
            seen[c] = cases[i].cluster[k];
            cluster[k] = c;
            v[k] = (dp_member){(uint64_t)cases[i].key[k] << 40, 0, k};
        }
        dp_stamps s;
        dp_loss   loss[2];
        assert_int_equal(DP_OK, dp_stamps_init(&s, names));
        dp_members_sort(v, n);
        dp_tally t = dp_groups_tally(v, n, cluster, &s);
        assert_memory_equal(&cases[i].want, &t, sizeof t);
        assert_int_equal(t.urls - t.groups, t.good + t.bad);
        assert_int_equal(cases[i].nloss, dp_losses_find(loss, 2, v, n, cluster, &s));
        assert_memory_equal(cases[i].loss, loss, cases[i].nloss * sizeof *loss);
        dp_stamps_done(&s);
    }
}

static void keeps_the_first_losses(void **state)
{
    (void)state;
    enum { N = 300 };
    dp_member v[N];
    uint32_t  cluster[N];
    dp_loss   loss[DP_LOSSES_KEPT];
    dp_stamps s;
    /* Item 0 is fetched for all of 1 .. N-1, which are of N / 2 clusters, two URLs each. */
    for (uint32_t i = 0; i < N; i++) {
        v[i] = (dp_member){7, 0, i};
        cluster[i] = i == 0 ? 0 : 1 + (i - 1) % (N / 2);
    }
    assert_int_equal(DP_OK, dp_stamps_init(&s, N));
    dp_tally t = dp_groups_tally(v, N, cluster, &s);
    assert_int_equal(1, t.covered);
    assert_int_equal(DP_LOSSES_KEPT, dp_losses_find(loss, DP_LOSSES_KEPT, v, N, cluster, &s));
    for (uint32_t i = 0; i < DP_LOSSES_KEPT; i++) {
        assert_int_equal(i + 1, loss[i].item);
        assert_int_equal(0, loss[i].instead);
    }
    dp_stamps_done(&s);
}

static void stamps_survive_allocation_failures_and_wrapping(void **state)
{
    (void)state;
    dp_stamps s;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_err code = dp_stamps_init(&s, 3);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_stamps_done(&s);
    }
    assert_int_equal(DP_OK, dp_stamps_init(&s, 3));
    s.now = UINT32_MAX - 1;
    for (int i = 0; i < 4; i++) {
        dp_stamps_next(&s);
        assert_true(dp_stamps_add(&s, 1));
        assert_false(dp_stamps_add(&s, 1));
        assert_true(dp_stamps_add(&s, 2));
    }
    dp_stamps_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_as_qsort_does),
        cmocka_unit_test(sorts_the_same_on_threads),
        cmocka_unit_test(tallies_the_table),
        cmocka_unit_test(keeps_the_first_losses),
        cmocka_unit_test(stamps_survive_allocation_failures_and_wrapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
