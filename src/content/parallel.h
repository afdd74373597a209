/* content/parallel.h - sets of URLs that repeat each other in another version, language or section.
 *
 *     set 1   /2.13/creating-a-key  /2.13/user/adding-a-key  ...      one page, moved and renamed many times
 *     set 2   /2.14/creating-a-key  /2.14/user/adding-a-key  ...      the same of the next version
 *
 * A set is parallel to another when at least half of its URLs become URLs of that one by the same exchange of one part:
 * a path segment, a pair of the query. Error messages do not repeat each other like that: which URLs show one is an
 * accident.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_PARALLEL_H
#define DP_CONTENT_PARALLEL_H

#include "base/err.h"
#include "base/str.h"

typedef struct dp_member {
    dp_str   url;
    uint32_t set;
} dp_member;

/* Make out[i] whether set i, below `sets`, is parallel to another one. No URL is there twice. DP_ENOMEM. */
dp_err dp_parallel_find(bool *out, size_t sets, const dp_member *v, size_t n);

#endif
