/* learn/sizes/shown_targets.h - where to go next, in the URL of a page that shows it in its links and forms.
 *
 *     /login?next=/archives/            9103
 *     /login?next=/accounts/login/      9117     6 letters more, one of them a slash, that is %2F in one of two places
 *     /login?next=/archives/list/       9115     5 letters more, one of them a slash
 *
 * A value that is an address of a site chooses nothing of a login page, but has no page without it to compare with. So
 * all values of one parameter on one path are looked at: sizes that are the sum of a constant and of what their letters
 * say, so and so many times as they are and so many times escaped, are of one page. Other values are left alone: what
 * was searched for is a word of the page.
 *
 * Read by learn/sizes/all_urls.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_SHOWN_TARGETS_H
#define DP_LEARN_SIZES_SHOWN_TARGETS_H

#include "learn/sizes/pair_places.h"

/* Take off usual[i] what such a value adds. DP_ENOMEM. */
dp_err dp_shown_targets_take(uint32_t *usual, dp_pair_places *places);

#endif
