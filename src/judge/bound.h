/* judge/bound.h - how precise is a rule, when so many clusters speak for it and so many against?
 *
 *     dp_trial ── wins s of n ──► dp_bound_precision ──► >= what is promised? accept
 *
 * One interface, five answers:
 *
 *   spike    expected precision. With chance 1/2 the rule is valid and every vote against it
 *            is a wrong label (rate e); else its precision is uniform. The default: it
 *            believes in twenty clean votes and in five hundred with two against.
 *   wilson   lower end of the one-sided interval by Wilson's score.
 *   bayes    quantile of Beta(a + s, b + n - s), with a prior of the rule's family.
 *   exact    Clopper and Pearson: no interval that keeps its promise is simpler; it is wide.
 *   strict   holds for all rules at once (Occam): a rule of L bits gets the share 2^-L of the
 *            chance delta that any claim is wrong.
 *
 * Invariants:
 *   - Answers lie in [0, 1], do not fall (spike: by no more than .001) when s grows at fixed n,
 *     and are finite for any n below 10^15.
 *   - Without evidence (n = 0) the bounds say 0; spike says 3/4, its prior; `min_wins` keeps
 *     that from being believed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_BOUND_H
#define DP_JUDGE_BOUND_H

#include <stdbool.h>
#include <stddef.h>

typedef enum dp_bound_kind {
    DP_BOUND_SPIKE = 0,
    DP_BOUND_WILSON,
    DP_BOUND_BAYES,
    DP_BOUND_EXACT,
    DP_BOUND_STRICT
} dp_bound_kind;

typedef struct dp_bound {
    dp_bound_kind kind;
    double        noise;    /* e of spike: share of wrong labels */
    double        alpha;    /* chance that wilson, bayes, exact claim too much */
    double        a, b;     /* prior of bayes */
    double        bits;     /* L of strict: description length of the rule */
    double        delta;    /* of strict: chance that any rule claims too much */
    double        min_wins; /* dp_bound_accepts asks for as many clusters, whatever the kind */
} dp_bound;

#define DP_BOUND_INIT \
    ((dp_bound){.kind = DP_BOUND_SPIKE, .noise = 0.02, .alpha = 0.05, .a = 1, .b = 1, .bits = 30, .delta = 0.01, \
                .min_wins = 4})

enum { DP_KAPPA = 99 /* pages avoided that one lost page is worth; precision .99 */ };

/* "spike", ... */
const char *dp_bound_name(dp_bound_kind kind);

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

/* e of spike out of the votes on many rules, by expectation and maximization, kept within
 * [0.005, 0.15]; 0.02 when there are none. */
double dp_noise_estimate(const dp_votes *v, size_t n);

#endif
