/* learn/tree/candidate.h - rules on trial, and some of them as an engine.
 *
 *     text        /title/tt{x}/photogallery => /title/tt{x}/mediaindex
 *     counted     covered 812  f 3  met 640          by learn/tree/court.h
 *     decided     passes, sure; kept                 kept by learn/tree/choice.h
 *
 * learn/tree/rounds.h makes candidates; learn/tree/trial.h takes them from one to the other; tree.c proposes the kept
 * ones.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_CANDIDATE_H
#define DP_LEARN_TREE_CANDIDATE_H

#include "apply/engine.h"
#include "judge/groups.h"
#include "rule/rule.h"

/* What one rule makes of the URLs of its host, by key and URL; in a dp_tree_record. */
typedef struct dp_tree_effect {
    const dp_member *v; /* [n] */
    size_t           n;
} dp_tree_effect;

typedef struct dp_tree_candidate {
    dp_str         text;
    bool           falls;   /* learn/phrase/phrase.h */
    uint32_t       support; /* pairs */
    uint64_t       covered; /* r_cov: URLs, of the folds learned from */
    double         f;       /* of them brought together with a page of another cluster */
    uint64_t       met;     /* of them brought together with another at all */
    uint64_t       n, neg;  /* clusters for and against, of the folds learned from */
    uint64_t       save;    /* URLs that it merges away */
    bool           passes; /* the papers' test */
    bool           sure;   /* also when precision is taken of those alone that met another */
    bool           kept;
    dp_tree_effect did;
} dp_tree_candidate;

typedef struct dp_tree_candidates {
    dp_tree_candidate *v; /* [n] malloc'd */
    uint32_t           n, cap;
} dp_tree_candidates;

/* (r_cov - f) / r_cov; 0 when it covers none. */
double dp_tree_precision(const dp_tree_candidate *x);

/* Candidates that run together, in their order. */
typedef struct dp_tree_engine {
    dp_rules *rules;
    dp_engine e;
    uint32_t *candidate; /* [n] of each rule */
    size_t    n;
} dp_tree_engine;

/* Compile those that `wanted` wants (NULL: all), for URLs of `host`; those that cannot be read are left out.
 * DP_ENOMEM; nothing is to be given back then. */
dp_err dp_tree_engine_make(dp_tree_engine *g, const dp_tree_candidates *v, dp_str host,
                           bool (*wanted)(const dp_tree_candidate *x));
void   dp_tree_engine_done(dp_tree_engine *g);

#endif
