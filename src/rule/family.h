/* rule/family.h - one rule text under all the hosts that have it, and what their files say of it.
 *
 *     host a.com   drop ?sid [p=.99 n=100]     ─┐
 *     host b.com   drop ?sid [p=.90 n=20]      ─┴► drop ?sid: 2 rules, n 120, p .90 to .99, risk 3
 *
 * The risk is what it would cost if it were wrong as often as expected: the sum of save * (1 - p), where `save` (URLs
 * it merges) falls back to n. Rules without p, and those that are off, add none.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_FAMILY_H
#define DP_RULE_FAMILY_H

#include "rule/rule.h"

typedef struct dp_family {
    dp_str text;
    const dp_rule *first; /* of its rules, as added */
    size_t rules, hosts;
    size_t in_state[4]; /* by dp_state; a rule in a block that is off is off */
    double n, neg, risk;
    double p_min, p_sum;
    size_t p_count; /* rules with p */
} dp_family;

void dp_family_add(dp_family *f, const dp_rule *r);

#endif
