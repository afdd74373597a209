/* base/fold.h - ten folds of clusters, so that no rule is judged on what proposed it.
 *
 *     cluster id ── hash ──► mod 10 ──► fold         the same in every run and on every machine
 *
 * Cross-fitting (docs/learning.md): for each fold candidates come from the clusters of the others
 * and are judged on this one; the counts of a candidate over the folds that did not propose
 * it are added. A trial belongs to its cluster's fold, while collisions are looked for among
 * all URLs: hiding half of them would hide three quarters of the colliding pairs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_FOLD_H
#define DP_BASE_FOLD_H

#include "base/hash.h"
#include "base/str.h"

enum { DP_FOLDS = 10, DP_REPORT_FOLD = 9 /* proposes nothing; held out where rules are measured */ };

#define DP_ALL_FOLDS ((1u << DP_FOLDS) - 1)

static inline uint32_t dp_fold_of(dp_str cluster)
{
    return (uint32_t)(dp_hash_seeded(cluster.p, cluster.n, 0x666f6c64) % DP_FOLDS);
}

#endif
