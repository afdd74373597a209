/* learn/duster/candidate.h - instances of two pages or more with one outline: a rule that may hold.
 *
 *     instances × levels ── by hash of their outlines ──► groups ──► texts, each once
 *
 * At most DP_DUSTER_RULES of a site: those of most pages.
 *
 * Memory: 32 bytes an instance while they are brought together.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_CANDIDATE_H
#define DP_LEARN_DUSTER_CANDIDATE_H

#include "learn/duster/text.h"

enum { DP_DUSTER_RULES = 2000 };

/* What pages are learned from. */
typedef struct dp_duster_lesson {
    const dp_site             *site;
    const dp_duster_instance **v;     /* [n] by cluster */
    uint32_t                   n;
    uint32_t                   folds; /* of clusters that teach: 1 << fold */
    uint32_t                   max_set;
    dp_str                     hosts; /* all of the site, as a host line has them */
} dp_duster_lesson;

typedef struct dp_duster_candidate {
    dp_str   text, hosts;
    uint64_t key;             /* hash of its outlines */
    uint32_t level, instance; /* the first that has it */
    uint32_t pages;           /* that taught it */
    unsigned by;              /* 1 << dp_by of their URLs */
    uint64_t votes, wrong;    /* learn/duster/trial.h: pages that it merges URLs of; of them with others */
    bool     is_good;         /* by these */
} dp_duster_candidate;

typedef struct dp_duster_candidates {
    dp_duster_candidate *v; /* [n] malloc'd; by level, then text */
    uint32_t             n, cap;
} dp_duster_candidates;

/* Texts in `a`. DP_ENOMEM; what there is must be given back also then. */
dp_err dp_duster_candidates_make(dp_duster_candidates *out, const dp_duster_lesson *l, dp_arena *a);
void   dp_duster_candidates_done(dp_duster_candidates *c);

/* Take out those of candidates [from, *to) that are special cases of a good one; `*to` follows. DP_ENOMEM. */
dp_err dp_duster_candidates_thin(dp_duster_candidates *c, uint32_t from, uint32_t *to, const dp_duster_lesson *l);

#endif
