/* base/plural.h - numbers with the words they count, for messages.
 *
 *     dp_say("%zu rule%s", n, dp_s(n));                               0 rules, 1 rule, 2 rules
 *     dp_say("%zu %s", n, dp_plural(n, "page was", "pages were"));
 *
 *     dp_count_add(&b, 4, "URL", "URLs");
 *     dp_count_add(&b, 0, "line not read", "lines not read");
 *     dp_count_add(&b, 1, "distinct key", "distinct keys");           4 URLs, 1 distinct key
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_PLURAL_H
#define DP_BASE_PLURAL_H

#include <inttypes.h>

#include "base/buf.h"

/* `one` for a single thing, `many` for any other number of them. */
static inline const char *dp_plural(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* The "s" behind a word. */
static inline const char *dp_s(uint64_t n)
{
    return dp_plural(n, "", "s");
}

/* Append "3 things" to a list with commas; nothing when there are none. */
static inline void dp_count_add(dp_buf *list, uint64_t n, const char *one, const char *many)
{
    if (n)
        dp_buf_printf(list, "%s%" PRIu64 " %s", list->n ? ", " : "", n, dp_plural(n, one, many));
}

#endif
