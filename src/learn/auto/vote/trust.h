/* learn/auto/vote/trust.h - how far to believe so many votes, given what other rules turned out to be.
 *
 * Spike and slab (judge/bound.h), with every prior learned: a share w of the ideas of a family is valid, and
 * disagreement with them is label noise e; the precision of the others is Beta(a, b).
 *
 *     S = w (1-e)^pos e^neg      B = (1-w) B(pos+a, neg+b) / B(a, b)
 *     expected precision = (S + B (pos+a)/(pos+neg+a+b)) / (S + B)
 *
 * e is what the idea itself met, within a quarter of the common noise and all of it.
 *
 * All of it comes out of the ideas of a round together, by expectation and maximization, beginning from what other
 * sites of the run say (dp_experience): on a site where hundreds of exchanged folders hold without a contradiction, a
 * few clusters are enough for the next one; where every other one fails, they are not.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_TRUST_H
#define DP_LEARN_AUTO_VOTE_TRUST_H

#include "judge/bound.h"
#include "learn/auto/forms/idea.h"

/* Votes on one idea. */
typedef struct dp_poll {
    double    pos, neg;
    dp_family family;
    double    prior; /* chance that the idea is valid, in place of its family's; 0: not known */
    bool      taken; /* it was accepted: of those that are not valid it says nothing */
} dp_poll;

/* What was seen, in sums; zeroed: nothing. */
typedef struct dp_experience {
    double valid[DP_FAMILIES], ideas[DP_FAMILIES]; /* expected number of valid ideas, of all */
    double wrong, votes;                           /* on valid ideas: against, all */
    double bad, share, square;                     /* ideas that are not valid; sum of their precisions, and squares */
} dp_experience;

typedef struct dp_trust {
    double noise;              /* e */
    double most;               /* that it can be, by the cleanest idea so far */
    double valid[DP_FAMILIES]; /* w */
    double a, b;
    double beta;               /* ln of the beta function of a and b */
    const dp_bound *instead; /* an experiment: that bound, which learns nothing; NULL: as above */
} dp_trust;

/* What to believe before anything is seen here: after so much was seen elsewhere (may be NULL). */
void dp_trust_init(dp_trust *t, const dp_experience *elsewhere);

/* Learn from the ideas of a round; `*here` is what they add. What rules leave for later rounds is hard to explain, and
 * tells little of noise: an earlier round with more votes (`before`) makes up for those that are missing. */
void dp_trust_learn(dp_trust *t, dp_experience *here, const dp_experience *before, const dp_experience *elsewhere,
                    const dp_poll *v, size_t n);

/* Rules that were accepted have met so many votes, `neg` of them against. Wrong labels would have spoken against them
 * as against any other rule: they excuse no more than that from now on. */
void dp_trust_check(dp_trust *t, double votes, double neg);

/* The share of wrong labels by so many votes, `neg` of them against, on other rules, and by what was seen elsewhere
 * (may be NULL). */
double dp_trust_noise_by_others(const dp_experience *elsewhere, double votes, double neg);

/* The most that a rule is worth with votes against it, where that share of labels is wrong: what these cannot explain
 * is the rule's own. */
double dp_trust_most_precision(double noise, double pos, double neg);

/* Whether labels are as good as exact, so that votes against a rule mean what they say. */
bool dp_trust_is_exact(const dp_trust *t);

/* Expected precision of an idea that was specialised `depth` times: each halves its prior. */
double dp_trust_precision(const dp_trust *t, const dp_poll *p, unsigned depth);

/* Expected precision of what holds by accident: nothing is known of it but its votes, by the rule of succession. */
double dp_trust_accident(double pos, double neg);

void dp_experience_add(dp_experience *all, const dp_experience *one);

/* A share of what was seen. */
dp_experience dp_experience_part(const dp_experience *e, double share);

/* Take out of `all` what was added as `one`. */
void dp_experience_leave_out(dp_experience *all, const dp_experience *one);

#endif
