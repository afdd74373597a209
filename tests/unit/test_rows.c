/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "content/cluster.h"
#include "content/rows.h"
#include "support/failing_alloc.h"

enum { ROWS = 3000, LONGEST = 40 };

/* Row `i` is known from its number. */
static size_t row(dp_slot *v, uint32_t i)
{
    size_t n = i % LONGEST;
    for (uint32_t k = 0; k < n; k++)
        v[k] = (dp_slot){.hash = (uint64_t)i * LONGEST + k, .place = i, .words = 1};
    return n;
}

static void check(const char *folder, uint64_t limit)
{
    dp_rows  r = {.limit = limit, .folder = folder};
    uint64_t at[ROWS];
    dp_slot  v[LONGEST];
    for (uint32_t i = 0; i < ROWS; i++)
        assert_int_equal(DP_OK, dp_rows_add(&r, v, row(v, i), &at[i]));
    assert_int_equal(DP_OK, dp_rows_settle(&r));
    for (uint32_t k = 0; k < 3 * ROWS; k++) { /* there, back, and in leaps */
        uint32_t i = k < ROWS ? k : k < 2 * ROWS ? 2 * ROWS - 1 - k : k * 7919 % ROWS;
        size_t   n = row(v, i);
        assert_memory_equal(n ? dp_rows_get(&r, at[i], n) : v, v, n * sizeof *v);
    }
    dp_rows_done(&r);
}

static void rows_are_the_same_wherever_they_are_kept(void **state)
{
    (void)state;
    check("/tmp", 0);
    check("/tmp", 1);
    check("/tmp", 1000);
    check(NULL, 100000);
    check("/nowhere/at/all", 1000); /* then they stay in memory */
}

/* Pages of a site with a clock, some of them fetched twice. */
static void add_pages(dp_clusters *c)
{
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t    n = i % 100;
        dp_slot     v[] = {{.hash = 5000 + n, .place = 1, .words = 1, .flags = DP_SLOT_OPENS},
                           {.hash = 6000 + n, .place = 3, .words = 5, .flags = DP_SLOT_OPENS},
                           {.hash = i * 977, .place = 2, .words = 1, .kind = DP_SLOT_CLOCK}};
        dp_evidence e = {.has = DP_EVIDENCE_TEXT, .text = {i, 1},
                         .shown = {v, 3, .host = 1, .path = n, .time = i, .url = i + 1}};
        assert_int_equal(DP_OK, i < 300 ? dp_clusters_add(c, &e) : dp_clusters_echo(c, i - 300, &e));
    }
}

static void pages_are_joined_alike_wherever_slots_are_kept(void **state)
{
    const dp_sameness same = {.simhash = -1};
    (void)state;
    for (uint64_t limit = 0; limit < 10000; limit += 3000) {
        dp_clusters c = {.fetches.rows.limit = limit};
        add_pages(&c);
        assert_int_equal(DP_OK, dp_clusters_join(&c, &same));
        for (uint32_t i = 0; i < 300; i++)
            assert_int_equal(i % 100, dp_sets_root(&c.sets, i));
        dp_clusters_done(&c);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_rows  r = {.limit = 100};
        uint64_t at;
        dp_slot  v[LONGEST] = {{0}};
        dp_err   code = DP_OK;
        for (int i = 0; i < 3 && code == DP_OK; i++)
            code = dp_rows_add(&r, v, LONGEST, &at);
        if (code == DP_OK)
            code = dp_rows_settle(&r);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_rows_done(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_same_wherever_they_are_kept),
        cmocka_unit_test(pages_are_joined_alike_wherever_slots_are_kept),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
