/* SPDX-License-Identifier: Apache-2.0 */
#include "site/counted.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/room.h"

bool dp_counted_merge(dp_counted *c)
{
    if (c->n < 2)
        return true;
    dp_keyed *tmp = malloc(c->n * sizeof *tmp);
    if (!tmp)
        return false;
    dp_keyed_sort(c->v, tmp, c->n, UINT64_MAX);
    free(tmp);
    size_t   n = 0;
    uint32_t of_first = 0;
    for (size_t i = 0, j; i < c->n; i = j) {
        dp_keyed one = c->v[i];
        uint64_t sum = one.item;
        for (j = i + 1; j < c->n && c->v[j].key == one.key; j++)
            sum += c->v[j].item;
        one.item = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
        of_first = n && c->v[n - 1].key >> 32 == one.key >> 32 ? of_first + 1 : 1;
        if (!c->most || of_first <= c->most)
            c->v[n++] = one;
    }
    c->n = n;
    return true;
}

bool dp_counted_add_times(dp_counted *c, uint32_t first, uint32_t second, uint32_t times)
{
    if (c->n == c->cap) {
        if (c->n && !dp_counted_merge(c))
            return false;
        if (2 * c->n >= c->cap) {
            size_t cap = c->cap ? 2 * c->cap : 1024;
            if (!DP_RESIZE(c->v, cap))
                return false;
            c->cap = cap;
        }
    }
    c->v[c->n++] = (dp_keyed){(uint64_t)first << 32 | second, times};
    return true;
}

size_t dp_counted_find(const dp_counted *c, uint32_t first)
{
    size_t i;
    DP_BISECT(i, c->n, dp_counted_first(&c->v[i]) < first);
    return i;
}

void dp_counted_done(dp_counted *c)
{
    free(c->v);
    *c = (dp_counted){0};
}
