/* apply/feedback.h - does a rule feed itself? (docs/rule-format.md 8.10)
 *
 * Each rule's witness, its left side filled in, is run through the whole file; a file in
 * which some rule fires twice in the run of its own witness is refused when it is loaded.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_FEEDBACK_H
#define DP_APPLY_FEEDBACK_H

#include "apply/engine.h"
#include "rule/rule.h"

/* Called for a rule that feeds itself with its run: one line a step. Non-zero stops. */
typedef int (*dp_feedback_call)(void *ctx, const dp_rule *r, dp_str run);

/* Run the witnesses of all rules of `r` on `e`, which was compiled from it. */
dp_err dp_feedback_find(const dp_engine *e, const dp_rules *r, dp_feedback_call call, void *ctx);

/* DP_ESYNTAX with the place of the first rule that feeds itself. */
dp_err dp_feedback_refuse(const dp_engine *e, const dp_rules *r, dp_error *err);

#endif
