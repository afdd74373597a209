/* learn/sizes/shown_pairs.h - what a parameter adds to a page because the page shows how it was asked for.
 *
 *     /find?q=a        5120      /find?q=b        7003      /find?q=c        6200
 *     /find?q=a&v=1    5129      /find?q=b&v=1    7012      /find?q=c&v=1    6209      always 9: "&amp;v=1" of a link
 *
 * Links and forms of a page repeat its URL, so that one page has another size under each of its URLs. But what a pair
 * adds is the same whatever the page: where a log has many URLs with a pair and without it, and pages of different
 * sizes differ by the same few bytes, these bytes are taken off. A parameter that shows another page never does that.
 * The same holds for all values of one length, where they agree.
 *
 * Read by learn/sizes/label_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_SHOWN_PAIRS_H
#define DP_LEARN_SIZES_SHOWN_PAIRS_H

#include "site/site.h"

/* Take off usual[i] what the pairs of s->url[i] add. DP_ENOMEM. */
dp_err dp_shown_pairs_take(uint32_t *usual, const dp_site *s);

#endif
