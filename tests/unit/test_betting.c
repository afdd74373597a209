/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"
#include "base/str.h"
#include "judge/betting.h"

/* The dumb way: the capital of many who each bet on one share, draw by draw, and of one who goes all-in. */
static double naive_against_most(uint64_t right, uint64_t wrong, double q)
{
    enum { PARTS = 20000 };
    double even = 0, all_in = 1;
    for (int i = 0; i < PARTS; i++) {
        double x = q + (1 - q) * (i + .5) / PARTS, mine = 1;
        for (uint64_t k = 0; k < right; k++)
            mine *= x / q;
        for (uint64_t k = 0; k < wrong; k++)
            mine *= (1 - x) / (1 - q);
        even += mine / PARTS;
    }
    for (uint64_t k = 0; k < right; k++)
        all_in /= q;
    return .991 * (wrong ? 0 : all_in) + .009 * even;
}

static double naive_against_least(uint64_t right, uint64_t wrong, double q)
{
    enum { PARTS = 20000 };
    double even = 0;
    for (int i = 0; i < PARTS; i++) {
        double x = q * (i + .5) / PARTS, mine = 1;
        for (uint64_t k = 0; k < right; k++)
            mine *= x / q;
        for (uint64_t k = 0; k < wrong; k++)
            mine *= (1 - x) / (1 - q);
        even += mine / PARTS;
    }
    return even;
}

static void assert_near(double want, double got)
{
    if (!(fabs(want - got) <= 1e-3 * want + 1e-9))
        fail_msg("%.9g, expected %.9g", got, want);
}

static void capital_is_that_of_single_bets(void **state)
{
    (void)state;
    static const uint64_t n[][2] = {{0, 0}, {1, 0}, {0, 1}, {5, 0}, {7, 2}, {40, 1}, {0, 6}, {100, 3}};
    static const double   q[] = {.3, .5, .9, .97};
    for (size_t i = 0; i < DP_COUNT(n); i++) {
        for (size_t k = 0; k < DP_COUNT(q); k++) {
            dp_draws d = {n[i][0], n[i][1]};
            assert_near(fmin(naive_against_most(d.right, d.wrong, q[k]), 1e9), dp_bet_against_most(d, q[k]));
            assert_near(fmin(naive_against_least(d.right, d.wrong, q[k]), 1e9), dp_bet_against_least(d, q[k]));
        }
    }
}

/* One who begins anew at each draw; the bets that begin at right draws are left out. */
static void change_is_a_sum_over_beginnings(void **state)
{
    (void)state;
    static const bool wrong[] = {0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
    const double      q = .9;
    uint64_t          at[DP_COUNT(wrong)], n = DP_COUNT(wrong);
    size_t            bad = 0;
    double            want = naive_against_least(7, 4, q) / 2;
    for (size_t k = 0; k < n; k++) {
        if (!wrong[k])
            continue;
        at[bad++] = k;
        uint64_t right = 0, not = 0;
        for (size_t i = k; i < n; i++)
            *(wrong[i] ? &not : &right) += 1;
        want += naive_against_least(right, not, q) / 2 / (((double)k + 1) * ((double)k + 2));
    }
    assert_near(want, dp_bet_change(at, bad, n, q));
    assert_near(.5, dp_bet_change(NULL, 0, 0, q));
}

static void so_many_draws_prove_so_much(void **state)
{
    (void)state;
    static const struct { uint64_t right, wrong; double least; } cases[] = {
        {299, 0, .99}, {59, 0, .95}, {29, 0, .9}, {149, 0, .98}, {1274, 1, .99}, {1509, 2, .99}, {2113, 5, .99},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        double at = dp_bet_least((dp_draws){cases[i].right, cases[i].wrong}, .95);
        double before = dp_bet_least((dp_draws){cases[i].right - 1, cases[i].wrong}, .95);
        if (!(at >= cases[i].least && before < cases[i].least))
            fail_msg("%d right, %d wrong: %.6f, one fewer %.6f", (int)cases[i].right, (int)cases[i].wrong, at, before);
    }
    assert_true(dp_bet_least((dp_draws){0, 0}, .95) == 0 && dp_bet_most((dp_draws){0, 0}, .95) == 1);
    assert_true(dp_bet_least((dp_draws){0, 9}, .95) == 0 && dp_bet_most((dp_draws){9, 0}, .95) == 1);
    assert_true(dp_bet_most((dp_draws){0, 3}, .95) < .8);
}

static void bounds_are_in_order_and_safe_for_large_counts(void **state)
{
    (void)state;
    dp_rng r = dp_rng_seed(1);
    for (int i = 0; i < 3000; i++) {
        dp_draws d = {dp_rng_below(&r, 1u << dp_rng_below(&r, 31)), dp_rng_below(&r, 1u << dp_rng_below(&r, 31))};
        double   seen = (double)d.right / ((double)d.right + (double)d.wrong), least = dp_bet_least(d, .95);
        double   most = dp_bet_most(d, .95);
        if (d.right + d.wrong && !(0 <= least && least <= seen && seen <= most && most <= 1))
            fail_msg("%.0f right, %.0f wrong: %g to %g", (double)d.right, (double)d.wrong, least, most);
        assert_true(dp_bet_least(d, .999) <= least && dp_bet_most(d, .999) >= most);
    }
}

/* Simulation: of 1,000 sequences looked at after every draw, at most a share of 1 - confidence is ever wrong. */
static void bounds_hold_at_all_times(void **state)
{
    (void)state;
    enum { RUNS = 1000, DRAWS = 300 };
    static const unsigned per_mille[] = {900, 970, 990};
    for (size_t i = 0; i < DP_COUNT(per_mille); i++) {
        dp_rng r = dp_rng_seed(i + 1);
        double share = per_mille[i] / 1000.;
        int    above = 0, below = 0, changed = 0;
        for (int run = 0; run < RUNS; run++) {
            dp_draws d = {0, 0};
            uint64_t at[DRAWS];
            bool     over = false, under = false, fell = false;
            for (uint64_t n = 0; n < DRAWS; n++) {
                bool right = dp_rng_below(&r, 1000) < per_mille[i];
                if (right)
                    d.right++;
                else
                    at[d.wrong++] = n;
                over |= dp_bet_against_most(d, share) >= 10;
                under |= dp_bet_against_least(d, share) >= 10;
                fell |= !right && dp_bet_change(at, d.wrong, n + 1, share) >= 10;
            }
            above += over;
            below += under;
            changed += fell;
        }
        /* All-in comes close to what is allowed; 30 are three standard deviations. */
        if (above > RUNS / 10 + 30 || below > RUNS / 10 + 30 || changed > RUNS / 10 + 30)
            fail_msg("share %g, confidence .9: %d, %d and %d of %d are wrong", share, above, below, changed, RUNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capital_is_that_of_single_bets),
        cmocka_unit_test(change_is_a_sum_over_beginnings),
        cmocka_unit_test(so_many_draws_prove_so_much),
        cmocka_unit_test(bounds_are_in_order_and_safe_for_large_counts),
        cmocka_unit_test(bounds_hold_at_all_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
