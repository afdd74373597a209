/* base/plural.h - a number with its noun, for messages: "1 rule", "2 rules", "0 rules".
 *
 *     dp_say("%zu %s tested", n, dp_plural(n, "rule", "rules"));
 *     dp_buf_count(&b, n, "URL", "URLs");
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_PLURAL_H
#define DP_BASE_PLURAL_H

#include <inttypes.h>

#include "base/buf.h"

static inline const char *dp_plural(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* Append "N noun". */
static inline void dp_buf_count(dp_buf *b, uint64_t n, const char *one, const char *many)
{
    dp_buf_printf(b, "%" PRIu64 " %s", n, dp_plural(n, one, many));
}

#endif
