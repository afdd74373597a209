/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/hash.h"
#include "base/rng.h"
#include "output/unique.h"
#include "support/failing_alloc.h"

static dp_hash128 hash_of_number(uint64_t n)
{
    char key[32];
    return dp_hash128_of((dp_str){key, (size_t)snprintf(key, sizeof key, "http://a.com/%llu", (unsigned long long)n)});
}

static void knows_what_it_has_seen(void **state)
{
    (void)state;
    enum { KEYS = 20000, ADDS = 60000, AT_ONCE = 100 };
    static bool seen[KEYS];
    dp_rng      r = dp_rng_seed(1);
    dp_unique  *u;
    size_t      distinct = 0;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    for (size_t i = 0; i < ADDS; i += AT_ONCE) {
        uint64_t   number[AT_ONCE];
        dp_hash128 h[AT_ONCE];
        bool       fresh[AT_ONCE];
        for (size_t j = 0; j < AT_ONCE; j++) {
            number[j] = dp_rng_below(&r, KEYS);
            h[j] = hash_of_number(number[j]);
        }
        assert_int_equal(DP_OK, dp_unique_add(u, h, AT_ONCE, fresh, NULL));
        for (size_t j = 0; j < AT_ONCE; j++) {
            assert_int_equal(!seen[number[j]], fresh[j]);
            assert_true(dp_unique_has(u, h[j]));
            distinct += fresh[j];
            seen[number[j]] = true;
        }
    }
    assert_int_equal(distinct, dp_unique_count(u));
    for (uint64_t i = 0; i < 2 * KEYS; i++)
        assert_int_equal(i < KEYS && seen[i], dp_unique_has(u, hash_of_number(i)));
    dp_unique_free(u);
}

static void an_empty_one_has_nothing(void **state)
{
    (void)state;
    dp_unique *u;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    assert_false(dp_unique_has(u, hash_of_number(1)));
    dp_unique_free(u);
}

/* Past the limit keys are in files: nothing is forgotten, and memory stays. */
static void a_limit_changes_nothing_but_memory(void **state)
{
    (void)state;
    enum { KEYS = 300000, LIMIT = 3 << 20 };
    dp_unique *u;
    dp_rng     r = dp_rng_seed(2);
    bool       fresh;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    dp_unique_limit(u, LIMIT, "/tmp");
    for (uint64_t i = 1; i <= KEYS; i++) {
        dp_hash128 h = hash_of_number(i), old = hash_of_number(1 + dp_rng_below(&r, i));
        assert_int_equal(DP_OK, dp_unique_add(u, &h, 1, &fresh, NULL));
        assert_true(fresh);
        assert_int_equal(DP_OK, dp_unique_add(u, &old, 1, &fresh, NULL));
        assert_false(fresh);
        assert_true(dp_unique_bytes(u) <= LIMIT);
    }
    assert_int_equal(KEYS, dp_unique_count(u));
    dp_unique_free(u);
}

static void a_folder_that_is_none_is_told(void **state)
{
    (void)state;
    dp_unique *u;
    dp_error   err = {0};
    dp_err     code = DP_OK;
    bool       fresh;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    dp_unique_limit(u, 1, "/nowhere/at/all");
    for (uint64_t i = 0; i < 300000 && code == DP_OK; i++) {
        dp_hash128 h = hash_of_number(i);
        code = dp_unique_add(u, &h, 1, &fresh, &err);
    }
    assert_int_equal(DP_EIO, code);
    assert_string_equal("/nowhere/at/all", err.file);
    dp_unique_free(u);
}

/* What the header, the man page and --help promise. */
static void memory_is_as_stated(void **state)
{
    (void)state;
    dp_unique *u;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    for (uint64_t i = 1; i <= 300000; i++) {
        dp_hash128 h = hash_of_number(i);
        bool       fresh;
        assert_int_equal(DP_OK, dp_unique_add(u, &h, 1, &fresh, NULL));
        assert_true(fresh);
        if (i >= 100000 && i % 10000 == 0)
            assert_in_range(dp_unique_bytes(u) / i, 29, 33);
    }
    dp_unique_free(u);
}

static void extreme_hashes_have_a_place(void **state)
{
    (void)state;
    const dp_hash128 h[] = {{1, 0}, {0, 1}, {UINT64_MAX, UINT64_MAX}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {1, 0}};
    bool             fresh[DP_COUNT(h)];
    dp_unique       *u;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    assert_int_equal(DP_OK, dp_unique_add(u, h, DP_COUNT(h), fresh, NULL));
    for (size_t i = 0; i < DP_COUNT(h); i++)
        assert_int_equal(i != 5, fresh[i]);
    dp_unique_free(u);
}

/* All in one shard and in one place: as bad as it gets, and still right. */
static void crowded_places_work(void **state)
{
    (void)state;
    dp_unique *u;
    bool       fresh;
    assert_int_equal(DP_OK, dp_unique_new(&u));
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 1; i <= 2000; i++) {
            dp_hash128 h = {UINT64_MAX, i};
            assert_int_equal(DP_OK, dp_unique_add(u, &h, 1, &fresh, NULL));
            assert_int_equal(round == 0, fresh);
        }
    }
    dp_unique_free(u);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_unique *u = NULL;
        dp_err     code = dp_unique_new(&u);
        for (uint64_t i = 1; i <= 400 && code == DP_OK; i++) {
            dp_hash128 h = {i << 50, i};
            bool       fresh;
            code = dp_unique_add(u, &h, 1, &fresh, NULL);
        }
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_unique_free(u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_it_has_seen),
        cmocka_unit_test(an_empty_one_has_nothing), cmocka_unit_test(a_limit_changes_nothing_but_memory),
        cmocka_unit_test(a_folder_that_is_none_is_told),
        cmocka_unit_test(memory_is_as_stated),
        cmocka_unit_test(extreme_hashes_have_a_place),
        cmocka_unit_test(crowded_places_work),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
