/* judge/beta.h - the beta and binomial distributions, safe for counts up to 10^9 and beyond.
 *
 * Everything is computed from deviances (Loader 2000), not from differences of log-gammas,
 * which lose their digits when counts are large.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_BETA_H
#define DP_JUDGE_BETA_H

/* ln of the chance of `s` successes in `n` trials (0 <= s <= n, n > 0; need not be whole) of
 * success rate `p`; -INFINITY where that is 0. */
double dp_binomial_log(double s, double n, double p);

/* The share of Beta(a, b), a, b > 0, below x: the regularized incomplete beta function. */
double dp_beta_below(double a, double b, double x);

#endif
