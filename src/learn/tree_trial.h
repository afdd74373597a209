/* learn/tree_trial.h - coverage and precision of each candidate of a host, on all its URLs; which are kept.
 *
 *     candidate texts ─► engine ─► (rule, what it makes of URL i) ─► groups ─► r_cov, f
 *
 * WSDM'10, section 5: coverage is the URLs that a rule changes, precision the share of them that it does not bring
 * together with a page of another cluster. Both are counted on the clusters that rules are learned from; URLs of
 * other folds are there to be run into. A URL counts once, however many it runs into.
 *
 * A rule with a wide context changes many URLs that meet no other, and those count as right. So precision is also
 * taken of the URLs that met another; a rule that passes by that, too, is sure. Unsure ones pass, but stand behind the
 * others, and narrower ones are tried.
 *
 * A rule is kept when it does something that no kept rule with greater coverage does: what a wider rule says, or a
 * wider context of the same, need not be said again. Rules that merge more stand before others: each then does one
 * thing, and what is left is there for the next.
 *
 * For the files tree_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_TRIAL_H
#define DP_LEARN_TREE_TRIAL_H

#include "base/intern.h"
#include "judge/groups.h"
#include "learn/tree.h"
#include "learn/tree_pick.h"

typedef struct dp_tree_candidate {
    dp_str   text;
    bool     falls;   /* learn/phrase.h */
    uint32_t support; /* pairs */
    uint64_t covered, wrong; /* URLs, of the folds learned from */
    uint64_t met;     /* of those covered, the ones that it brings together with another: wrong, or right */
    uint64_t n, neg;  /* clusters for and against, of the folds learned from */
    uint64_t save;    /* URLs that it merges away */
    bool     passes; /* the papers' test */
    bool     sure;   /* also when precision is taken of those alone that met another */
    bool     kept;
    const dp_member *did; /* [ndid] what it makes of URLs, by key and URL; in a dp_tree_record */
    size_t           ndid;
} dp_tree_candidate;

typedef struct dp_tree_candidates {
    dp_tree_candidate *v; /* [n] malloc'd */
    uint32_t           n, cap;
} dp_tree_candidates;

/* What one rule makes of URLs, by key and URL. */
typedef struct dp_tree_deed {
    const dp_member *v; /* [n] */
    size_t           n;
} dp_tree_deed;

/* What rules, by their texts, make of the URLs of one host. It does not depend on the folds that candidates are made
 * from, so those of several choices of folds are run once. A zeroed one is valid and empty. */
typedef struct dp_tree_record {
    dp_intern     known; /* texts to numbers of `deed` */
    dp_tree_deed *deed;  /* [ndeed] */
    uint32_t      ndeed, deed_cap;
    dp_member   **page; /* [npage] where they lie */
    uint32_t      npage, page_cap;
} dp_tree_record;

void dp_tree_record_done(dp_tree_record *r);

/* All URLs of a site by their texts, and room to count in; made once for all hosts. */
typedef struct dp_tree_court dp_tree_court;

/* DP_ENOMEM. `workers` of them may try hosts at the same time. */
dp_err dp_tree_court_new(dp_tree_court **out, const dp_site *s, const dp_tree_picks *p, const dp_tree_options *o,
                         const dp_learn_context *ctx, unsigned workers);
void   dp_tree_court_free(dp_tree_court *c);

/* The trial of one host's candidates from one choice of folds, a round at a time. */
typedef struct dp_tree_trial {
    dp_tree_court     *court;
    dp_tree_record    *record; /* of the host; the caller's */
    uint32_t           host;
    uint32_t           folds;  /* bits: those learned from */
    unsigned           worker;
    dp_pool           *pool; /* may be NULL */
    dp_tree_candidates v;
    uint32_t           tried; /* of them */
} dp_tree_trial;

void dp_tree_trial_done(dp_tree_trial *t);

/* Try those that were added since the last round to t[0 .. n), which have the host and its record in common: what is
 * new in any of them is run at once. DP_ENOMEM. */
dp_err dp_tree_trial_round(dp_tree_trial *t, size_t n);

/* Pairs of URLs of the site, of one class. */
typedef struct dp_tree_sample {
    const uint32_t *u, *v; /* [n] */
    size_t          n;
    size_t          enough; /* that must have one key */
    bool            same;   /* out: so many have, under the candidates that are sure */
} dp_tree_sample;

/* Ask that of `n` samples. DP_ENOMEM. */
dp_err dp_tree_trial_explain(const dp_tree_trial *t, dp_tree_sample *sample, size_t n);

/* Choose those that are kept, and put all in the order of priority: kept ones first, and of them those that merge
 * most. DP_ENOMEM. */
dp_err dp_tree_trial_choose(dp_tree_trial *t);

#endif
