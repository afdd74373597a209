/* learn/run/plan.h - which sites there are, which domains each has, and where their facts lie.
 *
 *     sets of domains ─► site 0: a.com  b.com   4,000 facts   bucket 17 of `moved`
 *                        site 1: c.com            900 facts   bucket 203 of `facts`
 *
 * Sites are numbered in the order of their names, which are their least domains. Facts of a domain lie in the bucket of
 * that domain; those of sites of several domains have been copied to the bucket of the site's name (run/mirrors.h).
 * A run has two plans: the sites, each with the domains of one owner, and after these what domains of several owners
 * have in common.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_PLAN_H
#define DP_LEARN_RUN_PLAN_H

#include "content/sets.h"
#include "store/by_site.h"

typedef struct dp_plan_site {
    dp_str                name;
    uint32_t              from, ndomain; /* domain[from] to domain[from + ndomain - 1] */
    uint64_t              facts, bytes;
    uint64_t              relearn;       /* of its URLs (learn/run/held_out.h) */
    uint32_t              bucket;
    uint32_t              first;         /* number of its first domain */
    bool                  skip;          /* learned already, or not at all */
    bool                  across;        /* domains of several owners: only what leads from one to another is learned */
    struct dp_ready_site *ready;         /* learn/run/ready_site.h: its facts are not needed any more; NULL: they are */
    bool                  large;         /* read alone, from its bucket */
    bool                  heavy;         /* of these, it takes much of the memory */
} dp_plan_site;

/* A zeroed one is valid and empty. */
typedef struct dp_plan {
    dp_plan_site *v;       /* [n] */
    uint32_t      n;
    uint32_t     *site_of; /* [domains] */
    dp_str       *domain;  /* [domains] names, by site */
} dp_plan;

/* Each set of domains is a site; NULL: each domain is. DP_ENOMEM. */
dp_err dp_plan_make(dp_plan *out, const dp_facts *facts, dp_sets *sets);

/* A copy of site_of in which only sites of more than one domain (`linked`), or only others, are there, without those
 * that are skipped or ready, and without or with the large ones. NULL: memory is out. */
uint32_t *dp_plan_pick(const dp_plan *p, size_t domains, bool linked, bool large);

void dp_plan_done(dp_plan *p);

#endif
