/* site/group.h - which domains are learned together.
 *
 *     host      www.a.co.uk           by --site host
 *     domain    a.co.uk               registrable (url/host.h); an address or a single label is its own
 *     linked    a.co.uk + b.com       domains that share at least 3 clusters may be mirrors
 *
 *     corpus of each domain ─► presences: cluster, domain, URLs ─► links ─► sets of domains
 *
 * Linked domains of one owner (site/ownership.h) are one site. Those of several are each learned alone, and once more
 * together for what leads from one to another, and nothing else (learn/accept/across.h): who shows somebody else's
 * pages, or leads to them, has no say in the other's rules.
 *
 * A cluster counts as shared when it lies on at most 20 domains and has at most 1 % of the URLs (or one URL) of
 * either: so robots.txt, the empty page and the logo do not join the web. A URL that leads to a page of another domain
 * counts as one of that page's cluster.
 *
 * The clusters of a domain come from its own facts alone (site/corpus.h), so that presences can be found anywhere and
 * in any order; learn/run/all_sites.h brings them together by cluster (store/buckets.h).
 *
 * Memory: 16 bytes a pair of domains that share a cluster, and as much again while they are counted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_GROUP_H
#define DP_SITE_GROUP_H

#include "content/sets.h"
#include "site/corpus.h"
#include "site/ownership.h"

typedef enum dp_grouping { DP_GROUP_LINKED, DP_GROUP_DOMAIN, DP_GROUP_HOST } dp_grouping;

/* A cluster lies on a domain with so many URLs. */
typedef struct dp_presence {
    uint64_t cluster; /* its id */
    uint32_t domain, urls;
} dp_presence;

/* The presences of a labelled corpus, whose own URLs are of `domain`; `domains` numbers all domains. malloc'd.
 * DP_ENOMEM. */
dp_err dp_presences_find(dp_presence **out, size_t *n, const dp_corpus *c, uint32_t domain,
                         const dp_intern *domains);

/* Links in the making. A zeroed one with `urls` is valid and empty. */
typedef struct dp_links {
    const uint32_t *urls; /* [domains] that each has */
    dp_counted      pair; /* two domains, and how many clusters they share */
} dp_links;

/* Count the links of some presences that hold all of each of their clusters; sorts them. DP_ENOMEM. */
dp_err dp_links_add(dp_links *l, dp_presence *v, size_t n);

/* Join domains that are linked; with owners (not NULL; `name` are the domains' then) only those of one owner.
 * DP_ENOMEM. */
dp_err dp_links_join(dp_links *l, dp_sets *domains, const dp_ownership *owners, const dp_intern *name);
void   dp_links_done(dp_links *l);

#endif
