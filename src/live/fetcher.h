/* live/fetcher.h - pages off the web, politely: a URL in, after a while what it shows.
 *
 *     ask(url) -> spared? -> known? -> robots -> queue -> http -> notetaker -> cache -> reply
 *                 masked,    (cache)                                  |
 *                 acts                     redirects: the same again, for the target
 *
 * A request that fails for a passing reason is repeated, `retries` times, after 4 and then 16 times the interval of the
 * rate (or what Retry-After says, up to a minute); meanwhile its host rests. A host that fails us DP_HOST_FAILURES
 * times in a row, without a page in between, is not asked again in this run.
 *
 * Invariants:
 *   - A URL is asked for once a run and cache, repeats after failures aside, until dp_fetcher_again; its `ask` record
 *     is on disk before.
 *   - Every request, robots.txt included, counts against the budget.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_FETCHER_H
#define DP_LIVE_FETCHER_H

#include "live/http.h"
#include "live/reply.h"

enum {
    DP_MAX_HOPS = 10,        /* redirects of a page */
    DP_ROBOTS_HOPS = 5,      /* of a robots.txt, RFC 9309 */
    DP_HOST_FAILURES = 5,
    DP_ROBOTS_DELAY = 30     /* seconds: a longer Crawl-delay counts as that */
};

typedef struct dp_fetcher_options {
    const char *user_agent; /* NULL: dustpan/VERSION and where to read about it */
    const char *ca_file;    /* NULL: the system's certificates */
    const char *cache;      /* folder; NULL: in memory alone */
    double      rate;       /* requests a second a host */
    size_t      parallel;   /* hosts at a time */
    uint64_t    max_fetches; /* requests of this run; 0: any number */
    unsigned    retries;
    int64_t     timeout;    /* milliseconds a request */
    size_t      max_size;   /* bytes a page */
    bool        allow_actions, allow_private;
    /* Called with every page (2xx), before its note is in the cache; NULL: pages are not kept. */
    dp_err    (*keep)(void *ctx, dp_str url, int64_t time, const dp_http_answer *a, dp_error *err);
    void       *keep_ctx;
} dp_fetcher_options;

#define DP_FETCHER_OPTIONS_INIT \
    {.rate = 1, .parallel = 16, .retries = 2, .timeout = 30000, .max_size = 8 << 20}

typedef struct dp_fetcher dp_fetcher;

/* DP_EIO or DP_ESYNTAX when the cache cannot be used, DP_ENOMEM. */
dp_err dp_fetcher_new(dp_fetcher **out, const dp_fetcher_options *o, dp_error *err);

/* `finished`: its caches have done their work and are removed. */
void dp_fetcher_free(dp_fetcher *f, bool finished);

/* A dp_teller; its texts live as long as the fetcher. */
dp_teller dp_fetcher_teller(dp_fetcher *f);

/* From now on every URL can be asked for once more; `cache` is the folder for that, or NULL. What robots.txt says, the
 * rates and the failures of the hosts stay. Only when nothing waits for an answer. DP_EIO, DP_ESYNTAX, DP_ENOMEM. */
dp_err dp_fetcher_again(dp_fetcher *f, const char *cache, dp_error *err);

/* Send what is due, wait at most `ms` milliseconds for answers, take them in. DP_EIO, DP_ENOMEM. */
dp_err dp_fetcher_step(dp_fetcher *f, int ms, dp_error *err);

typedef struct dp_fetcher_counts {
    uint64_t requests; /* sent by this run */
    uint64_t repeats;  /* of them after a failure */
    uint64_t found;    /* that the cache had from earlier runs */
    uint64_t pages, redirects, gone, failed, robots_denied, spared;
    uint64_t causes[DP_CAUSE_ROWS]; /* URLs without a page, by dp_cause_row */
} dp_fetcher_counts;

const dp_fetcher_counts *dp_fetcher_count(const dp_fetcher *f);

#endif
