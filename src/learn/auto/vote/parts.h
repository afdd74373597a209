/* learn/auto/vote/parts.h - does every part of a joint rule have evidence of its own?
 *
 *     drop ?sid,max      ?sid=1&max=9    ?sid=2&max=9    one page: max was never forgotten
 *
 * Parameters that are dropped together are proposed by what a pair of URLs differs in, and voted on as one. A name that
 * had one value wherever the rule brings URLs of a page together is no part of what was found: of its other values
 * nothing is known. The rule is not taken; with that value, or without the name, it may be.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_PARTS_H
#define DP_LEARN_AUTO_VOTE_PARTS_H

#include "learn/auto/vote/ballot.h"

/* Whether each name that idea `i` drops, where it drops several, had DP_PART_VALUES values that did not matter; yes of
 * every other idea, and of names that begin alike (utm_*). Below 0 when memory is out. */
int dp_parts_speak(dp_ballot *b, size_t i);

#endif
