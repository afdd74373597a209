/* live/probe.h - one test: do two URLs show the same page? (Figure 4, lines 7 to 12)
 *
 *     u ── ask ──► page                  both redirected to one URL    same, by redirect
 *     v ── ask ──► page ── sketches ──►  enough of 4 shingles equal    same
 *                                        else, or v is gone            different
 *     u gone or spared: no test (skipped)      either unknown, v spared: unknown
 *
 * v is asked for only when u is a page.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_PROBE_H
#define DP_LIVE_PROBE_H

#include "live/reply.h"

typedef enum dp_finding {
    DP_FINDING_WAIT = 0,
    DP_FINDING_SAME,
    DP_FINDING_DIFFERENT,
    DP_FINDING_UNKNOWN,
    DP_FINDING_SKIPPED
} dp_finding;

typedef struct dp_pair_probe {
    dp_str      u, v, result; /* result: what the rule makes of u; v, or what u and v are to be */
    dp_finding  finding;
    bool        by_redirect;     /* same, because both lead to one URL */
    bool        u_moved;         /* same, and u itself redirects to the domain of the result */
    bool        v_is_gone;       /* different, because there is no v */
    bool        budget_is_spent; /* unknown or skipped, because nothing more may be fetched */
    dp_cause    cause;           /* of all but pages that were compared */
    unsigned    common;          /* of 4 shingles */
    uint64_t    content;         /* of u: a hash of its sketch */
} dp_pair_probe;

/* Go on with a probe that waits; `shingles` of 4 must be equal. DP_EIO, DP_ENOMEM. */
dp_err dp_pair_probe_step(dp_pair_probe *p, const dp_teller *s, unsigned shingles, dp_error *err);

const char *dp_finding_name(dp_finding f); /* "same" */

#endif
