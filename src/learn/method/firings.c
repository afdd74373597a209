/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/method/firings.h"

#include <stdlib.h>

#include "base/room.h"

bool dp_firings_add(dp_firings *f, dp_firing one)
{
    if (!DP_ROOM(f->v, f->n, f->cap))
        return false;
    f->v[f->n++] = one;
    return true;
}

void dp_firings_done(dp_firings *f)
{
    free(f->v);
    free(f->key);
    *f = (dp_firings){0};
}

size_t dp_firings_find(const dp_firings *f, uint32_t url)
{
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (f->v[mid].url < url)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
