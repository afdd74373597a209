/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/betting.h"

#include <math.h>

#include "judge/beta.h"

#define ALL_IN       .991 /* of the stake */
#define MOST_CAPITAL 1e9
enum { HALVINGS = 60 };

/* ln of the capital of who bets on all shares above q evenly, with s right of n:
 *
 *     1/(1-q) ∫_q^1 x^s (1-x)^(n-s) dx / (q^s (1-q)^(n-s))
 *
 * With C the number of orders of s among n, C ∫_q^1 ... dx = P(Beta(s+1, n-s+1) > q) / (n+1), and C cancels out. */
static double log_even(double s, double n, double q)
{
    double above = dp_beta_below(n - s + 1, s + 1, 1 - q) / ((n + 1) * (1 - q));
    return log(above) - dp_binomial_log(s, n, q);
}

double dp_bet_against_most(dp_draws d, double q)
{
    double s = (double)d.right, n = s + (double)d.wrong;
    if (!(n > 0))
        return 1;
    double all_in = d.wrong ? 0 : exp(-s * log(q));
    return fmin(ALL_IN * all_in + (1 - ALL_IN) * exp(log_even(s, n, q)), MOST_CAPITAL);
}

/* ln of the capital against "at least q". */
static double log_against_least(dp_draws d, double q)
{
    double f = (double)d.wrong, n = f + (double)d.right;
    return n > 0 ? log_even(f, n, 1 - q) : 0;
}

double dp_bet_against_least(dp_draws d, double q)
{
    return fmin(exp(log_against_least(d, q)), MOST_CAPITAL);
}

/* Beginning anew is told of wrong draws alone: what begins at a right one has less; to leave it out is to bet less. */
double dp_bet_change(const uint64_t *wrong_at, size_t wrong, uint64_t n, double q)
{
    double sum = exp(log_against_least((dp_draws){n - wrong, wrong}, q));
    for (size_t i = 0; i < wrong; i++) {
        double   k = (double)wrong_at[i] + 1;
        uint64_t left = n - wrong_at[i], bad = wrong - i;
        sum += exp(log_against_least((dp_draws){left - bad, bad}, q)) / (k * (k + 1));
    }
    return fmin(sum / 2, MOST_CAPITAL);
}

/* Below what was seen the capital falls with q: what is refuted ends where it comes down to 1/(1 - confidence). */
double dp_bet_least(dp_draws d, double confidence)
{
    double n = (double)d.right + (double)d.wrong, goal = 1 / (1 - confidence);
    double low = 0, high = (double)d.right / (n + 1);
    if (!d.right)
        return 0;
    for (int i = 0; i < HALVINGS; i++) {
        double q = low + (high - low) / 2;
        if (q > 0 && dp_bet_against_most(d, q) >= goal)
            low = q;
        else
            high = q;
    }
    return low;
}

double dp_bet_most(dp_draws d, double confidence)
{
    double n = (double)d.right + (double)d.wrong, goal = 1 / (1 - confidence);
    double low = 1 - (double)d.wrong / (n + 1), high = 1;
    if (!d.wrong)
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        double q = low + (high - low) / 2;
        if (q < 1 && dp_bet_against_least(d, q) >= goal)
            high = q;
        else
            low = q;
    }
    return high;
}
