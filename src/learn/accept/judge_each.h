/* learn/accept/judge_each.h - which proposals become rules, and what is written of them.
 *
 *     proposals ─► program ─► judge/replay, each alone ─► votes ─► judge/bound ─► state, p, n, neg
 *
 * Evidence has a strength (site/site.h: fetch, digest, text > redirect > canonical > near > size > list). A rule is
 * judged on URLs whose cluster rests on evidence that is trusted: it becomes active when it passes there. One that
 * passes only when all clusters count becomes `likely`; so does one on which no cluster votes at all, when its
 * method's own test is for it. What clusters speak against is dropped.
 *
 * Of the folds only those count that did not propose the rule (dp_case.folds). The share of wrong labels is estimated
 * from the votes on all proposals of the site; bad merges up to that share are no rule's harm.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_JUDGE_EACH_H
#define DP_LEARN_ACCEPT_JUDGE_EACH_H

#include "judge/bound.h"
#include "judge/trial.h"
#include "learn/method/method.h"

/* By what is judged. */
typedef struct dp_court {
    const dp_site *site;
    dp_str         keep;    /* lines of every block */
    double         min_precision;
    unsigned       trust;   /* 1 << dp_by */
    dp_pool       *pool;    /* may be NULL */
    dp_effects    *effects; /* what the learner saw its rules do; may be NULL */
    dp_firings    *fired;   /* what it saw all of them do together, until they have been run; may be NULL, or empty */
} dp_court;

/* Pages avoided that one lost page is worth, as the precision that is asked for says: 99 for .99. */
static inline double dp_court_kappa(const dp_court *c)
{
    double p = c->min_precision < .9999 ? c->min_precision : .9999;
    return p / (1 - p);
}

#define DP_TRUST_ALWAYS (1u << DP_BY_FETCH | 1u << DP_BY_DIGEST | 1u << DP_BY_TEXT | 1u << DP_BY_REDIRECT)

/* A proposal, and what is found about it. */
typedef struct dp_case {
    dp_proposal own;    /* as its method put it */
    uint32_t folds;     /* that may vote on it: 1 << fold */
    bool     is_read;   /* it is a rule */
    dp_trial trusted;   /* on trusted evidence */
    dp_trial all;       /* on all, where that is more */
} dp_case;

typedef struct dp_cases {
    dp_proposals p;
    dp_case     *v;     /* [p.n] */
    bool         weak;  /* some evidence is not trusted: dp_case.all is filled in */
    double       noise; /* share of wrong labels, as estimated */
} dp_cases;

/* See which proposals are rules: dp_case.is_read. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_cases_read(dp_cases *c, const dp_court *court);

/* The same, and try them, each alone. */
dp_err dp_cases_hear(dp_cases *c, const dp_court *court);

/* Decide by the votes of the folds in `mask`: in[i] becomes 1 for those that pass, and their p, n, neg, save and state
 * are filled in; 0 for others. May be asked again with another mask. DP_ENOMEM. */
dp_err dp_cases_decide(dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in);

#endif
