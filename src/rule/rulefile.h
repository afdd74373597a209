/* rule/rulefile.h - text -> model.
 *
 *     dustpan-rules 1
 *     host example.com           a block, until the next host line
 *     order any
 *     keep ?lang
 *     drop ?sid,utm_*            [p=.998 n=212 neg=0 by=text]     # a comment
 *
 * docs/rule-format.md is its specification; the functions follow it section by section:
 * this file reads lines and blocks, rule/scope.c the host line, rule/ruleline.c rules,
 * rule/template.c and rule/pattern.c what stands in them, rule/attr.c what follows them.
 *
 * Invariants:
 *   - The text is copied once; the model's strings are views into that copy.
 *   - Time is linear in the text (times a logarithm where a line is checked for repeats).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_RULEFILE_H
#define DP_RULE_RULEFILE_H

#include "base/buf.h"
#include "rule/rule.h"

/* Called for each bad line; false stops the reading. */
typedef bool (*dp_rulefile_report)(void *ctx, const dp_error *error);

/* One that leaves them out and goes on. */
bool dp_rulefile_skip(void *ctx, const dp_error *error);

/* Add the rules of `text` to `r`, telling `report` of each line that is wrong, which is
 * then left out. DP_ESYNTAX when `report` stopped it, DP_ENOMEM: `r` is as it was. */
dp_err dp_rulefile_read(dp_rules *r, const char *name, dp_str text, dp_rulefile_report report, void *ctx);

/* Append the whole file ("-" is standard input) to `out`. */
dp_err dp_rulefile_slurp(dp_buf *out, const char *path, dp_error *err);

#endif
