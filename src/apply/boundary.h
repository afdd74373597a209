/* apply/boundary.h - where a `sub` rule may cut a URL (docs/rule-format.md 8.9).
 *
 *     http://a.com/b%20c?d=12        tokens: http : / / a . com / b %20 c ? d = 12
 *
 * A place is a boundary unless it lies inside %XX or between two of [A-Za-z0-9], of which %XX is none. The text
 * between two neighbouring boundaries is a token. Both ends of α are boundaries, so the
 * tokens of α are tokens of every URL it occurs in: that is what the index rests on.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_BOUNDARY_H
#define DP_APPLY_BOUNDARY_H

#include "url/chars.h"
#include "url/percent.h"

static inline bool dp_is_boundary(dp_str s, size_t at)
{
    if (at == 0 || at == s.n)
        return true;
    if (!dp_is(s.p[at - 1], DP_CH_ALNUM) || !dp_is(s.p[at], DP_CH_ALNUM))
        return !dp_percent_inside(s, at);
    return at >= 3 && s.p[at - 3] == '%';
}

/* The first boundary after `at`; at < s.n. */
static inline size_t dp_next_boundary(dp_str s, size_t at)
{
    do
        at++;
    while (!dp_is_boundary(s, at));
    return at;
}

#endif
