/* rule/findings.h - what `rules check` has to say, place by place.
 *
 *     site.rules:14:11: expected 'path', 'query' or 'names', found 'pth' (did you mean 'path'?)
 *
 * rule/check.h and apply/inspect.c add to it.
 *
 * Invariants:
 *   - Printed in the order of lines and columns; in one place, as they were added.
 *   - Failure is sticky: add freely, look at `failed` once.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_FINDINGS_H
#define DP_RULE_FINDINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "rule/rule.h"

typedef struct dp_found {
    dp_str file;
    size_t line, column; /* from 1; 0: none */
    dp_str message;      /* may hold several lines */
    size_t number;       /* order of adding */
} dp_found;

typedef struct dp_findings {
    dp_found *v; /* [n], malloc'd */
    size_t    n, cap;
    dp_arena  arena;
    bool      failed;
} dp_findings;

void dp_findings_add(dp_findings *f, dp_str file, size_t line, size_t column, dp_str message);
/* `r` are the rules that could be read: JSON says their set id. */
void dp_findings_print(dp_buf *out, dp_findings *f, const dp_rules *r, dp_format format);
void dp_findings_done(dp_findings *f);

#endif
