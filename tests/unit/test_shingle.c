/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "content/shingle.h"

static void equal_words_have_equal_sketches(void **state)
{
    (void)state;
    uint64_t words[30], a[DP_SKETCH_SIZE], b[DP_SKETCH_SIZE];
    dp_rng   g = dp_rng_seed(1);
    for (size_t i = 0; i < DP_COUNT(words); i++)
        words[i] = dp_rng_next(&g);
    for (size_t n = 1; n <= DP_COUNT(words); n++) {
        dp_shingle_sketch(a, words, n);
        dp_shingle_sketch(b, words, n);
        assert_int_equal(4, dp_shingle_common(a, b));
        words[n - 1]++; /* another word at the end: another shingle there */
        dp_shingle_sketch(b, words, n);
        words[n - 1]--;
        if (n <= DP_SHINGLE_WORDS)
            assert_int_equal(0, dp_shingle_common(a, b));
    }
}

/* The order of shingles does not matter, so a text written twice has few shingles more. */
static void sketches_are_of_sets(void **state)
{
    (void)state;
    uint64_t words[40], a[DP_SKETCH_SIZE], b[DP_SKETCH_SIZE];
    for (size_t i = 0; i < DP_COUNT(words); i++)
        words[i] = i % 10;
    dp_shingle_sketch(a, words, 19); /* all ten rotations */
    dp_shingle_sketch(b, words, 40);
    assert_int_equal(4, dp_shingle_common(a, b));
}

/* Each of the four numbers is equal as often as a shingle of either text is one of both. */
static void equality_estimates_resemblance(void **state)
{
    (void)state;
    enum { TEXTS = 2000, WORDS = 200, CUT = 60 };
    dp_rng g = dp_rng_seed(7);
    double common = 0, both[DP_SKETCH_SIZE] = {0};
    for (int t = 0; t < TEXTS; t++) {
        uint64_t words[WORDS + CUT], a[DP_SKETCH_SIZE], b[DP_SKETCH_SIZE];
        for (size_t i = 0; i < DP_COUNT(words); i++)
            words[i] = dp_rng_next(&g);
        dp_shingle_sketch(a, words, WORDS);
        dp_shingle_sketch(b, words + CUT, WORDS);
        common += dp_shingle_common(a, b);
        for (int k = 0; k < DP_SKETCH_SIZE; k++)
            both[k] += a[k] == b[k] && a[(k + 1) % DP_SKETCH_SIZE] == b[(k + 1) % DP_SKETCH_SIZE];
    }
    double shingles = WORDS - DP_SHINGLE_WORDS + 1, want = (shingles - CUT) / (shingles + CUT); /* .522 */
    double have = common / (TEXTS * DP_SKETCH_SIZE);
    assert_true(have > want - .025 && have < want + .025);
    /* and independently of its neighbour: two are equal as often as the product says */
    for (int k = 0; k < DP_SKETCH_SIZE; k++)
        assert_true(both[k] / TEXTS > want * want - .05 && both[k] / TEXTS < want * want + .05);
}

static void binary_sketches_are_equal_in_all_places_or_in_none(void **state)
{
    (void)state;
    uint64_t a[DP_SKETCH_SIZE], b[DP_SKETCH_SIZE];
    char     bytes[] = "GIF89a and so on";
    assert_int_equal(DP_OK, dp_shingle_binary(a, DP_STR("GIF89a and so on")));
    assert_int_equal(DP_OK, dp_shingle_binary(b, dp_str_c(bytes)));
    assert_int_equal(4, dp_shingle_common(a, b));
    bytes[3]++;
    assert_int_equal(DP_OK, dp_shingle_binary(b, dp_str_c(bytes)));
    assert_int_equal(0, dp_shingle_common(a, b));
    assert_int_equal(DP_OK, dp_shingle_binary(b, (dp_str){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_words_have_equal_sketches),
        cmocka_unit_test(sketches_are_of_sets),
        cmocka_unit_test(equality_estimates_resemblance),
        cmocka_unit_test(binary_sketches_are_equal_in_all_places_or_in_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
