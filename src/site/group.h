/* site/group.h - which URLs are learned together.
 *
 *     host      www.a.co.uk           by --site host
 *     domain    a.co.uk               registrable (url/host.h); an address or a single label is its own
 *     linked    a.co.uk + b.com       domains that share at least 3 clusters are mirrors
 *
 * A cluster counts as shared when it lies on at most 20 domains and has at most 1 % of the URLs (or one URL) of
 * either: so robots.txt, the empty page and the logo do not join the web.
 *
 * Reads site/corpus.h; dp_corpus_site makes the sites one by one.
 *
 * Invariants:
 *   - Every URL is in one site. Sites stand in the order of their names, which are their least domains.
 *   - The order of the input does not matter, but for the order of URLs inside a site.
 *
 * Memory: 4 bytes a URL; while linking 32 more.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_GROUP_H
#define DP_SITE_GROUP_H

#include "site/corpus.h"

typedef enum dp_grouping { DP_GROUP_LINKED, DP_GROUP_DOMAIN, DP_GROUP_HOST } dp_grouping;

enum { DP_LINKS = 3 /* shared clusters */, DP_LINK_SITES = 20, DP_LINK_PERCENT = 1 };

typedef struct dp_group {
    dp_str name;    /* in the corpus */
    size_t from, n; /* its URLs: dp_sitelist.url[from] to [from + n - 1] */
} dp_group;

typedef struct dp_sitelist {
    dp_group *v; /* [n] */
    size_t    n;
    uint32_t *url; /* [URLs of the corpus] numbers */
} dp_sitelist;

/* Group a labelled corpus, which must outlive it. DP_ENOMEM; `*out` is empty then. */
dp_err dp_sitelist_make(dp_sitelist *out, const dp_corpus *c, dp_grouping how);
void   dp_sitelist_done(dp_sitelist *l);

#endif
