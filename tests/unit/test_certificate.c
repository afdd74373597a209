/* judge/certificate: an exact binomial test, and the votes that are missing.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/str.h"
#include "judge/certificate.h"

/* The sum as it is defined, term by term. */
static double by_sum(unsigned good, unsigned bad, double precision)
{
    unsigned n = good + bad;
    double   sum = 0, term = pow(precision, n);
    for (unsigned i = 0; i <= bad; i++) {
        sum += term;
        term *= (double)(n - i) / (i + 1) * (1 - precision) / precision;
    }
    return sum;
}

static void is_the_binomial_sum(void **state)
{
    static const double precision[] = {.5, .9, .99};
    (void)state;
    for (size_t k = 0; k < DP_COUNT(precision); k++) {
        for (unsigned good = 1; good < 400; good += 7) {
            for (unsigned bad = 0; bad < 9; bad++)
                assert_true(fabs(by_sum(good, bad, precision[k]) -
                                 dp_certificate_doubt(good, bad, precision[k])) < 1e-9);
        }
    }
    assert_true(dp_certificate_doubt(0, 0, .99) == 1);
    assert_true(dp_certificate_doubt(0, 5, .99) == 1);
}

static void says_what_is_missing(void **state)
{
    static const struct {
        unsigned bad, need;
        double   precision;
    } row[] = {{0, 299, .99}, {1, 472, .99}, {0, 59, .95}, {5, 203, .95}, {0, 29, .9}};
    (void)state;
    for (size_t i = 0; i < DP_COUNT(row); i++) {
        assert_int_equal(row[i].need, dp_certificate_missing(0, row[i].bad, row[i].precision, .05));
        assert_int_equal(1, dp_certificate_missing(row[i].need - 1, row[i].bad, row[i].precision, .05));
        assert_int_equal(0, dp_certificate_missing(row[i].need, row[i].bad, row[i].precision, .05));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_binomial_sum),
        cmocka_unit_test(says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
