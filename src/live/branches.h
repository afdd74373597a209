/* live/branches.h - the names, or the values, of a rule that has a list of them: each is a claim of its own.
 *
 *     drop ?color,utm_source           /a?color=red                  0
 *                                      /a?utm_source=x&color=red     0 and 1
 *     /{a}/{v=en|ru}/{b} => ...        /a/ru/b                       1
 *
 * Where one of them is frequent and another one rare, what holds of the first says nothing of the other. live/draws.h
 * draws URLs of each, live/ruletest.h wants each tested.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_BRANCHES_H
#define DP_LIVE_BRANCHES_H

#include "base/arena.h"
#include "base/err.h"
#include "rule/rule.h"

enum { DP_BRANCHES = 64 /* that are told apart; of longer lists the first */ };

typedef struct dp_branches {
    dp_name *v; /* [n] in the arena; texts are those of the rule; n == 0: it has no list */
    size_t   n;
    char     kind; /* '?' or ';' before a name, 0: values of a path or a query */
} dp_branches;

/* DP_ENOMEM. */
dp_err dp_branches_take(dp_branches *out, const dp_rule *r, dp_arena *a);

/* Bit i: `url`, in stage-0 form, has number i. A value is looked for between letters and digits of others. */
uint64_t dp_branches_of(const dp_branches *b, dp_str url);

#endif
