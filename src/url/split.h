/* url/split.h - cut a URL into its parts without changing a byte.
 *
 *     http://me@a.com:80/p/q?x=1&y#f
 *     scheme user host port path query fragment
 *
 * The first step of stage 0 (url/normalize.h). Only the outer form is looked at: whether
 * the host is a good one is for url/host.h to say.
 *
 * Invariants:
 *   - dp_split_join gives the URL back byte for byte.
 *   - A part that is absent has n == 0 and its has_ flag false; "?" alone is has_query
 *     with n == 0.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_SPLIT_H
#define DP_URL_SPLIT_H

#include "base/buf.h"

typedef struct dp_split {
    dp_str scheme; /* before "://"; absent when the URL begins with its host */
    dp_str user;   /* before the last '@' of the authority */
    dp_str host;   /* never empty; [IPv6] with its brackets */
    dp_str port;   /* digits, or empty after a lone ':' */
    dp_str path;   /* empty or from '/' */
    dp_str query;
    dp_str fragment;
    bool   has_scheme, has_user, has_port, has_query, has_fragment;
} dp_split;

/* Split `url`; false when it is none: neither scheme://host nor a dotted name (docs/rule-format.md 8.1). */
bool dp_split_url(dp_split *out, dp_str url);

/* The user, host and port of what stands between "://" and the path; false when it has no host or a port that is no
 * number. The other parts of `out` stay as they are. */
bool dp_split_authority(dp_split *out, dp_str authority);

void dp_split_join(dp_buf *out, const dp_split *s);

#endif
