/* output/traffic.h - what crawlers spend on URLs of pages that they have already.
 *
 *     (URL, crawler) ──► hits          add, after output/visitors.h has told who it was
 *     page of each URL ──► of the URLs of one page that one crawler asked for, the one it asked for most is
 *                          the page's own; hits on the others are spent on duplicates
 *
 * Asking for the same URL again is not waste: pages change. So only hits on further URLs count, per crawler.
 * Memory: 38 bytes for each pair of URL and crawler.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_TRAFFIC_H
#define DP_OUTPUT_TRAFFIC_H

#include "base/ordinal.h"

typedef struct dp_hits {
    uint32_t url, crawler; /* output/crawler.h */
    uint64_t hits, bytes;
} dp_hits;

/* A zeroed dp_traffic is valid and empty. */
typedef struct dp_traffic {
    dp_ordinals pair;
    dp_hits    *v; /* [pair.n] */
    uint32_t    cap;
} dp_traffic;

void dp_traffic_done(dp_traffic *t);

/* The number of the pair into `*pair`. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_traffic_add(dp_traffic *t, const dp_hits *more, uint32_t *pair);

typedef struct dp_spent {
    uint64_t hits, urls, pages, bytes;
    uint64_t wasted, wasted_bytes; /* hits on URLs of pages that the same crawler asked for under another URL */
} dp_spent;

/* What each crawler spent when page[url] says which page a URL is, into out[dp_crawlers()]; wasted[pair], unless it is
 * NULL, says which hits are wasted. Of URLs with as many hits and bytes the first by number is the page's own.
 * DP_ENOMEM. */
dp_err dp_traffic_spent(dp_spent *out, bool *wasted, const dp_traffic *t, const uint64_t *page);

#endif
