/* learn/sizes/all_urls.h - the URLs of a log with sizes that can be compared, and those that are gone among them.
 *
 *     /a?v=1    5129  ─┐ shown: 9 bytes              /a?v=1   5120
 *     /a        5120   │                             /a       5120
 *     /old       301   ├ its clients went to /a      /old     5120
 *     /gone      404  ─┘                             /gone    none
 *
 * Read by learn/sizes/label_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_ALL_URLS_H
#define DP_LEARN_SIZES_ALL_URLS_H

#include "site/site.h"

/* A site whose URLs are those of `s` and the ones that are gone, in order. What only content has is left out; what is
 * new is in `a`. DP_ENOMEM. */
dp_err dp_all_urls_take(dp_site *out, const dp_site *s, dp_arena *a);

#endif
