/* eval/samples.h - what single rules do, by example: URLs that they change, pairs that they merge wrongly; and votes.
 *
 *     /list?page=1  ─ drop ?page ─►  /list  ◄─ drop ?page ─  /list?page=2        one group
 *
 *     of one cluster:  good[]  a URL, and what the rule makes of it
 *     of two:          wrong[] a URL of each
 *
 * judge/replay.h counts the same groups and keeps one wrong pair; this keeps several of each rule, out of different
 * groups, the first in input order, and the votes of eval/agree.h. Each rule alone, in one firing, on the stage-0 form,
 * as there. eval/audit.h and output/report/report.h show them.
 *
 * Memory: 17 bytes a URL, 17 a cluster and 32 for each rule that fires on a URL, while it looks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_SAMPLES_H
#define DP_EVAL_SAMPLES_H

#include "base/arena.h"
#include "eval/trail.h"
#include "judge/bound.h"

enum { DP_SAMPLES = 3 /* of each kind and rule */ };

typedef struct dp_sample {
    uint32_t item;
    bool     merges; /* another URL has what it becomes */
    dp_str   after;  /* what the rule makes of it; in the arena */
} dp_sample;

typedef struct dp_wrong {
    uint32_t a, b; /* two URLs of different clusters; the rule changes a */
} dp_wrong;

typedef struct dp_rule_samples {
    dp_sample good[DP_SAMPLES]; /* those that merge come first */
    dp_wrong  wrong[DP_SAMPLES];
    uint32_t  ngood, nwrong;
    dp_votes  votes; /* of clusters, as far as they agree */
} dp_rule_samples;

/* Which URLs are looked at. */
typedef struct dp_items {
    const uint32_t *v; /* [n] numbers of URLs, ascending; NULL: 0 to n - 1 */
    uint32_t        n;
} dp_items;

static inline uint32_t dp_items_at(const dp_items *items, uint32_t i)
{
    return items->v ? items->v[i] : i;
}

/* The same of what rules do one after another (eval/trail.h), into out[rules]; `after` of good ones stays empty. */
dp_err dp_samples_along(dp_rule_samples *out, size_t rules, const dp_trail *trail, const dp_truth *t);

/* Samples of each rule of `e` into out[dp_engine_count(e)]; URLs whose text was not kept are passed over. DP_ENOMEM. */
dp_err dp_samples_find(dp_rule_samples *out, const dp_engine *e, const dp_truth *t, dp_items items, dp_arena *a);

#endif
