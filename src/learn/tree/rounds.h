/* learn/tree/rounds.h - contexts of a host become candidates, general ones first.
 *
 *     1  transformations that change one thing, in the contexts of joined nodes, said wide
 *     2  those that change several things, unless rules that passed already make their pairs equal
 *     3  where a joined context is not sure: the same said less wide, and narrow; contexts of the class by itself
 *     4  those of them that are not sure, said less wide, and narrow
 *
 * The paper tries all rules there are, and so could we; but what is said in a later round is mostly what an earlier one
 * said in general, and trying it is what learning costs.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_ROUNDS_H
#define DP_LEARN_TREE_ROUNDS_H

#include "learn/tree/class.h"
#include "learn/tree/trial.h"

/* Trials t[0 .. n) of one host, from one choice of folds each, with their classes and contexts, in step: what they try
 * in a round is run at once. Texts of candidates lie in `a`. DP_ENOMEM. */
dp_err dp_tree_rounds(dp_tree_trial *t, dp_tree_classes *c, dp_tree_contexts *x, size_t n, dp_arena *a);

#endif
