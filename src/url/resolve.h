/* url/resolve.h - what a link on a page leads to.
 *
 *     http://a.com/x/y?q   +   ../z   ->   http://a.com/x/../z        dots are for stage 0
 *     http://a.com/x/y?q   +   ?p     ->   http://a.com/x/y?p
 *
 * RFC 3986, section 5.2, without the removal of dot segments.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_RESOLVE_H
#define DP_URL_RESOLVE_H

#include "base/buf.h"

/* Append what `link` means on the page `base`. False, with nothing appended, when `base` is no
 * URL or the link leads to none (mailto:, javascript:); or when out->failed: memory. */
bool dp_resolve(dp_buf *out, dp_str base, dp_str link);

#endif
