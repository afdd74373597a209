/* rule/ruleline.h - read one rule: [pin|likely|off] RULE {unless COND} [ATTRS].
 *
 *     likely drop ?view on /shop/{**} unless /shop/cart/{**}   [p=.93 by=size]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_RULELINE_H
#define DP_RULE_RULELINE_H

#include "rule/cursor.h"

/* Read the line into `r`, all but its id; text is the rest of the line from the rule on. */
dp_err dp_ruleline_read(dp_rule *r, dp_cursor *c);

/* Read a rule that stands alone, for who has its text and asks what it means. Its strings are views into `text`, all
 * else is in `a`; it belongs to no block, so any host may stand in it. DP_ESYNTAX: it is no rule, and
 * `out` is what stands before the mistake; DP_ENOMEM. */
dp_err dp_ruleline_parse(dp_rule *out, dp_str text, dp_arena *a);

/* Read the rest of `keep NAMES` or `keep TPL`. */
dp_err dp_ruleline_keep(dp_keep *k, dp_cursor *c);

#endif
