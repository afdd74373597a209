/* judge/loss.h - pages that a crawl by keys never fetches, by example.
 *
 *     URL 7 of cluster C has the key of URL 3 of another; so has every URL of C  ──►  {7, 3}
 *
 * Reads sorted groups and the marks that dp_groups_tally left (judge/groups.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_LOSS_H
#define DP_JUDGE_LOSS_H

#include "judge/groups.h"

enum { DP_LOSSES_KEPT = 20 };

typedef struct dp_loss {
    uint32_t item;    /* the first URL of a cluster of which none is fetched */
    uint32_t instead; /* the URL that is fetched in its place */
    uint32_t cluster;
} dp_loss;

/* The first `cap` lost clusters in input order; returns how many were put. */
size_t dp_losses_find(dp_loss *out, size_t cap, const dp_member *v, size_t n, const uint32_t *cluster,
                      const dp_stamps *s);

#endif
