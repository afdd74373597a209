/* eval/probes.h - what `apply --explore` let through, found again among records: were the rules right to hide it?
 *
 *     records of one key, in their order:   A   B   C   D        A was fetched first: it stands for the others
 *     whom the hash takes (apply/explore.h):    x       x        B and D are probes, right when they show the page of A
 *
 * The hash has chosen them, not the site, the crawler or the rules: so they are a random sample of all that is hidden,
 * also where others of the same key were fetched for other reasons. Order is that of time, where all records have one.
 *
 * Where the first of a key showed no page, nothing was fetched in the place of what is hidden: a probe that shows a
 * page is wrong after an error, and cannot be compared after a redirect or where nothing is known of the first. A
 * probe that shows no page itself cannot be compared either, and what comes first of its key although the hash takes
 * it and rules fire on it may be a probe whose first is missing. All these are counted.
 *
 * A probe tests each rule without which the two would have different keys; all that fired on them where there is none.
 * A wrong one is held against all of these, although one may be to blame alone. So the rules that break are found from
 * the worst on, and the probes of one that does no longer count for others. The worst is who fails most often if each
 * rule fails by itself, and a probe is wrong when one of its rules fails: expectation and maximization find it. Whoever
 * fails at least half as often breaks with it, so that two rules that are always seen together both do.
 *
 * Reads eval/truth.h; eval/audit.h makes verdicts of it.
 *
 * Memory: 36 bytes a URL while they are searched; 24 a probe and 4 for each of its rules.
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

/* A record of a fetch that shows no page. */
typedef struct dp_blank {
    dp_str   url;
    int64_t  time;
    uint32_t place;    /* that many URLs of the truth come before it */
    bool     is_error; /* not a redirect, and not a page of which nothing is known */
} dp_blank;

/* Where probes are searched. */
typedef struct dp_explored_urls {
    const dp_truth *truth; /* all its texts must be there */
    const int64_t  *time;  /* [truth->n] when each was fetched first; NULL: in the order of the truth */
    const dp_blank *blank; /* [nblank] */
    uint32_t        nblank;
} dp_explored_urls;

typedef struct dp_probes {
    dp_explored *v; /* [n] in the order of the records */
    size_t       n, cap;
    uint32_t    *rule; /* [nrule] */
    size_t       nrule, rule_cap;
    uint64_t     no_page;  /* not compared: the probe shows none, ... */
    uint64_t     no_first; /* ... or it is not known what the first shows */
    uint64_t     alone;    /* what may be probes, but comes first */
} dp_probes;

/* `e` is the engine of rules as `apply` has it. To be done with also after a failure. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_probes_find(dp_probes *out, const dp_engine *e, const dp_explored_urls *urls, const dp_explore *x);
void   dp_probes_done(dp_probes *p);

/* All of them together. */
dp_draws dp_probes_sum(const dp_probes *p);

/* What they tell of one rule. */
typedef struct dp_probed {
    dp_draws draws; /* those that count */
    double   odds;  /* against "at every time as precise as promised" (judge/betting.h) */
    bool     is_broken;
} dp_probed;

/* When a rule is broken: at such odds, or when what is at most right at this confidence is less than was promised. */
typedef struct dp_probe_bar {
    double odds, confidence;
} dp_probe_bar;

/* Of each of `n` rules that should be right at least promise[i] of the times, into out[n]. DP_ENOMEM. */
dp_err dp_probes_judge(const dp_probes *p, const double *promise, dp_probe_bar bar, dp_probed *out, size_t n);

#endif
