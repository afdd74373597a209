/* site/counted.h - pairs of numbers, and how often each came.
 *
 *     add (7,3) (2,9) (7,3)   ── merge ──►   (2,9) 1   (7,3) 2        by first, then second
 *
 * Who redirects to whom, which client asked for what, which URL was put into which cluster: all are such
 * pairs. A zeroed dp_counted is valid and empty.
 *
 * Memory: 16 bytes a different pair and as many again for those that wait to be merged; as much once more
 * while merging.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_COUNTED_H
#define DP_SITE_COUNTED_H

#include "base/keyed.h"

typedef struct dp_counted {
    dp_keyed *v;     /* [n] key: the pair; item: how often, at most UINT32_MAX */
    size_t    n, cap;
    uint32_t  most;  /* pairs that one first number keeps: those of the least second ones; 0: all */
} dp_counted;

static inline uint32_t dp_counted_first(const dp_keyed *p)
{
    return (uint32_t)(p->key >> 32);
}

static inline uint32_t dp_counted_second(const dp_keyed *p)
{
    return (uint32_t)p->key;
}

/* The pair came `times` more often. False when memory is out. */
bool dp_counted_add_times(dp_counted *c, uint32_t first, uint32_t second, uint32_t times);

static inline bool dp_counted_add(dp_counted *c, uint32_t first, uint32_t second)
{
    return dp_counted_add_times(c, first, second, 1);
}

/* Bring them into their order, each once. False when memory is out. */
bool dp_counted_merge(dp_counted *c);

/* Where the pairs of `first` begin in merged ones. */
size_t dp_counted_find(const dp_counted *c, uint32_t first);

void dp_counted_done(dp_counted *c);

#endif
