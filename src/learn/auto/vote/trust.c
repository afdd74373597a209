/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/trust.h"
#include "learn/auto/thresholds.h"

#include <math.h>

enum { EM_ROUNDS = 30 };

/* The share of valid ideas before anything is seen. */
static double first_share(int family)
{
    bool safe = family == DP_FAMILY_HOST || family == DP_FAMILY_ORDER || family == DP_FAMILY_INDEX;
    return safe ? DP_FIRST_SAFE : DP_FIRST_VALID;
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static double log_beta(double a, double b)
{
    return lgamma(a) + lgamma(b) - lgamma(a + b);
}

/* Log likelihood of votes on a valid idea. Wrong labels are not spread evenly: an idea may meet fewer than others do,
 * so that a clean record is no reason for doubt where labels are bad. */
static double log_spike(double noise, double pos, double neg)
{
    double e = clamp(neg / fmax(pos + neg, 1), fmax(noise / DP_LESS_NOISE, DP_LEAST_NOISE), noise);
    return pos * log1p(-e) + neg * log(e);
}

/* The chance that the idea is valid. */
static double valid_chance(const dp_trust *t, double w, double pos, double neg)
{
    double spike = log(w) + log_spike(t->noise, pos, neg);
    double slab = log1p(-w) + log_beta(pos + t->a, neg + t->b) - t->beta;
    return 1 / (1 + exp(slab - spike));
}

void dp_experience_add(dp_experience *all, const dp_experience *one)
{
    for (int f = 0; f < DP_FAMILIES; f++) {
        all->valid[f] += one->valid[f];
        all->ideas[f] += one->ideas[f];
    }
    all->wrong += one->wrong;
    all->votes += one->votes;
    all->bad += one->bad;
    all->share += one->share;
    all->square += one->square;
}

dp_experience dp_experience_part(const dp_experience *e, double share)
{
    dp_experience s = *e;
    for (int f = 0; f < DP_FAMILIES; f++) {
        s.valid[f] *= share;
        s.ideas[f] *= share;
    }
    s.wrong *= share;
    s.votes *= share;
    s.bad *= share;
    s.share *= share;
    s.square *= share;
    return s;
}

static void take_out(double *all, double one)
{
    *all = *all > one ? *all - one : 0;
}

void dp_experience_leave_out(dp_experience *all, const dp_experience *one)
{
    for (int f = 0; f < DP_FAMILIES; f++) {
        take_out(&all->valid[f], one->valid[f]);
        take_out(&all->ideas[f], one->ideas[f]);
    }
    take_out(&all->wrong, one->wrong);
    take_out(&all->votes, one->votes);
    take_out(&all->bad, one->bad);
    take_out(&all->share, one->share);
    take_out(&all->square, one->square);
}

/* The best guess from sums. */
static void guess(dp_trust *t, const dp_experience *e)
{
    t->noise = clamp((e->wrong + DP_FIRST_WRONG) / (e->votes + DP_FIRST_VOTES), DP_LEAST_NOISE, t->most);
    for (int f = 0; f < DP_FAMILIES; f++)
        t->valid[f] = clamp((e->valid[f] + DP_FIRST_IDEAS * first_share(f)) / (e->ideas[f] + DP_FIRST_IDEAS),
                            DP_LEAST_VALID, DP_MOST_VALID);
    /* Moments of the others, beginning from a uniform distribution. */
    double n = e->bad + DP_FIRST_IDEAS, mean = (e->share + DP_FIRST_IDEAS / 2.0) / n;
    double var = fmax((e->square + DP_FIRST_IDEAS / 3.0) / n - mean * mean, 1e-3);
    double k = fmax(mean * (1 - mean) / var - 1, .2);
    t->a = clamp(mean * k, DP_SLAB_LEAST_A, DP_SLAB_MOST_A);
    t->b = clamp((1 - mean) * k, DP_SLAB_LEAST_B, DP_SLAB_MOST_B);
    t->beta = log_beta(t->a, t->b);
}

/* At most `ideas` and `votes` of what was seen. */
static dp_experience scaled(const dp_experience *e, double ideas, double votes)
{
    dp_experience s = *e;
    double        v = e->votes > votes ? votes / e->votes : 1, b = e->bad > ideas ? ideas / e->bad : 1;
    for (int f = 0; f < DP_FAMILIES; f++) {
        double x = e->ideas[f] > ideas ? ideas / e->ideas[f] : 1;
        s.valid[f] *= x;
        s.ideas[f] *= x;
    }
    s.wrong *= v;
    s.votes *= v;
    s.bad *= b;
    s.share *= b;
    s.square *= b;
    return s;
}

void dp_trust_init(dp_trust *t, const dp_experience *elsewhere)
{
    static const dp_experience none;
    *t = (dp_trust){.most = DP_MOST_NOISE};
    guess(t, elsewhere ? elsewhere : &none);
}

static void observe(dp_experience *e, const dp_trust *t, const dp_poll *v, size_t n)
{
    *e = (dp_experience){0};
    for (size_t i = 0; i < n; i++) {
        double pos = v[i].pos, neg = v[i].neg;
        if (pos + neg < DP_FEW_VOTES)
            continue;
        double r = valid_chance(t, t->valid[v[i].family], pos, neg), share = pos / (pos + neg);
        e->valid[v[i].family] += r;
        e->ideas[v[i].family] += 1;
        e->wrong += r * neg;
        e->votes += r * (pos + neg);
        if (v[i].taken)
            continue;
        e->bad += 1 - r;
        e->share += (1 - r) * share;
        e->square += (1 - r) * share * share;
    }
}

/* What the cleanest idea leaves of the noise: rules that are wrong now and then look like wrong labels, but these would
 * have met a thousand votes on another rule as well. */
static double most_noise(const dp_poll *v, size_t n)
{
    double most = DP_MOST_NOISE;
    for (size_t i = 0; i < n; i++)
        if (v[i].pos + v[i].neg >= DP_MANY_VOTES)
            most = fmin(most, (v[i].neg + DP_CLEAN_SIGMA * sqrt(v[i].neg) + DP_CLEAN_VOTES) / (v[i].pos + v[i].neg));
    return fmax(most, DP_LEAST_NOISE);
}

void dp_trust_learn(dp_trust *t, dp_experience *here, const dp_experience *before, const dp_experience *elsewhere,
                    const dp_poll *v, size_t n)
{
    t->most = fmin(t->most, most_noise(v, n));
    t->noise = fmin(t->noise, t->most);
    for (int round = 0; round < EM_ROUNDS; round++) {
        observe(here, t, v, n);
        dp_experience sum = *here;
        if (before->votes > here->votes) {
            dp_experience rest = dp_experience_part(before, 1 - here->votes / before->votes);
            dp_experience_add(&sum, &rest);
        }
        if (elsewhere) {
            dp_experience prior = scaled(elsewhere, DP_PRIOR_IDEAS, DP_PRIOR_VOTES);
            dp_experience_add(&sum, &prior);
        }
        guess(t, &sum);
    }
}

void dp_trust_check(dp_trust *t, double votes, double neg)
{
    if (votes >= DP_MANY_VOTES)
        t->most = clamp((neg + DP_CLEAN_SIGMA * sqrt(neg) + DP_NONE_OF_MANY) / votes, DP_LEAST_NOISE, t->most);
    t->noise = fmin(t->noise, t->most);
}

double dp_trust_noise_by_others(const dp_experience *elsewhere, double votes, double neg)
{
    static const dp_experience none;
    dp_experience prior = scaled(elsewhere ? elsewhere : &none, DP_PRIOR_IDEAS, DP_PRIOR_VOTES);
    return (neg + prior.wrong + DP_FIRST_WRONG) / (votes + prior.votes + DP_FIRST_VOTES);
}

double dp_trust_most_precision(double noise, double pos, double neg)
{
    double votes = pos + neg, expected = noise * votes, excused = expected + DP_CLEAN_SIGMA * sqrt(expected);
    return neg >= DP_WORTH_A_LOOK && neg > excused ? 1 - (neg - excused) / votes : 1;
}

double dp_trust_accident(double pos, double neg)
{
    return (pos + 1) / (pos + neg + 2);
}

bool dp_trust_is_exact(const dp_trust *t)
{
    return t->most <= DP_EXACT_LABELS;
}

double dp_trust_precision(const dp_trust *t, const dp_poll *p, unsigned depth)
{
    if (t->instead)
        return dp_bound_precision(t->instead, p->pos, p->pos + p->neg);
    double w = ldexp(p->prior > 0 ? p->prior : t->valid[p->family], -(int)depth);
    double r = valid_chance(t, w, p->pos, p->neg);
    return r + (1 - r) * (p->pos + t->a) / (p->pos + p->neg + t->a + t->b);
}
