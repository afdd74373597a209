/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/firm.h"
#include "base/hash.h"

/* They stand in state files and models, so they may never change. Computed by libxxhash itself. */
static void bytes_have_the_hashes_of_xxh3(void **state)
{
    (void)state;
    assert_int_equal(0x2d06800538d394c2, dp_hash_str(DP_STR("")));
    assert_int_equal(0x78af5f94892f3950, dp_hash_str(DP_STR("abc")));
    assert_int_equal(0x78af5f94892f3950, dp_hash_bytes("abc", 3));
    assert_int_equal(0x78af5f94892f3950, dp_hash_seeded("abc", 3, 0));
    assert_true(dp_hash_seeded("abc", 3, 1) != dp_hash_seeded("abc", 3, 0));
    const dp_hash128 abc = {.hi = 0x06b05ab6733a6185, .lo = 0x78af5f94892f3950};
    assert_true(dp_hash128_eq(abc, dp_hash128_of(DP_STR("abc"))));
    assert_true(dp_hash128_is_none((dp_hash128){0}));
    assert_false(dp_hash128_is_none(dp_hash128_of(DP_STR(""))));
}

static void numbers_that_are_alike_are_spread(void **state)
{
    (void)state;
    assert_int_equal(0, dp_hash_mix(0));
    for (uint64_t x = 0; x < 1000; x++) {
        int differ = __builtin_popcountll(dp_hash_mix(x) ^ dp_hash_mix(x + 1));
        assert_in_range(differ, 10, 54);
    }
}

/* A name with the XXH3 of another, found in seconds. */
static void firm_ones_are_those_of_sha256(void **state)
{
    (void)state;
    dp_str   name = DP_STR("victim.com");
    dp_str   evil = DP_STR("zs3f1ieugph77llfugl6eypq7p9nakthcl6az02tf48skot80getzps6nquy.com");
    uint64_t a, b;
    assert_int_equal(DP_OK, dp_hash_firm(&a, DP_STR("abc")));
    assert_int_equal(0xba7816bf8f01cfea, a);
    assert_int_equal(dp_hash_str(name), dp_hash_str(evil));
    assert_int_equal(DP_OK, dp_hash_firm(&a, name));
    assert_int_equal(DP_OK, dp_hash_firm(&b, evil));
    assert_true(a != b);
}

static void the_order_of_a_list_matters(void **state)
{
    (void)state;
    uint64_t a = dp_hash_str(DP_STR("a")), b = dp_hash_str(DP_STR("b"));
    assert_true(dp_hash_fold(dp_hash_fold(0, a), b) != dp_hash_fold(dp_hash_fold(0, b), a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_have_the_hashes_of_xxh3),
        cmocka_unit_test(numbers_that_are_alike_are_spread),
        cmocka_unit_test(the_order_of_a_list_matters),
        cmocka_unit_test(firm_ones_are_those_of_sha256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
