/* content/sets.h - which pages belong together (union-find).
 *
 *     up:  0 0 1 3      page 2 -> 1 -> 0;  page 3 is alone
 *
 * The root of a set is its least member, so that sets do not depend on the order of joining.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SETS_H
#define DP_CONTENT_SETS_H

#include "base/err.h"
#include "base/str.h"

typedef struct dp_sets {
    uint32_t *up; /* [n] */
    size_t    n;
} dp_sets;

/* `n` (below 2^32) pages, each alone. DP_ENOMEM. */
dp_err dp_sets_init(dp_sets *s, size_t n);
void   dp_sets_done(dp_sets *s);

static inline uint32_t dp_sets_root(dp_sets *s, uint32_t i)
{
    while (s->up[i] != i) {
        s->up[i] = s->up[s->up[i]];
        i = s->up[i];
    }
    return i;
}

static inline void dp_sets_join(dp_sets *s, uint32_t a, uint32_t b)
{
    a = dp_sets_root(s, a);
    b = dp_sets_root(s, b);
    if (a < b)
        s->up[b] = a;
    else
        s->up[a] = b;
}

#endif
