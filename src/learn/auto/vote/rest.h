/* learn/auto/vote/rest.h - may all parameters go but some?
 *
 *     only ?id      /a?id=7&x1=a   /a?q9=b&id=7      one page: x1 and q9 do not matter
 *
 * Nobody has seen all names that such a rule removes. It needs many that were seen to come and go.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_REST_H
#define DP_LEARN_AUTO_VOTE_REST_H

#include "learn/auto/vote/ballot.h"
#include "rule/rule.h"

/* Whether pages have shown DP_COUNTLESS_NAMES names that the rule of idea `i`, an `only`, removes. Yes of every other
 * rule. Below 0 when memory is out. */
int dp_rest_speaks(dp_ballot *b, size_t i, const dp_rule *rule);

#endif
