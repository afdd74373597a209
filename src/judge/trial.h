/* judge/trial.h - what the data say of one rule: one vote a cluster.
 *
 *     f_r(u) = r(u) where r fires, else u         groups of equal f_r with a changed URL, n_g >= 2
 *
 *     cluster C votes when a changed URL of it lies in such a group:
 *         for     every such group that holds a URL of C holds no other cluster
 *         against else
 *
 * Clusters vote, not pairs (docs/evaluation.md): a soft error page under a thousand URLs is a
 * million pairs and one piece of evidence. Clusters of one URL vote as any other: that is
 * how a rule that swallows pages shows. Beside the votes stand the merges and the counts that
 * the papers use.
 *
 * The papers' f counts pairs (u, v) with r(u) = v whose clusters differ: each changed URL once, against the URL that
 * has the text r(u). Where no URL has it (the rule erases, or nobody asked for v), the others with the same result
 * stand for v, and u counts by the share of them that are of another cluster. One mislabelled URL among 99 of a page
 * is one or two pairs, where the votes see a group that holds two clusters.
 *
 * Reads groups (judge/groups.h) of tag = rule; judge/replay.h makes them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_TRIAL_H
#define DP_JUDGE_TRIAL_H

#include "base/fold.h"
#include "judge/groups.h"

typedef struct dp_trial {
    uint64_t changed;                  /* URLs that the rule changes: r_cov of WSDM 2010 */
    uint64_t unknown;                  /* of them alone in their group: neither for nor against */
    uint64_t good, bad;                /* merges in groups with a changed URL */
    double   f;                        /* WSDM 2010: pairs (u, v) with r(u) = v of two clusters; see below */
    uint64_t support, false_support;   /* KDD 2008: pairs (u, v) of URLs with v = r(u); of other clusters */
    uint64_t pairs, false_pairs;       /* ordered pairs that the rule gives one key; of other clusters */
    uint32_t n[DP_FOLDS], s[DP_FOLDS]; /* votes, and votes for, by the fold of the cluster */
    uint32_t soft;                     /* votes for of soft errors, which do not count */
    uint32_t bad_a, bad_b;             /* two URLs it merges wrongly, DP_NO_ITEM: none */
} dp_trial;

#define DP_NO_ITEM UINT32_MAX

/* What the URLs are. */
typedef struct dp_labels {
    const uint32_t *cluster;  /* [items] */
    uint32_t        clusters; /* how many */
    const uint8_t  *fold;     /* [clusters]; NULL: all in fold 0 */
    const uint8_t  *is_soft;  /* [clusters] 1: one content under many unlike URLs; NULL: none */
} dp_labels;

/* Votes over the folds of `mask`. */
typedef struct dp_vote_sum {
    uint64_t n, s;
} dp_vote_sum;

static inline dp_vote_sum dp_trial_sum(const dp_trial *t, uint32_t mask)
{
    dp_vote_sum v = {0, 0};
    for (int f = 0; f < DP_FOLDS; f++) {
        v.n += mask >> f & 1 ? t->n[f] : 0;
        v.s += mask >> f & 1 ? t->s[f] : 0;
    }
    return v;
}

/* What one rule's groups are counted with; made once, used for rule after rule. */
typedef struct dp_trier {
    dp_labels labels;
    dp_stamps stamps;
    uint32_t *voter; /* [nvoter] clusters that vote on the rule at hand; marked in stamps */
    size_t    nvoter, cap;
} dp_trier;

dp_err dp_trier_init(dp_trier *t, const dp_labels *labels);
void   dp_trier_done(dp_trier *t);

/* One group: `changed` URLs first, then those that have the key by themselves. */
typedef struct dp_rule_group {
    const dp_member *changed; /* [nchanged] */
    size_t           nchanged;
    const dp_member *still; /* [nstill] */
    size_t           nstill;
} dp_rule_group;

/* Add a group of the rule at hand to `out`. DP_ENOMEM. */
dp_err dp_trier_add(dp_trier *t, const dp_rule_group *g, dp_trial *out);

/* Count the votes: the rule's groups are complete. */
void dp_trier_vote(dp_trier *t, dp_trial *out);

#endif
