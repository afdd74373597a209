/* learn/sizes/swaps.h - what a rule puts in the place of what, by its text.
 *
 *     drop ?sid                  forgets
 *     /{a}/tree => /{a}/dir      one text for another
 *     /v1/{a} => /v2/{a}         one number for another
 *     /f76630a26efe => /tip      not an id for another: "tip" is none
 *
 * Equal sizes say less of a rule that puts one thing for another of its kind: two revisions have most of their files in
 * common. Read by learn/sizes/weigh_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_SWAPS_H
#define DP_LEARN_SIZES_SWAPS_H

#include "base/str.h"

/* Whether the rule gives pages another path, whatever their parameters. */
bool dp_moves(dp_str rule);

/* Whether the rule puts a text in the place of another, rather than to forget one. */
bool dp_swaps(dp_str rule);

/* Whether that is a number for a number of that many digits; one id for another. */
bool dp_swaps_numbers(dp_str rule);
bool dp_swaps_ids(dp_str rule);

/* Whether its target has a literal that its source has not, in the place of something. */
bool dp_swaps_in_text(dp_str rule);

#endif
