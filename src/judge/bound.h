/* judge/bound.h - how precise is a rule, when so many clusters speak for it and so many against?
 *
 *     dp_trial ── wins s of n ──► dp_bound_precision ──► >= what is promised? accept
 *
 * Spike and slab: with chance 1/2 the rule is valid and every vote against it is a wrong label (rate e); else its
 * precision is uniform. What is told is the expected precision. It believes in twenty clean votes and in five hundred
 * with two against; intervals, which must hold for every rule alone, believe in neither (docs/results/auto.txt).
 *
 * Invariants:
 *   - The answer lies in [0, 1], does not fall by more than .001 when s grows at fixed n, and is finite for any n below
 *     10^15.
 *   - Without evidence (n = 0) it is 3/4, the prior; `min_wins` keeps that from being believed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_BOUND_H
#define DP_JUDGE_BOUND_H

#include <stdbool.h>
#include <stddef.h>

/* The share of wrong labels: where nothing is known, and what it is held to be at least and at most. */
#define DP_USUAL_NOISE .02
#define DP_LEAST_NOISE .005
#define DP_MOST_NOISE  .15

typedef struct dp_bound {
    double noise;    /* e: share of wrong labels */
    double min_wins; /* dp_bound_accepts asks for as many clusters */
} dp_bound;

#define DP_BOUND_INIT ((dp_bound){.noise = DP_USUAL_NOISE, .min_wins = 4})

enum { DP_KAPPA = 99 /* pages avoided that one lost page is worth; precision .99 */ };

/* What precision `s` wins in `n` trials prove. */
double dp_bound_precision(const dp_bound *b, double s, double n);

/* Whether they prove `precision`, with at least min_wins. */
bool dp_bound_accepts(const dp_bound *b, double s, double n, double precision);

/* The economic test: good merges against `kappa` times the bad ones. */
static inline bool dp_bound_pays(double good, double bad, double kappa)
{
    return good - kappa * bad > 0;
}

/* Votes for and against one rule. */
typedef struct dp_votes {
    double pos, neg;
} dp_votes;

/* e out of the votes on many rules, by expectation and maximization, kept within
 * DP_LEAST_NOISE and DP_MOST_NOISE; DP_USUAL_NOISE when there are none. */
double dp_noise_estimate(const dp_votes *v, size_t n);

#endif
