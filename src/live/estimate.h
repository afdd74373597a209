/* live/estimate.h - how many requests a validation will make, and how long that takes, before it begins.
 *
 *     rules, draws ─► URLs of at most N tests a rule, each once, by host ─► requests, seconds
 *
 * With --budget only those rules are tested that save most, each on --min-tests pairs, until the requests are spent. A
 * rule with fewer pairs is not tested: nothing could decide it.
 *
 * At most so many: a rule is decided as soon as it can be, and pages may be in the cache. Redirects, and what is asked
 * again after a failure, are not counted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ESTIMATE_H
#define DP_LIVE_ESTIMATE_H

#include "live/spread.h"
#include "live/verdict.h"

typedef struct dp_estimate {
    uint64_t requests; /* with one for robots.txt of each host */
    uint64_t hosts;
    uint64_t seconds;
} dp_estimate;

/* Say in v->plan what each rule takes that is to be tested; with a budget those are the rules that save most, with as
 * few tests as can decide. After dp_draws_finish. DP_ENOMEM. */
dp_err dp_estimate_plan(dp_validation *v);

/* Of all that is planned. DP_ENOMEM. */
dp_err dp_estimate_make(dp_estimate *out, const dp_validation *v);

/* The same of `validate --echo`: the first of `s`, each twice. After dp_spread_finish. DP_ENOMEM. */
dp_err dp_estimate_echo(dp_estimate *out, const dp_validation *v, const dp_spread *s);

#endif
