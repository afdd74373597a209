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

/* Read the rest of `keep NAMES` or `keep TPL`. */
dp_err dp_ruleline_keep(dp_keep *k, dp_cursor *c);

#endif
