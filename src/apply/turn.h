/* apply/turn.h - a rule with its two sides exchanged, where it has two.
 *
 *     sub "/index.html$" -> "/$"                       sub "/$" -> "/index.html$"
 *     /{**}/index.html => /{**}/                       /{**}/ => /{**}/index.html
 *     http://www.a.com/{**} => http://a.com/{**}       http://a.com/{**} => http://www.a.com/{**}
 *     /{slug}/dp/{id} => /dp/{id}                      none: what {slug} was is gone
 *     sub ".5/x/" -> "/x/"                             none: "/x/" stands in ".5/x/", it would fire for ever
 *
 * Figure 5 of [BKS06] tests both directions of a pair; live/draws.h draws for both.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_TURN_H
#define DP_APPLY_TURN_H

#include "rule/rule.h"

/* The exchanged rule in `a`, with its text; *out is NULL when there is none: a side is empty, a value is lost on the
 * way, or no file could hold it, because it would feed itself. Host line and attributes are those of `r`. DP_ENOMEM. */
dp_err dp_rule_turn(const dp_rule **out, const dp_rule *r, dp_arena *a);

/* The same as text, for URLs that match no `guard`, a condition; what feeds itself may stand with one.
 * out->p is NULL when there is none. DP_ENOMEM. */
dp_err dp_rule_turn_unless(dp_str *out, const dp_rule *r, dp_str guard, dp_arena *a);

#endif
