/* store/sharing.h - whether domains may have clusters in common.
 *
 *     cluster ─► the domain that had it first;   another domain has it, too: one more is shared
 *
 * Which domains are linked is found from the clusters of each (site/group.h), for which every fact must be taken out
 * and put together once more. Where clusters are named, and no name comes from two domains, there is nothing to find:
 * this is seen while facts are added, and all that is spared. May say that there is something where there is nothing,
 * never the other way round.
 *
 * Memory: 17 to 23 bytes a cluster, up to the limit; there, it gives up.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_SHARING_H
#define DP_STORE_SHARING_H

#include "base/ordinal.h"
#include "site/fact.h"

/* A zeroed one is valid: it knows nothing, and does not look. */
typedef struct dp_sharing {
    size_t      limit;   /* bytes; 0: it does not look */
    dp_ordinals cluster; /* ids */
    uint32_t   *domain;  /* [cluster.n] that had it first */
    uint32_t    domain_cap;
    uint64_t    shared;  /* times that a cluster had another domain */
    uint64_t    last_cluster; /* of the fact before: most have the same */
    uint32_t    last_domain;
} dp_sharing;

/* See a fact of domain number `domain`. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_sharing_note(dp_sharing *s, const dp_fact *f, uint32_t domain);

/* Whether domains may share at least `least` clusters. */
static inline bool dp_sharing_is_possible(const dp_sharing *s, uint64_t least)
{
    return !s->limit || s->shared >= least;
}

void dp_sharing_done(dp_sharing *s);

#endif
