/* learn/tree/pick.h - which URLs of a cluster are paired: target selection and source selection.
 *
 *     cluster on one host, best first:   /a   /a/index.html   /a?sid=1   /a?sid=2 ...
 *                                        target ◄── source ◄── source ◄── source          k = 1
 *
 * WSDM'10, 3.2.1. A target is static, near the root, linked often, short; the k best are targets, and each URL below a
 * target is its source: so with k = 1 the sources are the rest of the cluster, as in the paper, and no two URLs are
 * each other's targets. Sources of large clusters are sampled by strata.
 * The best URL of a cluster on a host is a source once more when the cluster has a better one on another host: the
 * paper knows one host at a time, this finds hosts that mirror each other.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_PICK_H
#define DP_LEARN_TREE_PICK_H

#include "learn/tree/tree.h"

typedef struct dp_tree_pair {
    uint32_t u, v; /* source and target: URLs of the site */
} dp_tree_pair;

#define DP_TREE_NO_HOST UINT32_MAX

typedef struct dp_tree_picks {
    dp_str       *host;    /* [nhost] "a.com", "a.com:8080"; views into URLs */
    uint32_t      nhost;
    size_t        host_cap;
    uint32_t     *host_of; /* [n] of the site's URLs; DP_TREE_NO_HOST: none that a rule could name */
    uint32_t     *item;    /* [n] URLs by host */
    uint32_t     *item_at; /* [nhost + 1] */
    dp_tree_pair *pair;    /* [npair] by host of the source, then by cluster and rank */
    size_t       *pair_at; /* [nhost + 1] */
    size_t        npair;
} dp_tree_picks;

/* Pairs of the clusters in the folds of `ctx`. DP_ENOMEM. */
dp_err dp_tree_pick(dp_tree_picks *out, const dp_site *s, const dp_tree_options *o, const dp_learn_context *ctx);
void   dp_tree_picks_done(dp_tree_picks *p);

#endif
