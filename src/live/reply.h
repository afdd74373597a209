/* live/reply.h - what a URL shows, as far as it can be told; and who tells it.
 *
 *     dp_teller ── ask(url) ──► dp_reply: wait, a page (sketch), gone, unknown, spared
 *
 * There are two tellers: live/fetcher.h asks the web, live/lookup.h a file that says which URLs show the same page.
 * live/ruletest.h asks either of them about pairs of URLs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_REPLY_H
#define DP_LIVE_REPLY_H

#include "base/err.h"
#include "content/shingle.h"
#include "live/note.h"

typedef enum dp_reply_kind {
    DP_REPLY_WAIT = 0, /* ask again later */
    DP_REPLY_PAGE,
    DP_REPLY_GONE,    /* there is no page: the fetch failed, in the paper's words */
    DP_REPLY_UNKNOWN, /* the network or the server failed: nothing can be said */
    DP_REPLY_SPARED   /* it was not asked for: `why` */
} dp_reply_kind;

/* Why there is no page to compare. */
typedef enum dp_cause_kind {
    DP_CAUSE_NONE = 0,
    /* it was not asked for */
    DP_CAUSE_NOT_HTTP,
    DP_CAUSE_TOO_LONG, /* than DP_FETCHED_URL */
    DP_CAUSE_MASKED,
    DP_CAUSE_CREDENTIALS,
    DP_CAUSE_ROBOTS_ITSELF,
    DP_CAUSE_ACTION,
    DP_CAUSE_FORBIDDEN, /* by robots.txt */
    DP_CAUSE_NO_ROBOTS, /* robots.txt could not be fetched: `fault` */
    DP_CAUSE_GIVEN_UP,  /* its host failed too often: `fault` */
    DP_CAUSE_BUDGET,
    /* it was, and the answer was not a page */
    DP_CAUSE_LOOP,
    DP_CAUSE_GONE,
    DP_CAUSE_ABSENT, /* of the labelled set */
    DP_CAUSE_FAULT,  /* `fault` */
    DP_CAUSE_ROWS = DP_CAUSE_FAULT + DP_FAULTS
} dp_cause_kind;

typedef struct dp_cause {
    dp_cause_kind kind;
    dp_fault      fault;
    int           status; /* of HTTP; 0: none came */
    dp_str        host;   /* whose doing it is; lives as long as the teller; empty: none */
} dp_cause;

/* Causes of a kind have a number below DP_CAUSE_ROWS: the kind, and of faults each its own. */
size_t dp_cause_row(const dp_cause *c);

const char *dp_cause_name(size_t row);   /* "robots.txt": for programs, never changed */
const char *dp_cause_phrase(size_t row); /* "forbidden by robots.txt": for people */
const char *dp_cause_hint(size_t row);   /* "--allow-actions fetches such URLs"; NULL: none */
const char *dp_cause_next(size_t row);   /* what to do so that the rule can be tested */

typedef struct dp_reply {
    dp_reply_kind kind;
    dp_cause      cause; /* of all but pages */
    unsigned      hops; /* redirects followed */
    dp_str        last; /* URL of the page, after them; lives as long as the teller */
    uint64_t      sketch[DP_SKETCH_SIZE];
    int64_t       size; /* bytes; -1: not known */
    int64_t       time; /* of a page that was fetched: seconds since 1970 */
    dp_hash128    digest; /* ... of its bytes */
    bool          budget_is_spent; /* why it was spared */
} dp_reply;

typedef struct dp_teller {
    void *self;
    /* `url` is in stage-0 form. DP_ENOMEM, DP_EIO. */
    dp_err (*ask)(void *self, dp_str url, dp_reply *out, dp_error *err);
} dp_teller;

#endif
