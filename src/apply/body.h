/* apply/body.h - one rule, or one keep line, as the engine needs it (apply/image.h).
 *
 * Used by apply/compile.c alone. Everything a rule refers to is written behind it, innermost
 * first, so that matching it touches a few neighbouring cache lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_BODY_H
#define DP_APPLY_BODY_H

#include "apply/image.h"
#include "rule/rule.h"

/* Append the body of rule number `number` to `out`, a multiple of 8 bytes; what is needed
 * meanwhile lies in the arena. max_slot and max_cut of `head` grow with what it needs.
 * False when the rule is too long for a body (its places have two bytes), or has too many captures
 * in one pattern; that memory is out is out->failed. */
bool dp_body_add_rule(dp_buf *out, const dp_rule *r, uint32_t number, dp_im_header *head, dp_arena *a);
bool dp_body_add_keep(dp_buf *out, const dp_keep *k, dp_im_header *head, dp_arena *a);

#endif
