/* learn/run/site_result.h - what came of some sites, as bytes that can be kept, sent and merged.
 *
 *     some sites ─► dp_site_results ─ pack ─► bytes ─ unpack ─► merge ─► learn/run/summary.h
 *
 * A result holds the blocks of one site's rules and its counts. Which sites stand together in a list does not matter:
 * lists are merged in the order of the sites' names, so that a run cut into any partitions, on any machines, gives one
 * rule file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_SITE_RESULT_H
#define DP_LEARN_RUN_SITE_RESULT_H

#include "base/arena.h"
#include "learn/accept/learn_site.h"

typedef struct dp_site_result {
    dp_str     name;
    bool       across;     /* what leads from one domain to another, of several owners: beside what each has alone */
    uint64_t   urls, contradicting, soft;
    uint64_t   alike;      /* pages that differ from another one in a few places of which nothing is known */
    uint64_t   names, contents; /* URLs that are known by a cluster of the input; by content */
    uint64_t   sampled;    /* URLs of the sample that was learned from; 0: all */
    uint64_t   by[DP_BYS]; /* URLs with a cluster, by why */
    dp_learned learned;
} dp_site_result;

/* A zeroed one is valid and empty. */
typedef struct dp_site_results {
    dp_site_result *v; /* [n] */
    size_t          n, cap;
    dp_arena        names;
} dp_site_results;

/* Take over a result, whose name is copied; its memory is the list's, also on failure. DP_ENOMEM. */
dp_err dp_site_results_add(dp_site_results *l, const dp_site_result *f);

/* Bring them into the order of their names; what leads across comes behind the site of that name. */
void dp_site_results_sort(dp_site_results *l);

/* Append the bytes of a list; add those of such bytes. DP_ESYNTAX when they are not whole, DP_ENOMEM. */
void   dp_site_results_pack(dp_buf *out, const dp_site_results *l);
dp_err dp_site_results_unpack(dp_site_results *l, dp_str bytes);

void dp_site_results_done(dp_site_results *l);

#endif
