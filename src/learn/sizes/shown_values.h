/* learn/sizes/shown_values.h - values that add to a page what their length says, so many times as the page shows them.
 *
 *     /timeline?n=          5120
 *     /timeline?n=file      5129     4 letters   9 bytes ┐
 *     /timeline?n=option    5133     6 letters  13 bytes ├ 2 for each letter, and 1
 *     /timeline?n=command   5135     7 letters  15 bytes ┘
 *
 * Such a value stands in links and forms of the page and chooses nothing of it. Pages that differ do not lie on a line
 * whose slope is a whole number, and a heading that has the value is more than a link can hold. How often a page shows
 * the value may differ from page to page, and so may the slope; a parameter is believed that does this on several pages
 * and hardly ever anything else. Where pages differ from one fetch to the next nothing lies on a line.
 *
 * Read by learn/sizes/label_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_SHOWN_VALUES_H
#define DP_LEARN_SIZES_SHOWN_VALUES_H

#include "learn/sizes/pair_places.h"

/* Give usual[i] the size of the same URL without such values. DP_ENOMEM. */
dp_err dp_shown_values_take(uint32_t *usual, dp_pair_places *places);

#endif
