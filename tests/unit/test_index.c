/* base/index.h, and base/ordinal.h and base/intern.h, which are made of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/intern.h"
#include "base/ordinal.h"
#include "base/rng.h"
#include "support/failing_alloc.h"

enum { MANY = 5000 };

static uint64_t given(const void *self, uint32_t number)
{
    return ((const uint64_t *)self)[number];
}

static bool has(const dp_index *x, const uint64_t *hash, uint64_t one, uint32_t *number)
{
    for (dp_index_walk w = dp_index_from(x, one); dp_index_next(&w, number);)
        if (hash[*number] == one)
            return true;
    return false;
}

static void is_empty_when_zeroed(void **state)
{
    (void)state;
    dp_index x = {0};
    uint32_t i;
    assert_false(has(&x, NULL, 7, &i));
    assert_true(dp_index_bytes(&x) == 0);
    dp_index_reset(&x);
    assert_true(dp_index_reserve(&x, 0));
    dp_index_done(&x);
}

static void draws_a_secret_once_a_process(void **state)
{
    (void)state;
    dp_index x = {0}, y = {0}, z = {.secret = {3, 5}};
    assert_true(dp_index_reserve(&x, 1) && dp_index_reserve(&y, 1) && dp_index_reserve(&z, 1));
    assert_true(x.secret.times & 1);
    assert_memory_equal(&x.secret, &y.secret, sizeof x.secret);
    assert_true(z.secret.flip == 3 && z.secret.times == 5); /* a test may set its own */
    dp_index_done(&x);
    dp_index_done(&y);
    dp_index_done(&z);
}

static void does_not_grow_within_what_was_reserved(void **state)
{
    (void)state;
    dp_index x = {0};
    assert_true(dp_index_reserve(&x, MANY));
    for (uint32_t i = 0; i < MANY; i++) {
        assert_true(dp_index_room(&x, NULL, NULL));
        assert_int_equal(i, dp_index_put(&x, i * 0x9E3779B97F4A7C15u));
    }
    assert_true(dp_index_bytes(&x) <= 11 * MANY);
    assert_false(dp_index_reserve(&(dp_index){0}, (size_t)INT32_MAX + 1));
    dp_index_done(&x);
}

static void forgets_all_when_reset(void **state)
{
    (void)state;
    dp_index x = {0};
    uint64_t hash[MANY];
    uint32_t at;
    for (size_t n = MANY; n; n /= 2) { /* the last rounds are small for its slots: these are given back */
        for (uint32_t i = 0; i < n; i++) {
            assert_true(dp_index_room(&x, given, hash));
            assert_false(has(&x, hash, i + n, &at));
            hash[dp_index_put(&x, i + n)] = i + n;
        }
        assert_true(has(&x, hash, n, &at) && at == 0);
        dp_index_reset(&x);
        assert_int_equal(0, x.n);
    }
    assert_true(dp_index_bytes(&x) <= 4096);
    dp_index_done(&x);
}

/* The longest run of slots that are taken. */
static uint32_t longest_run(const dp_index *x)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i <= x->mask; i++) {
        run = x->slot[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Hashes that fill one corner of a table where their low or high bits say the place. */
static void spreads_hashes_that_are_chosen(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        dp_rng g = dp_rng_seed(seed);
        for (int shift = 0; shift <= 48; shift += 4) {
            dp_index x = {.secret = {dp_rng_next(&g), dp_rng_next(&g) | 1}};
            assert_true(dp_index_reserve(&x, MANY));
            for (uint32_t i = 0; i < MANY; i++)
                dp_index_put(&x, (uint64_t)i << shift);
            if (longest_run(&x) > 150)
                fail_msg("seed %u, shift %d: a run of %u", (unsigned)seed, shift, longest_run(&x));
            dp_index_done(&x);
        }
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_index x = {0};
        uint64_t hash[400];
        uint32_t n = 0, at;
        while (n < DP_COUNT(hash) && dp_index_room(&x, given, hash)) {
            hash[n] = n * 0xD6E8FEB86659FD93u;
            n = dp_index_put(&x, hash[n]) + 1;
        }
        assert_int_equal(dp_alloc_failed(), n < DP_COUNT(hash));
        for (uint32_t i = 0; i < n; i++)
            assert_true(has(&x, hash, hash[i], &at) && at == i);
        dp_index_done(&x);
    }
}

static void ordinals_and_interns_survive_it(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_ordinals o = {0};
        dp_intern   m = {0};
        bool        ok = true, fresh;
        uint32_t    n = 0, got;
        char        text[16];
        for (; n < 300 && ok; n++) {
            snprintf(text, sizeof text, "%u", n);
            ok = dp_intern_add(&m, dp_str_c(text), n) && dp_ordinals_add(&o, n, &got, &fresh) == DP_OK;
            assert_true(!ok || (fresh && got == n));
        }
        assert_int_equal(!dp_alloc_failed(), ok);
        for (uint32_t i = 0; i + 1 < n; i++) {
            snprintf(text, sizeof text, "%u", i);
            assert_true(dp_intern_find(&m, dp_str_c(text), &got) && got == i);
            assert_true(dp_ordinals_find(&o, i, &got) && got == i);
        }
        assert_false(dp_intern_find(&m, DP_STR("x"), &got) || dp_ordinals_find(&o, 1000, &got));
        dp_ordinals_done(&o);
        dp_intern_done(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_empty_when_zeroed),
        cmocka_unit_test(draws_a_secret_once_a_process),
        cmocka_unit_test(does_not_grow_within_what_was_reserved),
        cmocka_unit_test(forgets_all_when_reset),
        cmocka_unit_test(spreads_hashes_that_are_chosen),
        cmocka_unit_test(survives_every_allocation_failure),
        cmocka_unit_test(ordinals_and_interns_survive_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
