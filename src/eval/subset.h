/* eval/subset.h - some of an engine's rules, then others: one engine for all rows of a table.
 *
 *     dp_subset_make ─► turn rules off and on ─► use s.engine ─► turn ... ─► done
 *
 * Rules are compiled once; a rule that is off is found and passed over, as one under --min-precision is. A subset may
 * feed itself where the whole does not (the rule that stopped it is off): such URLs run into the limit of 64 firings
 * and have their stage-0 form as key (docs/rule-format.md). eval/choices.c says how many.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_SUBSET_H
#define DP_EVAL_SUBSET_H

#include "apply/engine.h"
#include "rule/rule.h"

typedef struct dp_subset {
    dp_engine engine;
    dp_rules *rules;
} dp_subset;

/* All rules of `e`, whose file is called `name`. DP_ENOMEM; dp_subset_done takes what was made. */
dp_err dp_subset_make(dp_subset *s, const dp_engine *e, const char *name, dp_error *err);
void   dp_subset_done(dp_subset *s);

/* Whether rule `i` fires in the engine that it was made of. */
bool dp_subset_can(const dp_subset *s, const dp_engine *e, size_t i);

/* Turn rule `i` on, or off. What does not fire in the whole must stay off. */
void dp_subset_turn(dp_subset *s, size_t i, bool on);

#endif
