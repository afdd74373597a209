/* url/percent.h - percent escapes: stage 0's pass, and the value conversions of rules.
 *
 *     a%7Eb%%34 c   ->   a~b%254%20c
 *
 * Invariants:
 *   - The pass is idempotent, and what it writes holds '%' only before two upper-case
 *     hex digits that do not stand for an unreserved byte.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_PERCENT_H
#define DP_URL_PERCENT_H

#include "base/buf.h"

/* Whether stage 0's percent pass leaves `s` as it is. */
bool dp_percent_is_normal(dp_str s);

/* Append `s` after one pass: stray % to %25, forbidden bytes escaped, hex in upper case,
 * unreserved bytes decoded (docs/rule-format.md 8.2). */
void dp_percent_normalize(dp_buf *out, dp_str s);

/* Append the escape of one byte. */
void dp_percent_escape(dp_buf *out, char c);

/* Append `s` with its ASCII letters outside %XX in lower (or upper) case. */
void dp_percent_lower(dp_buf *out, dp_str s);
void dp_percent_upper(dp_buf *out, dp_str s);

/* Append `s` with its first byte, if it is one of a-z, in upper case. */
void dp_percent_capital(dp_buf *out, dp_str s);

/* Append `s`, if it is digits alone, without leading zeros but for the last digit; other text as it is. */
void dp_percent_number(dp_buf *out, dp_str s);

/* Append `s` with every byte escaped that is neither unreserved nor part of %XX. */
void dp_percent_encode(dp_buf *out, dp_str s);

/* Append `s` with those %XX decoded that are data in a path (or in a query value) too. */
void dp_percent_decode(dp_buf *out, dp_str s, bool in_query);

/* Whether position `at` of `s` lies inside an escape: between '%' and its last digit. */
static inline bool dp_percent_inside(dp_str s, size_t at)
{
    return (at >= 1 && at < s.n && s.p[at - 1] == '%') || (at >= 2 && at < s.n && s.p[at - 2] == '%');
}

#endif
