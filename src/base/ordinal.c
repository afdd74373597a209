/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ordinal.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024, MOST = INT32_MAX };

bool dp_grow(void *array, uint32_t *cap, size_t size)
{
    void   **p = array;
    uint32_t more = *cap ? *cap + *cap / 2 : 256;
    void    *bigger = realloc(*p, more * size);
    if (!bigger)
        return false;
    *p = bigger;
    *cap = more;
    return true;
}

static void put(uint32_t *slot, uint64_t mask, uint64_t hash, uint32_t number)
{
    uint64_t i = hash & mask;
    while (slot[i])
        i = (i + 1) & mask;
    slot[i] = number + 1;
}

static bool rehash(dp_ordinals *o)
{
    uint64_t  nslot = o->nslot ? o->nslot * 2 : FIRST_SLOTS;
    uint32_t *slot = calloc(nslot, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < o->n; i++)
        put(slot, nslot - 1, o->hash[i], i);
    free(o->slot);
    o->slot = slot;
    o->nslot = nslot;
    return true;
}

bool dp_ordinals_find(const dp_ordinals *o, uint64_t hash, uint32_t *number)
{
    uint64_t mask = o->nslot - 1;
    for (uint64_t i = hash & mask; o->nslot && o->slot[i]; i = (i + 1) & mask) {
        if (o->hash[o->slot[i] - 1] == hash) {
            *number = o->slot[i] - 1;
            return true;
        }
    }
    return false;
}

dp_err dp_ordinals_add(dp_ordinals *o, uint64_t hash, uint32_t *number, bool *fresh)
{
    if (dp_ordinals_find(o, hash, number)) {
        *fresh = false;
        return DP_OK;
    }
    if (o->n == MOST)
        return DP_ELIMIT;
    if ((o->n == o->cap && !dp_grow(&o->hash, &o->cap, sizeof *o->hash)) ||
        ((uint64_t)o->n * 4 >= o->nslot * 3 && !rehash(o)))
        return DP_ENOMEM;
    put(o->slot, o->nslot - 1, hash, o->n);
    *number = o->n;
    *fresh = true;
    o->hash[o->n++] = hash;
    return DP_OK;
}

void dp_ordinals_close(dp_ordinals *o)
{
    free(o->slot);
    o->slot = NULL;
    o->nslot = 0;
}

void dp_ordinals_done(dp_ordinals *o)
{
    free(o->hash);
    free(o->slot);
    *o = (dp_ordinals){0};
}

uint64_t dp_ordinals_bytes(const dp_ordinals *o)
{
    return (uint64_t)o->cap * sizeof *o->hash + o->nslot * sizeof *o->slot;
}
