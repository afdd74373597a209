/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"

static void a_place_is_found_in_what_is_sorted(void **state)
{
    (void)state;
    static const uint32_t v[] = {2, 3, 3, 3, 7, 9};
    for (uint32_t n = 0; n <= DP_COUNT(v); n++) {
        for (uint32_t x = 0; x < 11; x++) {
            size_t   want = 0, i;
            uint32_t k;
            while (want < n && v[want] < x)
                want++;
            DP_BISECT(i, n, v[i] < x);
            DP_BISECT(k, n, v[k] < x);
            assert_int_equal(want, i);
            assert_int_equal(want, k);
        }
    }
}

static void numbers_and_texts_have_an_order(void **state)
{
    (void)state;
    uint32_t n[] = {7, UINT32_MAX, 0, 7};
    dp_str   s[] = {DP_STR("b"), DP_STR("a\xff"), DP_STR(""), DP_STR("a")};
    qsort(n, DP_COUNT(n), sizeof *n, dp_by_number);
    qsort(s, DP_COUNT(s), sizeof *s, dp_by_bytes);
    for (size_t i = 1; i < 4; i++) {
        assert_true(n[i - 1] <= n[i]);
        assert_true(dp_str_cmp(s[i - 1], s[i]) < 0);
    }
}

static void equal_keys_are_a_run(void **state)
{
    (void)state;
    static const dp_keyed v[] = {{1, 0}, {1, 1}, {4, 2}};
    assert_int_equal(2, dp_keyed_end(v, 3, 0));
    assert_int_equal(2, dp_keyed_end(v, 3, 1));
    assert_int_equal(3, dp_keyed_end(v, 3, 2));
    assert_int_equal(1, dp_keyed_end(v, 1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_found_in_what_is_sorted),
        cmocka_unit_test(numbers_and_texts_have_an_order),
        cmocka_unit_test(equal_keys_are_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
