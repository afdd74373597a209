/* rule/witness.h - URLs that a rule was made for: its left side filled in.
 *
 *     /{slug}/dp/{n:int}              http://a.com/a/dp/1
 *     /{**}/index.html                http://a.com/index.html, http://a.com/a/index.html
 *     drop ?sid,utm_* on /x           http://a.com/x?sid=a&utm_=a
 *     only ?a,b                       http://a.com/?c=a
 *     sub "/story?id=" -> "/s_"       http://a.com/story?id=
 *
 * A file in which some rule fires twice in the run of its own witness is refused when it
 * is loaded (docs/rule-format.md, "It ends").
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_WITNESS_H
#define DP_RULE_WITNESS_H

#include "rule/rule.h"

enum { DP_WITNESSES = 2 };

/* Write the witnesses of rule `r` of block `b` to `out` and how many there are to `*n`: two
 * when {**} can be nothing or one segment, else one; none for a rule that asks for more than
 * 4096 parameters of one name, or for `only` with names for every letter. They lie in the arena. */
dp_err dp_witness_make(dp_str out[DP_WITNESSES], size_t *n, const dp_block *b, const dp_rule *r, dp_arena *a);

#endif
