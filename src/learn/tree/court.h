/* learn/tree/court.h - coverage and precision of a candidate, on all URLs of the site.
 *
 *     what it makes of URL i ─► groups of equal results, with the URL that is there already ─► r_cov, f
 *
 * WSDM'10, section 5: coverage r_cov is the URLs u that a rule changes, f the pairs (u, v) with r(u) = v whose clusters
 * differ, precision (r_cov - f) / r_cov. Both are counted on the clusters that rules are learned from; URLs of other
 * folds are there to be run into. Where no labelled URL has the text r(u), the others with the same result stand for v,
 * and u counts by the share of them that are of another cluster (judge/trial.h has the same f).
 *
 * A rule with a wide context changes many URLs that meet no other, and those count as right. So precision is also
 * taken of the URLs that met another; a rule that passes by that, too, is sure. Unsure ones pass, but stand behind the
 * others, and narrower ones are tried.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_COURT_H
#define DP_LEARN_TREE_COURT_H

#include "base/index.h"
#include "learn/tree/tree.h"
#include "learn/tree/candidate.h"
#include "learn/tree/pick.h"

/* Marks of clusters and URLs for one worker. */
typedef struct dp_tree_marks {
    uint32_t *good, *bad; /* [clusters] count in which the cluster was for, against */
    uint32_t *of;         /* [clusters] URLs of the group at hand; 0 between groups */
    uint32_t *moved;      /* [urls] count in which the URL was changed */
    uint32_t  now;        /* number of the count; the first is 1 */
} dp_tree_marks;

/* All URLs of a site by their texts, and room to count in; made once for all hosts. */
typedef struct dp_tree_court {
    const dp_site          *s;
    const dp_tree_picks    *p;
    const dp_tree_options  *o;
    const dp_learn_context *ctx;
    uint64_t               *hash; /* [s->n] of the texts of URLs */
    dp_index                index;
    dp_tree_marks          *marks; /* [workers] */
    unsigned                workers;
} dp_tree_court;

/* The first four fields are set, the others 0. DP_ENOMEM; dp_tree_court_done gives back what there is, also then.
 * `workers` of them may count at the same time. */
dp_err dp_tree_court_init(dp_tree_court *c, unsigned workers);
void   dp_tree_court_done(dp_tree_court *c);

/* Whose candidates are counted. */
typedef struct dp_tree_case {
    uint32_t host;
    uint32_t folds; /* bits: those learned from */
    unsigned worker;
} dp_tree_case;

/* Count what x->did does, and say whether it passes and is sure. */
void dp_tree_court_count(const dp_tree_court *c, const dp_tree_case *of, dp_tree_candidate *x);

/* The URLs of a host; *n: how many. */
static inline const uint32_t *dp_tree_court_items(const dp_tree_court *c, uint32_t host, size_t *n)
{
    *n = c->p->item_at[host + 1] - c->p->item_at[host];
    return c->p->item + c->p->item_at[host];
}

#endif
