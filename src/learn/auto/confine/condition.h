/* learn/auto/confine/condition.h - a rule where some values hold, or but for them.
 *
 *     drop ?p              restricted to first component a, b      drop ?p on /{v=a|b}/{**}
 *     /{a}/{b} => /{b}     restricted to first component shop      /{a=shop}/{b} => /{b}
 *     /a/{**} => /b/{**}   restricted to extension .png            /a/{**}/{z}.png => /b/{**}/{z}.png
 *     /a/{**} => /b/{**}   restricted to .png, .css                /a/{**}/{z}.{e=png|css} => /b/{**}/{z}.{e}
 *     fold case path       except first component img              fold case path unless /img/{**}
 *
 * A template has its conditions in the captures of its left side; other rules behind `on`. Not everything can be said:
 * then the idea stays as it is. learn/auto/confine/context.h chooses the values.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_CONFINE_CONDITION_H
#define DP_LEARN_AUTO_CONFINE_CONDITION_H

#include "learn/auto/confine/feature.h"
#include "rule/rule.h"

/* Make `out` the text of the rule where one of v[0 .. n), which have one key, holds; false when it cannot be said, or
 * memory is out (out->failed). `a` is for what lies between. */
bool dp_condition_restrict(dp_buf *out, const dp_rule *rule, const dp_feature *const *v, size_t n, dp_arena *a);

/* Make `out` the text of the rule but for v[0 .. n), which may have different keys; false when it cannot be said, or is
 * said already. */
bool dp_condition_except(dp_buf *out, const dp_rule *rule, const dp_feature *const *v, size_t n);

#endif
