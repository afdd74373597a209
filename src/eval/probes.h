/* eval/probes.h - what `apply --explore` let through, found again among records: were the rules right to hide it?
 *
 *     records of one key, in their order:   A   B   C   D        A was fetched first: it stands for the others
 *     whom the hash takes (apply/explore.h):    x       x        B and D are probes, right when they show the page of A
 *
 * The hash has chosen them, not the site, the crawler or the rules: so they are a random sample of all that is hidden,
 * also where others of the same key were fetched for other reasons. A page of which nothing is known is no probe.
 *
 * A probe tests each rule without which the two would have different keys; all that fired on them where there is none.
 * A wrong one is held against all of these, although one may be to blame alone. So the rules that break are found from
 * the worst on, and the probes of one that does no longer count for others. The worst is who fails most often if each
 * rule fails by itself, and a probe is wrong when one of its rules fails: expectation and maximization find it. Whoever
 * fails at least half as often breaks with it, so that two rules that are always seen together both do.
 *
 * Reads eval/truth.h; eval/audit.h makes verdicts of it.
 *
 * Memory: 20 bytes a URL while they are searched; 24 a probe and 4 for each of its rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_PROBES_H
#define DP_EVAL_PROBES_H

#include "apply/explore.h"
#include "eval/truth.h"
#include "judge/betting.h"

typedef struct dp_explored {
    uint32_t item, first; /* URLs of the truth */
    uint32_t rules, end;  /* those that it tests, in dp_probes.rule */
    bool     wrong;
} dp_explored;

typedef struct dp_probes {
    dp_explored *v; /* [n] in the order of the records */
    size_t       n, cap;
    uint32_t    *rule; /* [nrule] */
    size_t       nrule, rule_cap;
} dp_probes;

/* Of all URLs of `t`, whose texts must be there; `e` is the engine of rules as `apply` has it. To be done with also
 * after a failure. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_probes_find(dp_probes *out, const dp_engine *e, const dp_truth *t, const dp_explore *x);
void   dp_probes_done(dp_probes *p);

/* All of them together. */
dp_draws dp_probes_sum(const dp_probes *p);

/* What they tell of one rule. */
typedef struct dp_probed {
    dp_draws draws; /* those that count */
    double   odds;  /* against "at every time as precise as promised" (judge/betting.h) */
} dp_probed;

/* Of each of `n` rules that should be right at least promise[i] of the times, into out[n]; broken are those with odds
 * of at least `broken`. DP_ENOMEM. */
dp_err dp_probes_judge(const dp_probes *p, const double *promise, double broken, dp_probed *out, size_t n);

#endif
