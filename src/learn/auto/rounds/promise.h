/* learn/auto/rounds/promise.h - what is promised of a rule, and of all of them together.
 *
 *     drop ?sid                  310 votes, none against       .9999     valid, as most such rules are
 *     /b/{**} => /a/{**}         a release: 24 votes, none     .962      equal so far, and nobody knows why
 *
 * Most rules hold or do not: few votes tell which. What is guarded (learn/auto/vote/guard.h), and what votes spoke
 * against until it was confined by parameters, is different: it is equal by accident of the day, or where nobody has
 * looked yet. Votes say how often it was equal so far, and no more than that: of such rules with n votes for them and
 * none against, one page in n + 2 was wrong on real sites, for any n (docs/trust.md). So that is their p.
 *
 * Such rules may stand in a list that keeps the promise all the same: wrong merges are counted over all rules. The
 * least certain are left out until no more are expected to be wrong than were promised.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_PROMISE_H
#define DP_LEARN_AUTO_ROUNDS_PROMISE_H

#include "learn/auto/rounds/rounds.h"

/* Whether a rule may hold by accident. */
bool dp_promise_is_accident(const dp_taken *t);

/* What a rule is worth by the votes that will stand beside it, which the last look or review has counted: t->p, or
 * less. Where labels are exact votes against it mean what they say. */
double dp_promise_worth(const dp_rounds *r, const dp_taken *t);

/* Leave out of r->v what the promise has no room for; what reaches pages of which nobody has said anything goes to
 * r->suggested. `*kept` false: there was such, and the last look is another without it. Else t->p becomes what is
 * promised of each rule. DP_ENOMEM. */
dp_err dp_promise_keep(dp_rounds *r, bool *kept);

#endif
