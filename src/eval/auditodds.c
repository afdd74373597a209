/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/auditodds.h"

#include <math.h>

#include "judge/beta.h"

#define BEST_PROMISE  .999
#define LEAST_PROMISE .001
#define MOST_ODDS     1e9

double dp_audit_rate(double promise, double noise)
{
    return fmin(fmax(promise * (1 - noise), LEAST_PROMISE), BEST_PROMISE);
}

/* With q the promised rate and C the number of orders of s wins among n votes:
 *
 *     odds = 1/q ∫₀^q x^s (1-x)^(n-s) dx / (q^s (1-q)^(n-s))
 *
 * and C ∫₀^q ... dx = P(Beta(s+1, n-s+1) < q) / (n+1), so that C cancels out. */
double dp_audit_odds(dp_votes votes, double promise, double noise)
{
    double n = votes.pos + votes.neg, q = dp_audit_rate(promise, noise);
    if (!(n > 0))
        return 1;
    double below = dp_beta_below(votes.pos + 1, votes.neg + 1, q) / ((n + 1) * q);
    double odds = log(below) - dp_binomial_log(votes.pos, n, q);
    return odds > log(MOST_ODDS) ? MOST_ODDS : exp(odds);
}
