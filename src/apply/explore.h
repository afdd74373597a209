/* apply/explore.h - which URLs are probes: fetched although their keys were seen.
 *
 *     URL ── stage 0 ──► form ── hash with the salt ──► below the share?
 *
 * The hash alone decides, so everybody who knows share and salt finds the same URLs: `apply` when it lets them through
 * (output/sieve.h), `audit` when they come back as records, and a crawler that asks dp_scratch_probe.
 * Whoever does not know the salt cannot foresee them.
 *
 * URLs that no rule changes are among them: where the first URL of a key is one that a rule brings there, they are what
 * is hidden.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_EXPLORE_H
#define DP_APPLY_EXPLORE_H

#include "apply/engine.h"
#include "base/hash.h"

/* A zeroed one takes nothing. */
typedef struct dp_explore {
    uint64_t most; /* hash that is taken; 0: none is */
    uint64_t seed;
} dp_explore;

dp_explore dp_explore_of(double share, dp_str salt);

/* The stage-0 form of the URL whose key is the last of `s`, if that may be a probe; else empty. It lives in `s`. */
dp_str dp_explore_form(const dp_explore *x, const dp_scratch *s);

/* What such a URL is remembered by: no key, no line and nothing of store/foreign.h begins with three LF. */
static inline void dp_explore_tag(dp_buf *out, dp_str form)
{
    dp_buf_c(out, "\n\n\n");
    dp_buf_str(out, form);
}

#endif
