/* learn/linkage.h - before the sites are learned: which domains are one, and what domains tell each other.
 *
 *     each domain alone: corpus ─┬─► presences ─► by cluster ─► site/group.h ─► sets of domains
 *                                └─► dp_method.survey, of the first domains by name ─► their sum
 *     facts of linked domains ─► drawers of their sites
 *
 * Where no cluster can be shared (store/sharing.h), and the method asks for no survey, nothing is read.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_LINKAGE_H
#define DP_LEARN_LINKAGE_H

#include "learn/course.h"
#include "learn/plan.h"

/* What one domain told. */
typedef struct dp_told {
    dp_str domain;
    dp_str bytes; /* dp_method.shared_size of them, without the zeros at their end; malloc'd */
} dp_told;

typedef struct dp_linkage {
    dp_sets     sets;   /* of domains; n == 0: each is alone */
    dp_told    *told;   /* [ntold] by domain */
    uint32_t    ntold;
    void       *shared; /* what all told, malloc'd; NULL: nothing */
    dp_drawers *moved;  /* facts of linked domains; NULL: there are none */
} dp_linkage;

/* DP_ENOMEM, DP_EIO, DP_ELIMIT. */
dp_err dp_linkage_find(dp_linkage *out, const dp_course *c, dp_error *err);

/* What a domain told, as it was, malloc'd, into `*out`; NULL: it was not asked. DP_ENOMEM. */
dp_err dp_linkage_told(void **out, const dp_linkage *l, dp_str domain, size_t shared_size);

/* Move the facts of linked domains to the drawers of their sites. */
dp_err dp_linkage_move(dp_linkage *l, const dp_course *c, const dp_plan *p, dp_error *err);
void   dp_linkage_done(dp_linkage *l);

#endif
