/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/str.h"
#include "judge/bound.h"

static dp_bound of(dp_bound_kind kind)
{
    dp_bound b = DP_BOUND_INIT;
    b.kind = kind;
    return b;
}

static void has_five_names(void **state)
{
    (void)state;
    static const char *const names[] = {"spike", "wilson", "bayes", "exact", "strict"};
    for (size_t i = 0; i < DP_COUNT(names); i++)
        assert_string_equal(names[i], dp_bound_name((dp_bound_kind)i));
}

/* How many wins in a row prove a precision: a table. */
static void asks_for_as_many_wins_as_the_table_says(void **state)
{
    (void)state;
    static const struct { double precision; int wilson, exact, strict; } rows[] = {
        {.8, 11, 14, 114},
        {.9, 25, 29, 242},
        {.95, 52, 59, 496},
        {.99, 268, 299, 2528},
    };
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        const struct { dp_bound_kind kind; int want; } column[] = {
            {DP_BOUND_WILSON, rows[i].wilson}, {DP_BOUND_EXACT, rows[i].exact}, {DP_BOUND_STRICT, rows[i].strict}};
        for (size_t j = 0; j < DP_COUNT(column); j++) {
            dp_bound b = of(column[j].kind);
            int      n = 1;
            while (!dp_bound_accepts(&b, n, n, rows[i].precision))
                n++;
            assert_int_equal(column[j].want, n);
        }
    }
    dp_bound wilson = of(DP_BOUND_WILSON), exact = of(DP_BOUND_EXACT), bayes = of(DP_BOUND_BAYES);
    assert_true(fabs(dp_bound_precision(&wilson, 10, 10) - .787) < .0005);
    assert_true(fabs(dp_bound_precision(&exact, 10, 10) - .741) < .0005);
    assert_true(fabs(dp_bound_precision(&bayes, 10, 10) - pow(.05, 1.0 / 11)) < 1e-9); /* Beta(11, 1) */
}

/* The formula as it is printed, where numbers are small enough for it. */
static double as_printed(double pos, double neg, double e)
{
    double S = .5 * pow(1 - e, pos) * pow(e, neg);
    double B = .5 * exp(lgamma(pos + 1) + lgamma(neg + 1) - lgamma(pos + neg + 2));
    return (S + B * (pos + 1) / (pos + neg + 2)) / (S + B);
}

static void spike_is_the_printed_formula(void **state)
{
    (void)state;
    static const double noise[] = {.005, .02, .05};
    for (size_t i = 0; i < DP_COUNT(noise); i++) {
        dp_bound b = of(DP_BOUND_SPIKE);
        b.noise = noise[i];
        for (double pos = 0; pos <= 18; pos++) {
            for (double neg = 0; neg <= 6; neg++)
                assert_true(fabs(as_printed(pos, neg, noise[i]) - dp_bound_precision(&b, pos, pos + neg)) < 1e-9);
        }
    }
}

static void says_no_more_than_is_proven(void **state)
{
    (void)state;
    for (int k = DP_BOUND_SPIKE; k <= DP_BOUND_STRICT; k++) {
        dp_bound b = of((dp_bound_kind)k);
        assert_true(k == DP_BOUND_SPIKE || dp_bound_precision(&b, 0, 0) == 0);
        assert_false(dp_bound_accepts(&b, 3, 3, .1)); /* min_wins */
        for (double n = 1; n <= 3e9; n *= 13) {
            double last = 0;
            for (int i = 0; i <= 40; i++) {
                double s = i == 40 ? n : floor(n * (1 - pow(.8, i))), got = dp_bound_precision(&b, s, n);
                assert_true(isfinite(got) && got >= 0 && got <= 1);
                assert_true(got >= last - .001);
                assert_true(k == DP_BOUND_SPIKE || k == DP_BOUND_BAYES || got <= s / n + 1e-12);
                last = got;
            }
        }
    }
    dp_bound b = DP_BOUND_INIT;
    assert_true(dp_bound_accepts(&b, 980000000, 1000000000, .99)); /* 2 % against: labels */
    assert_false(dp_bound_accepts(&b, 960000000, 1000000000, .99));
    assert_true(dp_bound_pays(100, 1, DP_KAPPA));
    assert_false(dp_bound_pays(99, 1, DP_KAPPA));
}

static void noise_is_what_good_rules_suffer(void **state)
{
    (void)state;
    dp_votes v[60] = {{0, 0}};
    assert_true(dp_noise_estimate(v, 0) == .02);
    for (size_t i = 0; i < DP_COUNT(v); i++)
        v[i] = i % 3 ? (dp_votes){194, 6} : (dp_votes){70, 130};
    assert_true(fabs(dp_noise_estimate(v, DP_COUNT(v)) - .03) < .0001);
    for (size_t i = 0; i < DP_COUNT(v); i++)
        v[i] = (dp_votes){300, 0};
    assert_true(dp_noise_estimate(v, DP_COUNT(v)) == .005);
    for (size_t i = 0; i < DP_COUNT(v); i++)
        v[i] = (dp_votes){83, 17};
    assert_true(dp_noise_estimate(v, DP_COUNT(v)) <= .15);
    for (size_t i = 0; i < DP_COUNT(v); i++)
        v[i] = (dp_votes){0, 0};
    assert_true(dp_noise_estimate(v, DP_COUNT(v)) == .02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_five_names),
        cmocka_unit_test(asks_for_as_many_wins_as_the_table_says),
        cmocka_unit_test(spike_is_the_printed_formula),
        cmocka_unit_test(says_no_more_than_is_proven),
        cmocka_unit_test(noise_is_what_good_rules_suffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
