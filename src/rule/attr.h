/* rule/attr.h - what is known of a rule, or of the hosts of a block: [p=.998 n=212 neg=0 by=text].
 *
 * They never change what a URL becomes unless asked (--min-precision, --form fetch).
 * Unknown keys are kept.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_ATTR_H
#define DP_RULE_ATTR_H

#include "rule/cursor.h"

/* The attribute named `key`; NULL when the rule has none. */
const dp_attr *dp_attr_find(const dp_rule *r, dp_str key);

/* Give the attribute named `key` another value; it becomes the last one when it is not there. Both texts must live as
 * long as the rule. DP_ENOMEM. */
dp_err dp_attr_set(dp_rule *r, dp_str key, dp_str value, dp_arena *a);

/* Take the attribute named `key` away, where there is one. */
void dp_attr_cut(dp_rule *r, dp_str key);

/* Read "[k=v k=v]", all that is left of the line, into `*v`, which is in the arena of the model. */
dp_err dp_attr_read(dp_attr **v, size_t *n, dp_cursor *c);

#endif
