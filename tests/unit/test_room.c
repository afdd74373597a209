/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/room.h"
#include "support/failing_alloc.h"

static void makes_room_for_one_more(void **state)
{
    (void)state;
    uint64_t *v = NULL;
    uint16_t *narrow = NULL;
    size_t    cap = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t same = cap; /* arrays that share a capacity */
        assert_true(DP_ROOM(v, i, same) && DP_ROOM(narrow, i, cap));
        assert_true(same == cap && cap > i && (i < 16 || cap <= 2 * (size_t)i));
        v[i] = i;
        narrow[i] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_true(v[i] == i && narrow[i] == (uint16_t)i);
    free(v);
    free(narrow);
}

static void makes_room_for_many(void **state)
{
    (void)state;
    char    *v = NULL;
    uint32_t cap = 0, none = 0;
    assert_true(DP_ROOM_FOR(v, none, cap));
    assert_null(v);
    assert_true(DP_ROOM_FOR(v, 1000, cap));
    assert_int_equal(1000, cap);
    assert_true(DP_ROOM_FOR(v, 1001, cap));
    assert_int_equal(2000, cap);
    assert_true(DP_RESIZE(v, 0)); /* never NULL */
    assert_non_null(v);
    free(v);
}

static void refuses_sizes_that_are_too_large(void **state)
{
    (void)state;
    struct item {
        char bytes[48];
    }       *v = NULL;
    size_t   cap = SIZE_MAX / 48;
    uint32_t narrow = UINT32_MAX;
    assert_false(DP_ROOM(v, cap, cap));
    assert_false(DP_ROOM_FOR(v, SIZE_MAX, cap));
    assert_false(DP_RESIZE(v, SIZE_MAX / 2));
    assert_false(DP_ROOM(v, narrow, narrow));
    assert_true(!v && cap == SIZE_MAX / 48 && narrow == UINT32_MAX);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        int     *v = NULL;
        uint32_t n = 0, cap = 0;
        while (n < 100 && DP_ROOM(v, n, cap))
            v[n++] = 1;
        assert_int_equal(dp_alloc_failed(), n < 100);
        assert_true(n <= cap);
        free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_room_for_one_more),
        cmocka_unit_test(makes_room_for_many),
        cmocka_unit_test(refuses_sizes_that_are_too_large),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
