/* live/actions.h - URLs that are better not asked for.
 *
 *     /account/logout    /cart?add=17    ?do=delete    /newsletter/unsubscribe?id=3      they may do something
 *     http://a.com/?token=xxx            http://xxx@a.com/                               their values were masked
 *
 * A GET should be safe (RFC 9110, 9.2.1), but on many sites a link that says so logs out, empties a cart or removes a
 * page. A URL whose text holds one of the words in actions.c is not fetched, unless --allow-actions. A URL with a
 * masked value (url/mask.h writes xxx) is no longer the one that was seen: it is never fetched.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ACTIONS_H
#define DP_LIVE_ACTIONS_H

#include "base/str.h"

/* Whether path or query of `url` hold a word of the table: a run of letters, or two of them that one byte divides
 * (log-out, sign_in), or one capitalised after the other (logOut); case does not matter. */
bool dp_url_acts(dp_str url);

/* Whether the userinfo or some value is the mask. */
bool dp_url_is_masked(dp_str url);

#endif
