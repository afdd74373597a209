/* store/loglines.h - the lines of a log, by URL: what would be a fact a line becomes one a URL.
 *
 *     /a  5120  client 7 ┐
 *     /b  7003  client 7 ├─►  /a  5120 x 2, 1448 x 1   clients 7, 9   3 hits
 *     /a  5120  client 9 │    /b  7003 x 1             clients 7      1 hit
 *     /a  1448  client 9 ┘
 *
 * Stands between whoever reads facts and store/facts.h. A log has many lines for each URL, and all that is asked of
 * them is which sizes came how often, which clients, how many hits, the last day, and where redirects lead. So memory
 * grows with URLs and not with lines. Facts that say more, or less, are passed on as they come.
 *
 * Invariants:
 *   - What site/corpus.h makes of the facts that come out is what it makes of those that went in.
 *   - Facts come out in the order in which their URLs first came, which depends on the input alone.
 *
 * Memory a URL, beside its text: 8 place, 5 to 11 look-up, 16 hits, size and day, 32 for each size, tag and client that
 * is kept; there are DP_SIZES_KEPT, DP_TAGS_KEPT and DP_CLIENTS_KEPT at most. Past the limit all of them go on, and it
 * begins again.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_LOGLINES_H
#define DP_STORE_LOGLINES_H

#include "base/index.h"
#include "base/ordinal.h"
#include "base/words/strlist.h"
#include "site/counted.h"
#include "site/fact.h"

/* A zeroed one with `put` is valid and empty. */
typedef struct dp_loglines {
    dp_err (*put)(void *ctx, const dp_fact *f); /* whoever takes the facts */
    void       *ctx;
    size_t      limit; /* bytes; 0: none */

    dp_strlist  url;
    dp_index    seen;     /* their numbers */
    uint32_t   *hits;     /* [url.n] lines that show a page */
    uint32_t   *largest;  /* [url.n] size, less than UINT32_MAX; UINT32_MAX: not known */
    uint32_t   *linked;   /* [url.n] of these, from another page of the host */
    uint32_t   *day;      /* [url.n] of the newest line that shows a page, since 1970; 0: not known */
    uint32_t    hits_cap, largest_cap, linked_cap, day_cap;
    dp_counted  sizes;    /* URL, bytes */
    dp_counted  tags;     /* URL, what else is known of the answer */
    dp_counted  client;   /* URL, hash */
    dp_counted  redirect, followed; /* from, to */
    dp_ordinals gone;     /* URLs answered 404 or 410, by dp_fact_hash: they were passed on */
    dp_buf      list;     /* of the fact that is passed on */
    unsigned    since;    /* lines since the memory was last looked at */
} dp_loglines;

/* Take a fact, or pass it on. DP_ENOMEM, DP_ELIMIT; whatever `put` says. */
dp_err dp_loglines_add(dp_loglines *t, const dp_fact *f);

/* Pass all on. Then it is empty. */
dp_err dp_loglines_flush(dp_loglines *t);

void dp_loglines_done(dp_loglines *t);

#endif
