/* learn/sizes/shown_pairs.h - what a parameter adds to a page because the page shows how it was asked for.
 *
 *     /find?q=a        5120      /find?q=b        7003      /find?q=c        6200
 *     /find?q=a&v=1    5129      /find?q=b&v=1    7012      /find?q=c&v=1    6209      always 9: "&amp;v=1" of a link
 *
 * Links and forms of a page repeat its URL, so that one page has another size under each of its URLs. But what a pair
 * adds is the same whatever the page: where a log has many URLs with a pair and without it, and pages of different
 * sizes differ by the same few bytes, these bytes are taken off. A parameter that shows another page never does that.
 * The same holds for all values of one length, where they agree. A parameter that chooses another page with another
 * value is left alone. Where values of different lengths add what their length says, that is proof; a switch may also
 * add the same few words to every page.
 *
 * Read by learn/sizes/label_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_SHOWN_PAIRS_H
#define DP_LEARN_SIZES_SHOWN_PAIRS_H

#include "learn/sizes/pair_places.h"

/* Take off usual[i] what the pairs of URL i add; guessed[i] are those of the bytes that no line proves. DP_ENOMEM. */
dp_err dp_shown_pairs_take(uint32_t *usual, uint32_t *guessed, dp_pair_places *places);

#endif
