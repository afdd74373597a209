/* learn/run/mirrors.h - before the sites are learned: which domains are linked, and what a survey of them tells.
 *
 *     each domain alone: corpus ─┬─► presences ─► site/group.h ─► sets: of one owner, of all
 *                                └─► dp_method.survey, of the first domains by name ─► voters.h: their sum
 *     facts of linked domains ─► buckets of their sites
 *
 * Where no cluster can be shared (store/sharing.h), and the method asks for no survey, nothing is read. Where none can
 * be shared and there is a survey, each domain is a site whatever the survey says: it is kept ready
 * (learn/run/ready_site.h) where its facts are in memory and can be given back, since all sites of its bucket do so.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_MIRRORS_H
#define DP_LEARN_RUN_MIRRORS_H

#include "learn/run/all_sites.h"
#include "learn/run/plan.h"
#include "learn/run/ready_site.h"

/* The survey of one domain. */
typedef struct dp_site_survey {
    dp_str        domain;
    dp_str        bytes; /* dp_method.shared_size of them, without the zeros at their end; malloc'd */
    dp_ready_site ready; /* to be learned; empty: it is made again then */
} dp_site_survey;

/* The bytes of a survey as they were, malloc'd; NULL: memory is out. */
void *dp_site_survey_copy(const dp_site_survey *t, size_t shared_size);

typedef struct dp_mirrors {
    dp_sets     sets;   /* of linked domains; n == 0: each is alone */
    dp_sets     own;    /* the same of those of one owner: they are one site */
    dp_site_survey  *survey; /* [nsurvey] by domain */
    uint32_t    nsurvey;
    void       *shared; /* the sum of all surveys, malloc'd; NULL: nothing */
    dp_buckets *moved;  /* facts of sites of several domains; NULL: there are none */
    dp_buckets *across; /* facts of linked domains of several owners; NULL: there are none */
} dp_mirrors;

/* DP_ENOMEM, DP_EIO, DP_ELIMIT. */
dp_err dp_mirrors_find(dp_mirrors *out, const dp_all_sites *c, dp_error *err);

/* NULL: the domain was not asked. */
dp_site_survey *dp_mirrors_survey(const dp_mirrors *l, dp_str domain);

/* Say which sites of a plan are ready: they were kept after the survey. */
void dp_mirrors_mark(const dp_mirrors *l, dp_plan *p);

/* Copy the facts of sites of several domains to the buckets of their sites, in files from `file` on; *to stays NULL
 * where there are none. */
dp_err dp_mirrors_move(dp_buckets **to, size_t file, const dp_all_sites *c, const dp_plan *p, dp_error *err);
void   dp_mirrors_done(dp_mirrors *l);

#endif
