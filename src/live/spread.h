/* live/spread.h - some URLs of many, of every form: those that `validate --echo` fetches twice.
 *
 *     /item?id=1  /item?id=2 ... (900 URLs)      form a.com/item ?id      15, 30, ... of sqrt(900) = 30
 *     /about.html /terms.html    (2)             form a.com .html         fewer, but not none
 *
 * The form of a URL is its host, its first directory, how deep its path is, how its last segment ends, and the names of
 * its parameters: pages of one form come from one template, and show the same places. A form of m URLs is taken in
 * proportion to the square root of m: its k-th URL comes at (k - 1/2) / sqrt(m).
 *
 * Invariants:
 *   - The order depends on the set of URLs and on the seed: not on the order in which they were added.
 *
 * Memory: 40 bytes for each URL beside its text.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_SPREAD_H
#define DP_LIVE_SPREAD_H

#include "base/err.h"
#include "base/ordinal.h"
#include "base/words/strlist.h"

typedef struct dp_spread_url {
    uint64_t form, order; /* hashes: of the form; of URL and seed */
    double   rank;
    uint32_t url;
} dp_spread_url;

typedef struct dp_spread {
    dp_strlist     urls;
    dp_ordinals    known;
    dp_spread_url *v; /* [urls.n]; in their order after dp_spread_finish */
    size_t         cap, forms;
} dp_spread;

/* Add a URL in stage-0 form; one that came before changes nothing. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_spread_add(dp_spread *s, dp_str url, uint64_t seed);

/* Bring them in order; once, after the last URL. */
void dp_spread_finish(dp_spread *s);

/* Number `i` in that order. */
static inline dp_str dp_spread_get(const dp_spread *s, size_t i)
{
    return dp_strlist_get(&s->urls, s->v[i].url);
}

void dp_spread_done(dp_spread *s);

#endif
