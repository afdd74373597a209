/* live/errand.h - the inside of dp_fetcher: URLs that somebody asked for, and what stands between them and a request.
 *
 *     fresh ─► settled: spared, or its host is given up;  noted: the cache knows it
 *       │ once the robots.txt of its origin is known, which is an errand, too
 *       ▼
 *     waiting: live/queue.h ─► out: live/http.h ─► answered: noted, or waiting again after a failure
 *
 * errand.c has the tables and says what may be asked for, fetcher_answer.c takes answers in, fetcher.c drives both.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ERRAND_H
#define DP_LIVE_ERRAND_H

#include "base/intern.h"
#include "live/cache.h"
#include "live/fetcher.h"
#include "live/http.h"
#include "live/notetaker.h"
#include "live/queue.h"
#include "live/robots.h"

#define DP_NO_ORIGIN UINT32_MAX

/* Bytes of a URL that is fetched, at most: a robots.txt of half a megabyte takes time for each. */
enum { DP_FETCHED_URL = 8192 };

typedef enum dp_errand_state {
    DP_ERRAND_FRESH,   /* nothing was done yet: its robots.txt is not known */
    DP_ERRAND_WAITING, /* in the queue */
    DP_ERRAND_OUT,     /* its request is under way */
    DP_ERRAND_NOTED,   /* the cache has its note */
    DP_ERRAND_SETTLED  /* it will not be asked for: kind, why */
} dp_errand_state;

/* A URL that somebody asked for; or a robots.txt, which has no place in the map of URLs. */
typedef struct dp_errand {
    dp_str          url; /* in stage-0 form; of a robots.txt the one that redirects led to */
    dp_str          host;
    uint32_t        robots_of; /* number of an origin; DP_NO_ORIGIN: a page */
    unsigned        tries, hops;
    dp_errand_state state;
    dp_reply_kind   kind;
    dp_cause        cause;
} dp_errand;

/* scheme://host:port, and what its robots.txt says. */
typedef struct dp_web_origin {
    dp_str      name;
    bool        asked, known;
    dp_cause    cause; /* everything is forbidden; none: as `robots` says */
    dp_robots   robots;
} dp_web_origin;

/* How often a host has failed us in a row, and how the last time. */
typedef struct dp_host_failures {
    unsigned n;
    dp_fault fault;
    int      status;
} dp_host_failures;

struct dp_fetcher {
    dp_fetcher_options o;
    char              *user_agent;
    dp_str             product; /* of it: the name that a robots.txt calls us by */
    dp_cache          *cache, *earlier; /* earlier: the one before dp_fetcher_again; NULL: none */
    dp_http           *http;
    dp_queue          *queue;
    dp_notetaker      *notetaker;
    dp_intern          urls, origins, hosts; /* numbers into the arrays */
    dp_errand         *errand; /* [nerrand] */
    dp_web_origin     *origin;
    dp_host_failures  *failures; /* of each host */
    size_t             nerrand, errand_cap, origin_cap, host_cap;
    uint32_t          *sending; /* [parallel] */
    size_t             out;     /* requests under way */
    dp_arena           texts;
    dp_buf             room;
    dp_fetcher_counts  count;
};

/* The errand of a URL, new or not. NULL when memory is out. Pointers hold until the next one is made. */
dp_errand *dp_errand_of(dp_fetcher *f, dp_str url);

/* Take a fresh errand as far as it goes. DP_ENOMEM. */
dp_err dp_errand_advance(dp_fetcher *f, dp_errand *e);

/* It will not be asked for. */
void dp_errand_settle(dp_fetcher *f, dp_errand *e, dp_reply_kind kind, dp_cause cause);

/* Put it into the queue, or before all others of its host. DP_ENOMEM. */
dp_err dp_errand_enqueue(dp_fetcher *f, dp_errand *e, bool first);

/* What the robots.txt of an origin, which is `text`, lets `product` do. DP_ENOMEM. */
dp_err dp_errand_robots(dp_fetcher *f, dp_web_origin *o, dp_str host, dp_str text, dp_str product);

/* The failures of a host; NULL when memory is out. */
dp_host_failures *dp_errand_failures(dp_fetcher *f, dp_str host);

/* Whether its host has failed too often to ask again: then it is settled. */
bool dp_errand_give_up(dp_fetcher *f, dp_errand *e);

/* Take in what came of an errand that was out. DP_EIO, DP_ENOMEM. */
dp_err dp_errand_answer(dp_fetcher *f, dp_errand *e, const dp_http_answer *a, dp_error *err);

/* Whether no request may be sent any more. */
bool dp_fetcher_is_spent(const dp_fetcher *f);

/* Milliseconds of a clock that only goes forward. */
int64_t dp_fetcher_now(void);

#endif
