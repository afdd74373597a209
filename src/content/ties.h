/* content/ties.h - what URLs may have in common: paths, segments, pairs of the query; each as a hash.
 *
 *     http://a.com/news/7?id=1&x     path "/news/7"     segments "news" "7"     pairs "id=1" "x"
 *
 * Read by content/soft.h. Who looks for a few ties in many URLs makes a filter of them first: by the shape of a tie,
 * its length and its ends, most parts of most URLs are turned away unhashed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_TIES_H
#define DP_CONTENT_TIES_H

#include "base/str.h"

enum { DP_TIES = 48 /* of a URL that are looked at */, DP_TIE_FILTER = 64 /* words */ };

typedef struct dp_tie {
    uint64_t hash; /* of its kind and text */
    uint32_t shape;
} dp_tie;

typedef struct dp_ties {
    dp_tie v[DP_TIES]; /* [n] each once */
    size_t n;
    bool   full;       /* there was no room for more */
} dp_ties;

/* A zeroed one turns all away. */
typedef struct dp_tie_filter {
    uint64_t shape[DP_TIE_FILTER], hash[DP_TIE_FILTER]; /* bits */
} dp_tie_filter;

void dp_tie_filter_add(dp_tie_filter *f, const dp_tie *t);

/* The ties of a URL that the filter lets pass, in any case those that were added to it; NULL: all. A text that is no
 * URL has none. */
void dp_ties_find(dp_ties *out, dp_str url, const dp_tie_filter *only);

#endif
