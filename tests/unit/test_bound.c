/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/str.h"
#include "judge/bound.h"

/* The formula as it is printed, where numbers are small enough for it. */
static double as_printed(double pos, double neg, double e)
{
    double S = .5 * pow(1 - e, pos) * pow(e, neg);
    double B = .5 * exp(lgamma(pos + 1) + lgamma(neg + 1) - lgamma(pos + neg + 2));
    return (S + B * (pos + 1) / (pos + neg + 2)) / (S + B);
}

static void it_is_the_printed_formula(void **state)
{
    (void)state;
    static const double noise[] = {.005, .02, .05};
    for (size_t i = 0; i < DP_COUNT(noise); i++) {
        dp_bound b = DP_BOUND_INIT;
        b.noise = noise[i];
        for (double pos = 0; pos <= 18; pos++) {
            for (double neg = 0; neg <= 6; neg++)
                assert_true(fabs(as_printed(pos, neg, noise[i]) - dp_bound_precision(&b, pos, pos + neg)) < 1e-9);
        }
    }
}

static void grows_with_the_votes_for_a_rule(void **state)
{
    (void)state;
    for (double n = 1; n <= 3e9; n *= 13) {
        dp_bound b = DP_BOUND_INIT;
        double   last = 0;
        for (int i = 0; i <= 40; i++) {
            double s = i == 40 ? n : floor(n * (1 - pow(.8, i))), got = dp_bound_precision(&b, s, n);
            assert_true(isfinite(got) && got >= 0 && got <= 1);
            assert_true(got >= last - .001);
            last = got;
        }
    }
}

static void accepts_what_is_likely_enough(void **state)
{
    (void)state;
    dp_bound b = DP_BOUND_INIT;
    assert_true(dp_bound_precision(&b, 0, 0) == .75); /* the prior */
    assert_false(dp_bound_accepts(&b, 3, 3, .1));     /* min_wins */
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
        cmocka_unit_test(it_is_the_printed_formula),
        cmocka_unit_test(grows_with_the_votes_for_a_rule),
        cmocka_unit_test(accepts_what_is_likely_enough),
        cmocka_unit_test(noise_is_what_good_rules_suffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
