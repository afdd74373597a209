/* learn/auto/vote/parts.h - does every part of a rule have evidence of its own?
 *
 *     drop ?sid,max         ?sid=1&max=9    ?sid=2&max=9    one page: max was never forgotten
 *     drop ?cat             ?cat=    and no ?cat            one page: only the empty value was
 *     drop ?a,b if =1       ?a=1 and none: one page         ?b=1 and none: two
 *     /{x}b/{a} => /{x}a/{a}                        /rel-b/7 = /rel-a/7 alone: /lab/ was never seen
 *     /t/{a}/{z} => /t/{a}  /t/7/view = /t/7/show    /t/7/edit, /t/8/edit: pages of their own
 *
 * Parameters that are dropped together are proposed by what a pair of URLs differs in, and voted on as one. A value was
 * forgotten where forms of one page differ in it. A name of which one value was, or the empty one alone, is no part of
 * what was found: of its other values nothing is known. The rule is not taken; with that value, or without the name, it
 * may be. But a flag (?all, ?all=, ?all=on) has no others. Two parameters that were only ever equal with one value
 * (?id=1&desc=1) are so by accident. A component that is forgotten has many values, and one that never stood for the
 * page of another but for pages of its own matters.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_PARTS_H
#define DP_LEARN_AUTO_VOTE_PARTS_H

#include "learn/auto/vote/ballot.h"

/* Whether of each name that idea `i` drops or erases DP_PART_VALUES values were forgotten (but for names that begin
 * alike, utm_*), or as many that two names had both; whether each of several names that lose one value lost it of
 * pages; or whether no value of a component that it forgets spoke against it alone, DP_VALUE_AGAINST times. Yes of
 * every other idea. Below 0 when memory is out. */
int dp_parts_speak(dp_ballot *b, size_t i);

/* Whether pages were seen with two values of each name that idea `i` drops or erases, DP_LEAST_CLUSTERS of them. A page
 * with ?rev=1794711225 and without says nothing of a second revision. Yes of every other idea. Below 0 when memory is
 * out. */
int dp_parts_differ(dp_ballot *b, size_t i);

#endif
