/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/method/firings.h"

#include <stdlib.h>

#include "base/order.h"
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
    size_t i;
    DP_BISECT(i, f->n, f->v[i].url < url);
    return i;
}
