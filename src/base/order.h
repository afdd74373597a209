/* base/order.h - how qsort compares what is sorted often, and how a place is found in what is sorted.
 *
 *     qsort(v, n, sizeof *v, dp_by_number);      uint32_t *v, the least first
 *     qsort(s, n, sizeof *s, dp_by_bytes);       dp_str *s, as dp_str_cmp orders them
 *
 *     DP_BISECT(i, n, v[i] < x);                 i: the first of n for which that is false; n when there is none
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

/* `is_before` is an expression of `i`, a variable of the caller's; it is true for the first ones and false from some
 * place on. */
#define DP_BISECT(i, n, is_before)                                 \
    do {                                                           \
        __typeof__(i) dp_low_ = 0, dp_high_ = (__typeof__(i))(n);  \
        while (dp_low_ < dp_high_) {                               \
            (i) = dp_low_ + (dp_high_ - dp_low_) / 2;              \
            if (is_before)                                         \
                dp_low_ = (i) + 1;                                 \
            else                                                   \
                dp_high_ = (i);                                    \
        }                                                          \
        (i) = dp_low_;                                             \
    } while (0)

#endif
