/* base/order.h - how qsort compares what is sorted often.
 *
 *     qsort(v, n, sizeof *v, dp_by_number);      uint32_t *v, the least first
 *     qsort(s, n, sizeof *s, dp_by_bytes);       dp_str *s, as dp_str_cmp orders them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ORDER_H
#define DP_BASE_ORDER_H

#include "base/str.h"

static inline int dp_by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int dp_by_bytes(const void *a, const void *b)
{
    return dp_str_cmp(*(const dp_str *)a, *(const dp_str *)b);
}

#endif
