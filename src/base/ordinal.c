/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ordinal.h"

#include <stdlib.h>

#include "base/room.h"

enum { MOST = INT32_MAX };

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_ordinals *)self)->hash[number];
}

bool dp_ordinals_find(const dp_ordinals *o, uint64_t hash, uint32_t *number)
{
    for (dp_index_walk w = dp_index_from(&o->index, hash); dp_index_next(&w, number);)
        if (o->hash[*number] == hash)
            return true;
    return false;
}

dp_err dp_ordinals_add(dp_ordinals *o, uint64_t hash, uint32_t *number, bool *fresh)
{
    if (!DP_ROOM(o->hash, o->n, o->cap) || !dp_index_room(&o->index, hash_of, o))
        return o->n == MOST ? DP_ELIMIT : DP_ENOMEM;
    dp_index_walk w = dp_index_from(&o->index, hash);
    *fresh = false;
    while (dp_index_next(&w, number))
        if (o->hash[*number] == hash)
            return DP_OK;
    *fresh = true;
    *number = dp_index_end(&o->index, &w);
    o->hash[o->n++] = hash;
    return DP_OK;
}

void dp_ordinals_close(dp_ordinals *o)
{
    dp_index_done(&o->index);
}

void dp_ordinals_done(dp_ordinals *o)
{
    free(o->hash);
    dp_index_done(&o->index);
    *o = (dp_ordinals){0};
}

uint64_t dp_ordinals_bytes(const dp_ordinals *o)
{
    return (uint64_t)o->cap * sizeof *o->hash + dp_index_bytes(&o->index);
}
