/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "content/simhash.h"

/* Bit by bit, as the header says it. */
static uint64_t by_hand(const uint64_t *words, size_t n)
{
    uint64_t result = 0;
    for (int bit = 0; bit < 64; bit++) {
        long votes = 0;
        for (size_t i = 0; i < n; i++)
            votes += words[i] >> bit & 1 ? 1 : -1;
        result |= (uint64_t)(votes > 0) << bit;
    }
    return result;
}

static void equals_the_count_by_hand(void **state)
{
    (void)state;
    static uint64_t words[2000];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        dp_rng g = dp_rng_seed(seed);
        size_t n = seed < 60 ? seed - 1 : seed < 100 ? 200 + seed : dp_rng_below(&g, DP_COUNT(words));
        for (size_t i = 0; i < n; i++)
            words[i] = seed % 5 ? dp_rng_next(&g) : ~0ull; /* all bits at once: the counters are full */
        assert_true(by_hand(words, n) == dp_simhash(words, n));
    }
}

static void the_order_of_words_does_not_matter(void **state)
{
    (void)state;
    const uint64_t a[] = {1, 6, 12, 12, 99}, b[] = {12, 99, 1, 12, 6};
    assert_true(dp_simhash(a, 5) == dp_simhash(b, 5));
}

/* One word of 400 changes few bits, all of them about half. */
static void distance_grows_with_the_words_that_differ(void **state)
{
    (void)state;
    enum { WORDS = 400, TEXTS = 300 };
    dp_rng g = dp_rng_seed(3);
    double mean[3] = {0};
    for (int t = 0; t < TEXTS; t++) {
        uint64_t words[WORDS];
        for (size_t i = 0; i < WORDS; i++)
            words[i] = dp_rng_next(&g);
        uint64_t whole = dp_simhash(words, WORDS);
        for (size_t k = 0; k < 3; k++) {
            for (size_t i = 0; i < (k == 0 ? 1 : k == 1 ? 40 : WORDS); i++)
                words[i] = dp_rng_next(&g);
            mean[k] += dp_simhash_distance(whole, dp_simhash(words, WORDS));
        }
    }
    assert_true(mean[0] / TEXTS < 3 && mean[1] / TEXTS > 5 && mean[1] / TEXTS < 20);
    assert_true(mean[2] / TEXTS > 30 && mean[2] / TEXTS < 34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_count_by_hand),
        cmocka_unit_test(the_order_of_words_does_not_matter),
        cmocka_unit_test(distance_grows_with_the_words_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
