/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>

#include "base/rng.h"
#include "base/str.h"
#include "judge/bound.h"

/* Property: rules that are coins of known precision are accepted as often as was promised. */

enum { RULES = 20000 };

static double uniform(dp_rng *r)
{
    return (double)(dp_rng_next(r) >> 11) * 0x1p-53;
}

/* How often a coin of rate p wins in n throws. */
static double throw_coins(dp_rng *r, double p, int n)
{
    int wins = 0;
    for (int i = 0; i < n; i++)
        wins += uniform(r) < p;
    return wins;
}

/* Half of the rules are valid and lose votes to wrong labels alone, half have any precision:
 * what judge/bound.h supposes. The precision that is expected of the accepted ones is what they have. */
static void it_keeps_its_promise(void **state)
{
    (void)state;
    static const double noise[] = {.005, .02, .05}, precision[] = {.8, .9, .95, .99};
    for (size_t i = 0; i < DP_COUNT(noise); i++) {
        for (size_t j = 0; j < DP_COUNT(precision); j++) {
            dp_rng   r = dp_rng_seed(1000 * i + j);
            dp_bound b = DP_BOUND_INIT;
            b.noise = noise[i];
            double sum = 0, claimed = 0, accepted = 0, valid = 0, taken = 0;
            for (int k = 0; k < RULES; k++) {
                bool   is_valid = dp_rng_next(&r) & 1;
                double p = is_valid ? 1 : uniform(&r);
                int    n = 1 << dp_rng_below(&r, 9);
                double s = throw_coins(&r, is_valid ? 1 - noise[i] : p, n);
                valid += is_valid && n >= 64;
                if (!dp_bound_accepts(&b, s, n, precision[j]))
                    continue;
                taken += is_valid && n >= 64;
                accepted++;
                sum += p;
                claimed += dp_bound_precision(&b, s, n);
            }
            print_message("e %.3f, promised %.2f: %5.0f accepted, claimed %.4f, true %.4f; of the valid with 64 votes "
                          "%.3f\n",
                          noise[i], precision[j], accepted, claimed / accepted, sum / accepted, taken / valid);
            assert_true(accepted > RULES / 5);
            assert_true(sum / accepted >= precision[j]);
            assert_true(fabs(sum - claimed) / accepted < .003);
            /* Not a promise, but what it is good for. At 5 % of wrong labels .99 is hard to prove. */
            assert_true(taken / valid > (noise[i] > .02 && precision[j] > .95 ? .7 : .95));
        }
    }
}

static void noise_is_found_again(void **state)
{
    (void)state;
    static const double noise[] = {.01, .03, .1};
    for (size_t i = 0; i < DP_COUNT(noise); i++) {
        dp_rng   r = dp_rng_seed(i);
        dp_votes v[2000];
        for (size_t k = 0; k < DP_COUNT(v); k++) {
            int n = 5 + (int)dp_rng_below(&r, 60);
            v[k].pos = throw_coins(&r, dp_rng_next(&r) & 1 ? 1 - noise[i] : uniform(&r), n);
            v[k].neg = n - v[k].pos;
        }
        double e = dp_noise_estimate(v, DP_COUNT(v));
        print_message("noise %.3f is found as %.4f\n", noise[i], e);
        assert_true(fabs(e - noise[i]) < .1 * noise[i] + .001);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_keeps_its_promise),
        cmocka_unit_test(noise_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
