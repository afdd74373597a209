/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/keyed.h"
#include "base/rng.h"

static uint64_t mask; /* of compare() */

static int compare(const void *a, const void *b)
{
    const dp_keyed *x = a, *y = b;
    uint64_t        i = x->key & mask, j = y->key & mask;
    return i != j ? (i < j ? -1 : 1) : (x->item > y->item) - (x->item < y->item);
}

/* Keys of which some are equal, and all differ in the bits of `spread` only. */
static dp_keyed *draw(dp_rng *g, size_t n, uint64_t spread)
{
    dp_keyed *v = malloc((2 * n + 1) * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = (dp_keyed){dp_rng_next(g) & spread & (dp_rng_below(g, 2) ? 0xFF00FF0F : ~0ull), (uint32_t)i};
    return v;
}

static const uint64_t masks[] = {~0ull, 0, 0xFF, 0xFFF0, 0xFFFF000000000000, 0x00F0000000000F00};

static void sorts_stably_by_the_bits_of_the_mask(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dp_rng    g = dp_rng_seed(seed);
        size_t    n = dp_rng_below(&g, seed % 3 ? 60 : 3000);
        dp_keyed *v = draw(&g, n, seed % 2 ? ~0ull : 0xF00F), *want = malloc((n + 1) * sizeof *want);
        memcpy(want, v, n * sizeof *v);
        mask = masks[seed % DP_COUNT(masks)];
        qsort(want, n, sizeof *want, compare);
        dp_keyed_sort(v, v + n, n, mask);
        for (size_t i = 0; i < n; i++)
            assert_true(v[i].key == want[i].key && v[i].item == want[i].item);
        free(v);
        free(want);
    }
}

static void equal_keys_lie_side_by_side(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dp_rng    g = dp_rng_seed(seed);
        size_t    n = dp_rng_below(&g, 3000), runs = 0, distinct = 0;
        dp_keyed *v = draw(&g, n, seed % 3 ? 0xFFF0000000000FFF : 0xFFFF000000000000);
        dp_keyed *sorted = malloc((n + 1) * sizeof *sorted);
        memcpy(sorted, v, n * sizeof *v);
        mask = ~0ull;
        qsort(sorted, n, sizeof *sorted, compare);
        dp_keyed_group(v, v + n, n);
        for (size_t i = 0; i < n; i++) {
            runs += !i || v[i].key != v[i - 1].key;
            distinct += !i || sorted[i].key != sorted[i - 1].key;
        }
        assert_int_equal(distinct, runs);
        free(v);
        free(sorted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_stably_by_the_bits_of_the_mask),
        cmocka_unit_test(equal_keys_lie_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
