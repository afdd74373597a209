/* learn/accept/run_together.h - all rules of a file together on the URLs of a site: who fired, what was merged, what
 * was lost.
 *
 *     URL ─► key, rules that fired         groups of equal keys:  URLs of the cluster that most are of   good
 *                                                                 others, and the rule that brought them   bad
 *
 * What single rules promise (learn/accept/judge_each.h) need not hold when they stand together: one may bring URLs to
 * where another merges them wrongly. A wrong merge is put down to one rule, the least certain of those that fired.
 *
 * Reads learn/accept/program.h, whose rules all fire; learn/accept/judge_together.h drops the harmful ones.
 *
 * Where a learner has seen these rules together, only what it does not know is run (learn/accept/known_firings.h).
 *
 * Memory: 16 bytes a URL and 4 for each rule that fires on it; 4 more once they are sorted and 20 while they are, 4
 * while counting.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_RUN_TOGETHER_H
#define DP_LEARN_ACCEPT_RUN_TOGETHER_H

#include "base/pool.h"
#include "base/fold.h"
#include "learn/method/firings.h"
#include "learn/accept/program.h"

/* What one rule did, together with the others. */
typedef struct dp_together_rule {
    uint64_t fired;        /* URLs */
    uint64_t good, bad;    /* of them merged rightly; wrong merges put down to it */
    uint64_t kind[DP_BYS]; /* good ones, by what their cluster rests on */
} dp_together_rule;

typedef struct dp_together {
    const dp_site *site;
    unsigned       kinds;   /* URLs with evidence of these kinds take part: 1 << dp_by */
    uint64_t      *key;     /* [site->n] hash */
    size_t        *at;      /* [site->n + 1] its rules begin in `fired` */
    uint32_t      *fired;   /* numbers of rules of the program, each once a URL */
    uint32_t      *order;   /* [n] URLs that take part, by key and number; NULL before dp_together_sort */
    size_t         n;
    uint32_t      *endless; /* [nendless] URLs on which the rules found no end: they have their stage-0 key */
    size_t         nendless;
} dp_together;

/* What is run. */
typedef struct dp_together_task {
    const dp_program *program;
    const dp_site    *site;
    unsigned          kinds;
    dp_pool          *pool;  /* may be NULL */
    const dp_firings *known; /* what these very rules do, as far as it is known; may be NULL */
} dp_together_task;

/* DP_ENOMEM. */
dp_err dp_together_run(dp_together *out, const dp_together_task *t);

/* Bring equal keys together, for all who count: once, when the first asks. DP_ENOMEM. */
dp_err dp_together_sort(dp_together *j);
void   dp_together_done(dp_together *j);

/* What each rule did to the clusters of the folds in `mask`; p[i] is what rule i promises. DP_ENOMEM. */
dp_err dp_together_count(dp_together *j, uint32_t mask, const double *p, dp_together_rule *out, size_t rules);

/* What a crawl by these keys saves and loses among the clusters of one fold. */
typedef struct dp_held_out_result {
    uint64_t urls, clusters;
    uint64_t fetched;  /* different keys of these URLs */
    uint64_t lost;     /* of these clusters, no page is fetched when the first URL of each key is */
    double   expected; /* the same by what the rules promise: sum of 1 - p over these URLs that are merged away */
} dp_held_out_result;

dp_err dp_together_measure(dp_together *j, uint32_t fold, const double *p, dp_held_out_result *out);

#endif
