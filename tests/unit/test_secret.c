/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/secret.h"
#include "support/collide.h"

/* The attack itself works, or the tests that use it show nothing. */
static void adversaries_know_urls_of_one_xxh3(void **state)
{
    (void)state;
    char a[DP_COLLIDE_BYTES], b[DP_COLLIDE_BYTES];
    for (unsigned i = 1; i < DP_COLLIDE_COUNT; i = i * 3) {
        dp_str x = dp_collide(a, 0), y = dp_collide(b, i);
        assert_false(dp_str_eq(x, y));
        assert_int_equal(dp_hash_str(x), dp_hash_str(y));
        assert_true(dp_hash128_eq(dp_hash128_of(x), dp_hash128_of(y)));
    }
}

static void with_a_secret_theirs_differ(void **state)
{
    (void)state;
    const dp_secret *s = dp_secret_of_process();
    char             a[DP_COLLIDE_BYTES], b[DP_COLLIDE_BYTES];
    dp_str           x = dp_collide(a, 0);
    for (unsigned i = 1; i < DP_COLLIDE_COUNT; i = i * 3) {
        dp_str y = dp_collide(b, i);
        assert_true(dp_secret_hash(s, x) != dp_secret_hash(s, y));
        assert_false(dp_hash128_eq(dp_secret_hash128(s, x), dp_secret_hash128(s, y)));
    }
}

/* Every byte counts, at every length around those where the way of hashing changes. */
static void every_byte_and_the_length_count(void **state)
{
    (void)state;
    const dp_secret *s = dp_secret_of_process();
    char             text[700];
    memset(text, 'x', sizeof text);
    for (size_t n = 1; n < sizeof text; n += n < 20 || (n > 235 && n < 245) || (n > 460 && n < 468) ? 1 : 17) {
        dp_hash128 whole = dp_secret_hash128(s, (dp_str){text, n});
        assert_false(dp_hash128_eq(whole, dp_secret_hash128(s, (dp_str){text, n - 1})));
        for (size_t i = 0; i < n; i += 1 + n / 40) {
            text[i] = 'y';
            assert_false(dp_hash128_eq(whole, dp_secret_hash128(s, (dp_str){text, n})));
            text[i] = 'x';
        }
        assert_true(dp_hash128_eq(whole, dp_secret_hash128(s, (dp_str){text, n})));
    }
}

static void no_two_secrets_are_alike(void **state)
{
    (void)state;
    dp_secret a, b;
    assert_true(dp_secret_draw(&a) && dp_secret_draw(&b));
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(dp_secret_hash(&a, DP_STR("a.com")) != dp_secret_hash(&b, DP_STR("a.com")));
    assert_ptr_equal(dp_secret_of_process(), dp_secret_of_process());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adversaries_know_urls_of_one_xxh3),
        cmocka_unit_test(with_a_secret_theirs_differ),
        cmocka_unit_test(every_byte_and_the_length_count),
        cmocka_unit_test(no_two_secrets_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
