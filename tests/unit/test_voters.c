/* learn/run/voters: surveys of one voter are as good as one, whoever else there is and in whatever order they come.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "learn/auto/method.h"
#include "learn/auto/rounds/rounds.h"
#include "learn/run/voters.h"
#include "support/failing_alloc.h"

/* A site of that voter with so many votes on ?sid. */
static dp_survey site(uint64_t voter, double pos, double neg)
{
    dp_survey s = {.voter = voter, .kinds = {.votes = pos + neg, .wrong = neg}};
    dp_other_sites_count(&s.names, DP_STR("?sid"), pos, neg, 1u << DP_BY_TEXT);
    return s;
}

static dp_survey sum_of(const dp_survey *v, size_t n)
{
    dp_survey all = {0};
    dp_str    said[64];
    for (size_t i = 0; i < n; i++)
        said[i] = (dp_str){(const char *)&v[i], sizeof v[i]};
    assert_int_equal(DP_OK, dp_voters_sum(&all, &dp_method_auto, said, n));
    return all;
}

static uint32_t sites_for(const dp_survey *s)
{
    dp_odds odds;
    dp_odds_init(&odds);
    return dp_other_sites_opinion(&s->names, &odds, dp_hash_str(DP_STR("?sid"))).sites;
}

static void each_voter_has_one_vote(void **state)
{
    dp_survey v[43];
    (void)state;
    for (size_t i = 0; i < 40; i++)
        v[i] = site(7, 8, 0);
    assert_int_equal(1, sites_for(&(dp_survey){.names = sum_of(v, 40).names}));
    for (size_t i = 40; i < 43; i++)
        v[i] = site(i, 8, 0);
    dp_survey all = sum_of(v, 43);
    assert_int_equal(4, sites_for(&all));
    assert_true(all.kinds.votes > 31.9 && all.kinds.votes < 32.1); /* 8 of each */
}

static void the_site_in_the_middle_speaks_for_its_voter(void **state)
{
    const dp_survey most[] = {site(7, 40, 0), site(7, 0, 9), site(7, 40, 0)}, half[] = {site(7, 40, 0), site(7, 0, 9)};
    (void)state;
    assert_int_equal(1, sites_for(&(dp_survey){.names = sum_of(most, 3).names}));
    assert_int_equal(0, sites_for(&(dp_survey){.names = sum_of(half, 2).names})); /* in doubt against */
}

static void a_voter_with_one_site_says_what_it_says(void **state)
{
    const dp_survey v[] = {site(1, 3, 0), site(9, 40, 1), site(5, 0, 2)};
    dp_survey       want = {0}, got = sum_of(v, 3);
    (void)state;
    for (size_t i = 0; i < 3; i++)
        dp_method_auto.combine(&want, &v[i]);
    assert_memory_equal(&want, &got, sizeof got);
}

static void zeros_at_the_end_may_be_missing(void **state)
{
    const dp_survey v[] = {{.voter = 3}, {.voter = 3, .kinds = {.votes = 2}}};
    dp_survey       all = {0};
    (void)state;
    const dp_str said[] = {{NULL, 0}, {(const char *)&v[0], 1}, {(const char *)&v[1], sizeof v[1]}};
    assert_int_equal(DP_OK, dp_voters_sum(&all, &dp_method_auto, said, 3));
    assert_true(all.kinds.votes == 1); /* two of voter 3, half of the sum; who tells nothing adds nothing */
}

static void survives_every_allocation_failure(void **state)
{
    const dp_survey v[] = {site(1, 3, 0), site(1, 40, 1)};
    const dp_str    said[] = {{(const char *)&v[0], sizeof v[0]}, {(const char *)&v[1], sizeof v[1]}};
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        dp_survey all = {0};
        dp_err    code = dp_voters_sum(&all, &dp_method_auto, said, 2);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_voter_has_one_vote),
        cmocka_unit_test(the_site_in_the_middle_speaks_for_its_voter),
        cmocka_unit_test(a_voter_with_one_site_says_what_it_says),
        cmocka_unit_test(zeros_at_the_end_may_be_missing),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("voters", tests, NULL, NULL);
}
