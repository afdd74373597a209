/* output/visitors.h - who asked for what, and which clients are not what their user agents say, as far as a log tells.
 *
 *     client  agent            what it asked for                          counts as
 *     7       Mozilla/5.0 ...  21 pages, no picture, script, style or     behave like crawlers
 *                              link followed, on a site where others do
 *     8       Googlebot, then bingbot                                     several crawlers' names
 *
 * What a client is holds for all its requests, and is decided after the last one: so the order in which they come does
 * not matter. Until then its visits are kept apart from those of others. A client is known by a hash that nobody else
 * can tell (base/secret.h); its address is written nowhere. Without clients, or on a site where hardly anybody follows
 * a link, agents are believed.
 *
 * Memory: 54 bytes for each URL that a client asks for on a day; those of browsers, which tell themselves by the first
 * link that they follow, are one client, and one day.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_VISITORS_H
#define DP_OUTPUT_VISITORS_H

#include "base/ordinal.h"
#include "input/record.h"

#define DP_NO_CRAWLER UINT32_MAX /* of a record that tells of no request: without agent and client */
#define DP_NO_CLIENT UINT32_MAX
#define DP_NO_DAY INT32_MAX

typedef struct dp_visitor {
    uint32_t pages;   /* asked for as a browser, while nothing showed that it is one */
    uint32_t crawler; /* the name that it gave; UINT32_MAX: none so far */
    bool     browses; /* it followed a link, or loaded what belongs to a page */
    bool     several; /* it gave the names of two crawlers */
} dp_visitor;

/* All requests of one client, by one name, for one URL on one day. */
typedef struct dp_visit {
    uint32_t url, client;
    uint32_t crawler; /* by the agent alone: output/crawler.h, or DP_NO_CRAWLER */
    int32_t  day;     /* since 1970, UTC, or DP_NO_DAY */
    uint64_t hits, bytes;
} dp_visit;

/* A zeroed one is valid and empty. */
typedef struct dp_visitors {
    dp_ordinals client, seen;
    dp_visitor *v;         /* [client.n] */
    dp_visit   *visit;     /* [seen.n] */
    uint32_t    cap, visit_cap;
    uint64_t    linked;    /* requests that name the page that led there */
    bool        has_agent; /* some record names one */
} dp_visitors;

void dp_visitors_done(dp_visitors *s);

/* Add the requests of a record; of `visit` only the URL, hits and bytes are read, and `crawler` where there is an
 * agent. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_visitors_add(dp_visitors *s, const dp_record *rec, dp_visit visit);

/* After the last one: the crawler that the visit counts for; where no record names an agent all are everybody else. */
uint32_t dp_visitors_crawler(const dp_visitors *s, const dp_visit *visit);

#endif
