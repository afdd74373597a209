/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/str.h"
#include "eval/metrics.h"

static void assert_near(double want, double got, double within)
{
    if (!(fabs(want - got) <= within))
        fail_msg("want %.9g, got %.9g", want, got);
}

static const uint64_t sizes[][2] = {{1, 1}, {10, 3}, {5000, 3467}, {1000000, 1}, {77, 77}}; /* N, C */

/* docs/evaluation.md: the identities that every evaluation must keep. */
static void keep_all_has_all_and_saves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(sizes); i++) {
        double   n = (double)sizes[i][0], c = (double)sizes[i][1];
        dp_tally t = dp_tally_keep_all(sizes[i][0], sizes[i][1]);
        dp_score s = dp_score_of(&t);
        assert_near(1, s.recall, 0);
        assert_near(c / n, s.precision, 0);
        assert_near(0, s.reduction, 0);
        assert_near(0, s.coverage, 0);
        assert_int_equal(0, s.lost);
    }
}

static void all_to_one_saves_most_and_loses_most(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(sizes); i++) {
        double   n = (double)sizes[i][0], c = (double)sizes[i][1];
        dp_tally t = dp_tally_all_to_one(sizes[i][0], sizes[i][1]);
        dp_score s = dp_score_of(&t);
        assert_near(1, s.precision, 0);
        assert_near(1 / c, s.recall, 1e-15);
        assert_near(1 - 1 / n, s.reduction, 1e-15);
        assert_int_equal(sizes[i][1] - 1, s.lost);
        assert_int_equal(sizes[i][0] - 1, s.good + s.bad); /* M = G + B */
    }
}

static void best_is_perfect(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(sizes); i++) {
        dp_tally t = dp_tally_best(sizes[i][0], sizes[i][1]);
        dp_score s = dp_score_of(&t);
        assert_near(1, s.f1, 0);
        assert_near(s.best_reduction, s.reduction, 0);
        assert_int_equal(0, s.lost + s.bad);
        assert_near(sizes[i][0] > sizes[i][1] ? 1 : 0, s.coverage, 0);
    }
}

/* SIGIR 2017: the row KeepAll of Table 2 follows from "#C Test" of Table 1 and 5,000 test pages. */
static void sigir_table_2_follows_from_table_1(void **state)
{
    (void)state;
    static const struct { const char *site; uint64_t clusters; double precision, f1; } rows[] = {
        {"ASP.NET", 3467, .693, .819},
        {"StackExchange", 4130, .826, .905},
        {"Hupu", 3696, .739, .850},
        {"Douban", 4701, .940, .969},
        {"YouTube", 4903, .981, .990},
    };
    double precision = 0, f1 = 0;
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        dp_tally t = dp_tally_keep_all(5000, rows[i].clusters);
        dp_score s = dp_score_of(&t);
        assert_near(rows[i].precision, s.precision, .0005 + 1e-9);
        assert_near(rows[i].f1, s.f1, .0005 + 1e-9);
        assert_near(1, s.recall, 0);
        precision += s.precision / DP_COUNT(rows);
        f1 += s.f1 / DP_COUNT(rows);
    }
    assert_near(.836, precision, .0005);
    assert_near(.907, f1, .0005);
}

/* WSDM 2010 Table 3, small set: |U| * reduction / rules. */
static void average_reduction_is_as_in_wsdm_2010(void **state)
{
    (void)state;
    static const struct { uint64_t rules; double reduction, average; } rows[] = {
        {649, .062, 748.17}, {1707, .2642, 1218.78}, {2375, .3298, 1093.51}, {3547, .4153, 922.08}};
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        uint64_t n = 7870000;
        dp_tally t = {.urls = n, .groups = n - (uint64_t)((double)n * rows[i].reduction), .clusters = 1830000};
        dp_score s = dp_score_of(&t);
        assert_near(rows[i].average, dp_average_reduction(&s, rows[i].rules), .01 * rows[i].average);
    }
}

static void names_are_those_of_json(void **state)
{
    (void)state;
    dp_tally t = {.urls = 10, .groups = 6, .clusters = 5, .good = 3, .bad = 1, .covered = 4};
    dp_score s = dp_score_of(&t);
    static const struct { const char *name; double want; } names[] = {
        {"urls", 10}, {"clusters", 5}, {"fetched", 6}, {"covered", 4}, {"lost", 1}, {"reduction", .4},
        {"best_reduction", .5}, {"precision", 4.0 / 6}, {"recall", .8}, {"f1", 8.0 / 11}, {"good_merges", 3},
        {"bad_merges", 1}, {"coverage", 3.0 / 5}};
    double got;
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        assert_true(dp_score_find(&s, names[i].name, &got));
        assert_near(names[i].want, got, 1e-12);
    }
    assert_false(dp_score_find(&s, "F1", &got));
    t = (dp_tally){0};
    s = dp_score_of(&t); /* nothing at all: zeros, no NaN */
    assert_near(0, s.reduction + s.best_reduction + s.precision + s.recall + s.f1 + s.coverage, 0);
    assert_near(0, dp_average_reduction(&s, 0), 0);
}

static void rules_are_scored_as_the_papers_say(void **state)
{
    (void)state;
    dp_bound      b = DP_BOUND_INIT;
    dp_trial      t = {.changed = 50, .f = 5, .good = 30, .bad = 10, .support = 20, .false_support = 4,
                       .pairs = 100, .false_pairs = 5, .n = {12, 8}, .s = {12, 7}};
    dp_rule_score s = dp_rule_score_of(&t, &b);
    assert_near(.9, s.precision, 1e-12);
    assert_near(.75, s.merge_precision, 1e-12);
    assert_near(.2, s.fpr, 1e-12);
    assert_near(.05, s.fpr_collide, 1e-12);
    assert_near(dp_bound_precision(&b, 19, 20), s.expected, 0);
    assert_true(dp_rule_is_valid(&t, .05));
    assert_false(dp_rule_is_valid(&t, .04));
    t.pairs = t.false_pairs = 0;
    assert_false(dp_rule_is_valid(&t, .05)); /* no evidence */
    static const bool valid[] = {true, true, false, true};
    assert_near(1, dp_precision_at(valid, 4, 2), 0);
    assert_near(2.0 / 3, dp_precision_at(valid, 4, 3), 1e-15);
    assert_near(.75, dp_precision_at(valid, 4, 100), 0);
    assert_near(0, dp_precision_at(valid, 0, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keep_all_has_all_and_saves_nothing),
        cmocka_unit_test(all_to_one_saves_most_and_loses_most),
        cmocka_unit_test(best_is_perfect),
        cmocka_unit_test(sigir_table_2_follows_from_table_1),
        cmocka_unit_test(average_reduction_is_as_in_wsdm_2010),
        cmocka_unit_test(names_are_those_of_json),
        cmocka_unit_test(rules_are_scored_as_the_papers_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
