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

typedef enum dp_reply_kind {
    DP_REPLY_WAIT = 0, /* ask again later */
    DP_REPLY_PAGE,
    DP_REPLY_GONE,    /* there is no page: the fetch failed, in the paper's words */
    DP_REPLY_UNKNOWN, /* the network or the server failed: nothing can be said */
    DP_REPLY_SPARED   /* it was not asked for: `why` */
} dp_reply_kind;

typedef struct dp_reply {
    dp_reply_kind kind;
    const char   *why;  /* of all but pages: "timeout", "robots.txt"; static */
    int           status;
    unsigned      hops; /* redirects followed */
    dp_str        last; /* URL of the page, after them; lives as long as the teller */
    uint64_t      sketch[DP_SKETCH_SIZE];
    int64_t       size; /* bytes; -1: not known */
    bool          budget_is_spent; /* why it was spared */
} dp_reply;

typedef struct dp_teller {
    void *self;
    /* `url` is in stage-0 form. DP_ENOMEM, DP_EIO. */
    dp_err (*ask)(void *self, dp_str url, dp_reply *out, dp_error *err);
} dp_teller;

#endif
