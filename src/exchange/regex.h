/* exchange/regex.h - units as regular expressions: written once for all targets.
 *
 *     /{slug}/dp/{asin} => /dp/{asin}    ^(http…//a\.com…)/([^/?*]+)/dp/([^/?*]+)(\?.*)?$    $1/dp/$3$4
 *
 * Two dialects: that of Java, PCRE and Python, in what we use of it one and the same, and POSIX extended (sed).
 * Reads exchange/units.h; the to_*.c files put the results into the words of their tools.
 *
 * Invariants:
 *   - Patterns match a whole URL in stage-0 form, or nothing; there is one way to match.
 *   - Conditions stand before a pattern, as what must follow and what must not: in the first dialect alone.
 *   - Literals hold no '#', '"', '<', '>' or space (docs/rule-format.md), so none stands in a pattern.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_REGEX_H
#define DP_EXCHANGE_REGEX_H

#include "exchange/units.h"

typedef enum dp_dialect { DP_DIALECT_PERL, DP_DIALECT_POSIX } dp_dialect;

/* How a target writes group `n` and a literal on the right. */
typedef struct dp_replacement {
    const char *before, *after; /* of a group's number: "$", "" */
    const char *special;        /* characters that need a backslash in literals */
} dp_replacement;

/* A rewrite: the pattern, what takes its place, and the number of groups. */
size_t dp_regex_rewrite(dp_buf *pattern, dp_buf *result, const dp_export_unit *u, dp_dialect d,
                        const dp_replacement *how);

/* Pieces of a drop: where it holds, "scheme://host:port/", and the names; groups only in POSIX. */
void dp_regex_scope(dp_buf *out, const dp_export_unit *u, dp_dialect d);
void dp_regex_names(dp_buf *out, const dp_names *names, dp_dialect d);

/* A drop for those who match whole URLs and write groups 1 and 2. The steps are taken in this order:
 * the pairs before the first that stays; the only pair, after which no '?' stays; one run of pairs between others. */
typedef enum dp_drop_step { DP_DROP_FIRST, DP_DROP_ONLY, DP_DROP_LATER } dp_drop_step;
typedef void (*dp_scope_writer)(dp_buf *out, const dp_export_unit *u, dp_dialect d);
void dp_regex_drop(dp_buf *out, const dp_export_unit *u, dp_drop_step step, dp_scope_writer scope);

/* All later pairs at once, for those who replace every match by group 1. */
void dp_regex_drop_all(dp_buf *out, const dp_export_unit *u, dp_scope_writer scope);

#endif
