/* learn/auto/vote/parts.h - does every part of a joint rule have evidence of its own?
 *
 *     drop ?sid,max         ?sid=1&max=9    ?sid=2&max=9    one page: max was never forgotten
 *     /t/{a}/{z} => /t/{a}  /t/7/view = /t/7/show    /t/7/edit, /t/8/edit: pages of their own
 *
 * Parameters that are dropped together are proposed by what a pair of URLs differs in, and voted on as one. A name that
 * had one value wherever the rule brings URLs of a page together is no part of what was found: of its other values
 * nothing is known. The rule is not taken; with that value, or without the name, it may be. Two parameters that were
 * only ever equal with one value (?id=1&desc=1) are so by accident. A component that is
 * forgotten has many values, and one that never stood for the page of another but for pages of its own matters.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_PARTS_H
#define DP_LEARN_AUTO_VOTE_PARTS_H

#include "learn/auto/vote/ballot.h"

/* Whether each name that idea `i` drops, where it drops several, had DP_PART_VALUES values that did not matter (but for
 * names that begin alike, utm_*), or as many that two names had both, or no value of a component that it forgets spoke
 * against it alone, DP_VALUE_AGAINST times; yes of every other idea. Below 0 when memory is out. */
int dp_parts_speak(dp_ballot *b, size_t i);

#endif
