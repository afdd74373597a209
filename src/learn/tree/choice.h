/* learn/tree/choice.h - which candidates of a host are kept, and in which order they stand.
 *
 *     counted ─► do something new ─► by priority ─► do not feed themselves ─► not idle ─► kept
 *
 * A rule is kept when it does something that no kept rule with greater coverage does: what a wider rule says, or a
 * wider context of the same, need not be said again. Rules that merge more stand before others: each then does one
 * thing, and what is left is there for the next. Idle ones, whose work others do, are dropped here when rules are
 * accepted as in the papers; else learn/accept/judge_together.h does it.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_CHOICE_H
#define DP_LEARN_TREE_CHOICE_H

#include "learn/tree/trial.h"

/* Choose those that are kept, and put all in the order of priority: kept ones first, and of them those that merge
 * most. DP_ENOMEM. */
dp_err dp_tree_choose(dp_tree_trial *t);

#endif
