/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/loss.h"

/* Put `new` into the list, which is ordered by item and has one entry a cluster. */
static size_t put(dp_loss *v, size_t n, size_t cap, dp_loss new)
{
    size_t at = 0, gone = 0;
    while (gone < n && v[gone].cluster != new.cluster)
        gone++;
    if (gone < n && v[gone].item < new.item)
        return n;
    if (gone == n && n == cap)
        gone = n - 1; /* the last makes room */
    else if (gone == n)
        n++;
    while (at < gone && v[at].item < new.item)
        at++;
    memmove(v + at + 1, v + at, (gone - at) * sizeof *v);
    v[at] = new;
    return n;
}

size_t dp_losses_find(dp_loss *out, size_t cap, const dp_member *v, size_t n, const uint32_t *cluster,
                      const dp_stamps *s)
{
    size_t found = 0;
    for (size_t i = 0, j; i < n && cap; i = j) {
        j = dp_group_end(v, n, i);
        for (size_t k = i + 1; k < j; k++) {
            uint32_t c = cluster[v[k].item];
            if (s->marked[c] == 1 && (found < cap || v[k].item < out[found - 1].item))
                found = put(out, found, cap, (dp_loss){v[k].item, v[i].item, c});
        }
    }
    return found;
}
