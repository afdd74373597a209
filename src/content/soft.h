/* content/soft.h - soft errors: one content under many URLs that have nothing in common.
 *
 *     /a/b.html  /news?id=7  /x/2009/y  ...   ──  "Sorry, we moved", status 200
 *
 * Such pages are the same, and still say nothing about URLs: what is shown tomorrow under one
 * of them is another page. A set of pages is a soft error when, on one host,
 *
 *   - it has at least `urls` URLs,
 *   - these are more than `share` of the host's pages, and
 *   - nothing ties them together. A tie is a path segment, a whole path or a name=value of the
 *     query that at least half of these URLs have, while at least a quarter of the host's URLs
 *     that have it are among them; or all those together that nearly all of these URLs have.
 *
 * So a page under ten thousand session ids is none (its path is a tie), nor is one in thirty
 * languages or versions (its file name is), nor /log/REVISION/README of a file that nobody has
 * changed (many URLs have /log, many README, few both); the picture that stands for all that are
 * missing is. Sets that repeat each other (content/parallel.h) are none.
 * On which half of a large set a part is common is found on about a thousand URLs of it, chosen
 * by hash; what ties is counted on all.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SOFT_H
#define DP_CONTENT_SOFT_H

#include "base/words/strlist.h"
#include "content/cluster.h"

typedef struct dp_soft_options {
    uint64_t urls;  /* 0: there are no soft errors */
    double   share;
} dp_soft_options;

#define DP_SOFT_OPTIONS_INIT {20, .01}

/* Of clusters that are to vote for rules: however large the host is. */
#define DP_SOFT_OPTIONS_VOTERS {20, 0}

/* One finding. */
typedef struct dp_soft {
    uint32_t root; /* of the set */
    uint32_t host;
    uint32_t urls;    /* of the host in the set */
    uint32_t example; /* page with the least URL hash among these */
} dp_soft;

typedef struct dp_softs {
    dp_soft *v; /* [n], by the id of the set, then by the text of the example */
    size_t   n;
} dp_softs;

/* Find the soft errors among joined clusters. Page i has urls[i] and is of host[i], a number
 * below `hosts`. DP_ENOMEM. */
dp_err dp_softs_find(dp_softs *out, dp_clusters *c, const dp_strlist *urls, const uint32_t *host, size_t hosts,
                     const dp_soft_options *o);

void dp_softs_done(dp_softs *s);

#endif
