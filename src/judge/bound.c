/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/bound.h"

#include <math.h>
#include <string.h>

#include "judge/beta.h"

#define LEAST_NOISE   0.005
#define MOST_NOISE    0.15
#define NOISE_UNKNOWN 0.02

static const char *const names[] = {"spike", "wilson", "bayes", "exact", "strict"};

const char *dp_bound_name(dp_bound_kind kind)
{
    return names[kind];
}

/* How much more likely than not the rule is valid: S / (S + B) of bound.h. In terms of the
 * binomial chance of `s` in `n` at rate 1 - e, S/B is (n + 1) times that chance. */
static double valid_chance(double s, double n, double e)
{
    double odds = n > 0 ? log1p(n) + dp_binomial_log(s, n, 1 - e) : 0;
    return odds > 0 ? 1 / (1 + exp(-odds)) : exp(odds) / (1 + exp(odds));
}

static double as_printed(double s, double n, double e)
{
    double valid = valid_chance(s, n, e);
    return valid + (1 - valid) * (s + 1) / (n + 2);
}

/* Where fewer votes are against a rule than wrong labels alone would bring, the formula begins
 * to doubt it again (e = .15: .983 at 43 of 50, .970 at 47). A cleaner rule is no worse. */
static double spike(double s, double n, double e)
{
    double got = as_printed(s, n, e), likeliest = floor((n + 1) * (1 - e));
    return s > likeliest ? fmax(got, as_printed(likeliest, n, e)) : got;
}

/* The z with chance `alpha` above it: bisection on erfc, which is exact enough everywhere. */
static double normal_quantile(double alpha)
{
    double low = -40, high = 40;
    for (int i = 0; i < 200 && high - low > 1e-15 * (1 + fabs(low)); i++) {
        double mid = (low + high) / 2;
        if (erfc(mid / sqrt(2)) / 2 > alpha)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

static double wilson(double s, double n, double alpha)
{
    double z = normal_quantile(alpha), p = s / n, zz = z * z / n;
    return (p + zz / 2 - z * sqrt(p * (1 - p) / n + zz / (4 * n))) / (1 + zz);
}

/* p ln(p/q) + (1-p) ln((1-p)/(1-q)) */
static double kl(double p, double q)
{
    double x = p > 0 ? p * log(p / q) : 0, y = p < 1 ? (1 - p) * (log1p(-p) - log1p(-q)) : 0;
    return x + y;
}

/* The least q <= p that is not refuted: kl(p, q) = (L ln 2 + ln(1/delta)) / n. */
static double strict(double s, double n, double bits, double delta)
{
    double p = s / n, want = (bits * log(2) - log(delta)) / n, low = 0, high = p;
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        double mid = low + (high - low) / 2;
        if (kl(p, mid) >= want)
            low = mid;
        else
            high = mid;
    }
    return low;
}

double dp_bound_precision(const dp_bound *b, double s, double n)
{
    double got = 0;
    if (b->kind == DP_BOUND_SPIKE)
        got = spike(s, n, b->noise);
    else if (n > 0 && b->kind == DP_BOUND_WILSON)
        got = wilson(s, n, b->alpha);
    else if (n > 0 && b->kind == DP_BOUND_BAYES)
        got = dp_beta_quantile(b->a + s, b->b + n - s, b->alpha);
    else if (s > 0 && b->kind == DP_BOUND_EXACT)
        got = dp_beta_quantile(s, n - s + 1, b->alpha);
    else if (s > 0 && b->kind == DP_BOUND_STRICT)
        got = strict(s, n, b->bits, b->delta);
    return got < 0 ? 0 : got > 1 ? 1 : got;
}

bool dp_bound_accepts(const dp_bound *b, double s, double n, double precision)
{
    return s >= b->min_wins && dp_bound_precision(b, s, n) >= precision;
}

double dp_noise_estimate(const dp_votes *v, size_t n)
{
    double e = NOISE_UNKNOWN;
    for (int round = 0; round < 200; round++) {
        double wrong = 0, all = 0;
        for (size_t i = 0; i < n; i++) {
            double votes = v[i].pos + v[i].neg, valid = votes > 0 ? valid_chance(v[i].pos, votes, e) : 0;
            wrong += valid * v[i].neg;
            all += valid * votes;
        }
        if (!(all > 0))
            return NOISE_UNKNOWN;
        double next = fmin(fmax(wrong / all, LEAST_NOISE), MOST_NOISE), step = fabs(next - e);
        e = next;
        if (step < 1e-9)
            break;
    }
    return e;
}
