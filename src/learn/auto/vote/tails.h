/* learn/auto/vote/tails.h - may a rule forget extensions?
 *
 *     /{x:int}-{z} => /{x}      /12-red-oak.html, /12-oak.html    one page
 *                               /12-maker, /12-the-maker          one page, but another one
 *
 * What is forgotten of a last component may end in an extension. Where it does in some URLs and not in others, they are
 * two kinds of pages that may have the same id, unless a page was seen that has URLs of both.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_TAILS_H
#define DP_LEARN_AUTO_VOTE_TAILS_H

#include "learn/auto/vote/ballot.h"
#include "rule/rule.h"

/* Whether the rule of idea `i` keeps extensions, reaches URLs of one extension alone, or was seen to forget each of
 * them. Below 0 when memory is out. */
int dp_tails_speak(dp_ballot *b, size_t i, const dp_rule *rule);

#endif
