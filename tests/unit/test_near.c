/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "content/near.h"

/* Pairs at a known distance among strangers: joined exactly up to k, wherever the bits differ. */
static void pairs_are_found_up_to_k_bits(void **state)
{
    (void)state;
    enum { PAIRS = 2000 };
    for (unsigned k = 0; k <= DP_NEAR_MAX; k++) {
        dp_rng    g = dp_rng_seed(100 + k);
        dp_keyed *v = malloc(4 * PAIRS * sizeof *v);
        dp_sets   sets;
        unsigned  apart[PAIRS];
        assert_int_equal(DP_OK, dp_sets_init(&sets, 2 * PAIRS));
        for (uint32_t i = 0; i < PAIRS; i++) {
            uint64_t a = dp_rng_next(&g), b = a;
            apart[i] = (unsigned)dp_rng_below(&g, DP_NEAR_MAX + 3);
            while ((unsigned)__builtin_popcountll(a ^ b) < apart[i])
                b |= (a ^ b) | (~a & 1ull << dp_rng_below(&g, 64)), b &= ~(a & 1ull << dp_rng_below(&g, 64));
            apart[i] = (unsigned)__builtin_popcountll(a ^ b);
            v[2 * i] = (dp_keyed){a, 2 * i};
            v[2 * i + 1] = (dp_keyed){b, 2 * i + 1};
        }
        dp_near_join(&sets, v, v + 2 * PAIRS, 2 * PAIRS, k);
        for (uint32_t i = 0; i < PAIRS; i++)
            assert_int_equal(apart[i] <= k, dp_sets_root(&sets, 2 * i) == dp_sets_root(&sets, 2 * i + 1));
        dp_sets_done(&sets);
        free(v);
    }
}

/* A hundred thousand fingerprints within a few bits of each other: pairs would be 5 * 10^9. */
static void crowds_are_joined_quickly(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    dp_rng    g = dp_rng_seed(1);
    dp_keyed *v = malloc(2 * MANY * sizeof *v);
    dp_sets   sets;
    assert_int_equal(DP_OK, dp_sets_init(&sets, MANY));
    for (uint32_t i = 0; i < MANY; i++)
        v[i] = (dp_keyed){dp_rng_next(&g) & 0x0F0F00000F000F0F, i}; /* 2^20 places, a tenth of them taken */
    dp_near_join(&sets, v, v + MANY, MANY, 3);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(0, dp_sets_root(&sets, i));
    dp_sets_done(&sets);
    free(v);
}

static void nothing_and_one_are_left_alone(void **state)
{
    (void)state;
    dp_keyed v[2] = {{7, 0}, {0, 0}};
    dp_sets  sets;
    assert_int_equal(DP_OK, dp_sets_init(&sets, 1));
    dp_near_join(&sets, v, v + 1, 0, 3);
    dp_near_join(&sets, v, v + 1, 1, 3);
    assert_int_equal(0, dp_sets_root(&sets, 0));
    dp_sets_done(&sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_found_up_to_k_bits),
        cmocka_unit_test(crowds_are_joined_quickly),
        cmocka_unit_test(nothing_and_one_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
