/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/str.h"
#include "judge/beta.h"

/* Values by exact rational arithmetic, powers, or a continued fraction with 50 digits. */
static const struct { double a, b, x, want; } below[] = {
    {1, 1, .25, .25},
    {2, 3, .3, .3483},
    {5, 1, .9, .59049},
    {11, 1, .8, .08589934592},
    {300, 2, .99, .19616357628514342},
    {100, 100, .5, .5},
    {50, 150, .2, .045639193002795765},
    {500, 500, .48, .10291752730699591},
    {3, 2000, .001, .32386517308710411},
    {20, 3, .01, 2.26621e-38},
    {.5, .5, .1, .20483276469913345},
    {2.5, 7.25, .4, .84987023013411588},
    {1e4, 10, .9985, .069271949582052602},
    {5e8, 5e8, .50002, .897048394667977},
    {9.9e8, 1e7, .99, .499958581221212},
    {9.9e8, 1e7, .989995, .056036288551217},
};

static void assert_close(double want, double got, double relative)
{
    if (!(fabs(want - got) <= relative * fabs(want)))
        fail_msg("want %.17g, got %.17g", want, got);
}

static void equals_reference_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(below); i++) {
        /* x itself is rounded to 2^-53, which the steepest of these multiply. */
        double tolerance = below[i].a + below[i].b > 1e6 ? 1e-8 : 1e-11;
        assert_close(below[i].want, dp_beta_below(below[i].a, below[i].b, below[i].x), tolerance);
        assert_close(1 - below[i].want, dp_beta_below(below[i].b, below[i].a, 1 - below[i].x), tolerance);
    }
    assert_true(dp_beta_below(2, 3, 0) == 0 && dp_beta_below(2, 3, 1) == 1);
    assert_true(dp_beta_below(2, 3, -1) == 0 && dp_beta_below(2, 3, 2) == 1);
}

static void binomial_adds_up_to_one(void **state)
{
    (void)state;
    static const struct { double n, p; } cases[] = {{1, .5}, {7, .02}, {50, .98}, {2000, .3}};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        double sum = 0;
        for (double s = 0; s <= cases[i].n; s++)
            sum += exp(dp_binomial_log(s, cases[i].n, cases[i].p));
        assert_close(1, sum, 1e-12);
    }
    assert_close(log(210 * pow(.3, 4) * pow(.7, 6)), dp_binomial_log(4, 10, .3), 1e-13);
    assert_true(dp_binomial_log(0, 5, 0) == 0 && dp_binomial_log(5, 5, 1) == 0);
    assert_true(isinf(dp_binomial_log(1, 5, 0)) && isinf(dp_binomial_log(4, 5, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_reference_values),
        cmocka_unit_test(binomial_adds_up_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
