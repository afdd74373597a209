/* learn/auto/propose/moved.h - parameters whose values stand in another place in other URLs of the page.
 *
 *     /tag/oak/?paged=3&sid=7    /tag/oak/page/3/    ?paged has moved: to forget it on trial, with what stands there,
 *     /tag/ash/?paged=2          /tag/ash/page/2/    would forget the page; ?sid has not
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_MOVED_H
#define DP_LEARN_AUTO_PROPOSE_MOVED_H

#include "learn/auto/forms/forms.h"

enum { DP_MOST_MOVED = 32 }; /* names that may be asked for */

/* Of `n` names, bits of those whose value is a component of the path where a page has URLs with them and without, for
 * most pages and for two at least. DP_ENOMEM. */
dp_err dp_moved_find(uint32_t *out, const dp_forms *f, const dp_str *name, size_t n);

#endif
