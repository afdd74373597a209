/* learn/linkage.h - before the sites are learned: which domains are one, and what domains tell each other.
 *
 *     each domain alone: corpus ─┬─► presences ─► by cluster ─► site/group.h ─► sets of domains
 *                                └─► dp_method.survey, of the first domains by name ─► their sum
 *     facts of linked domains ─► drawers of their sites
 *
 * Where no cluster can be shared (store/sharing.h), and the method asks for no survey, nothing is read. Where none can
 * be shared and there is a survey, each domain is a site whatever the survey says: it waits as a pupil (learn/pupil.h)
 * where its facts are in memory and can be given back, since all sites of its drawer do so.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_LINKAGE_H
#define DP_LEARN_LINKAGE_H

#include "learn/course.h"
#include "learn/plan.h"
#include "learn/pupil.h"

/* What one domain told. */
typedef struct dp_told {
    dp_str   domain;
    dp_str   bytes; /* dp_method.shared_size of them, without the zeros at their end; malloc'd */
    dp_pupil pupil; /* waits for its lesson; empty: it is made again then */
} dp_told;

/* What was told as it was, malloc'd; NULL: memory is out. */
void *dp_told_copy(const dp_told *t, size_t shared_size);

typedef struct dp_linkage {
    dp_sets     sets;   /* of domains; n == 0: each is alone */
    dp_told    *told;   /* [ntold] by domain */
    uint32_t    ntold;
    void       *shared; /* what all told, malloc'd; NULL: nothing */
    dp_drawers *moved;  /* facts of linked domains; NULL: there are none */
} dp_linkage;

/* DP_ENOMEM, DP_EIO, DP_ELIMIT. */
dp_err dp_linkage_find(dp_linkage *out, const dp_course *c, dp_error *err);

/* NULL: the domain was not asked. */
dp_told *dp_linkage_told(const dp_linkage *l, dp_str domain);

/* Say which sites of a plan are ready: their pupils wait. */
void dp_linkage_mark(const dp_linkage *l, dp_plan *p);

/* Move the facts of linked domains to the drawers of their sites. */
dp_err dp_linkage_move(dp_linkage *l, const dp_course *c, const dp_plan *p, dp_error *err);
void   dp_linkage_done(dp_linkage *l);

#endif
