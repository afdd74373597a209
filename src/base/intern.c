/* SPDX-License-Identifier: Apache-2.0 */
#include "base/intern.h"

#include <stdlib.h>

#include "base/room.h"
#include "base/secret.h"

bool dp_intern_find(const dp_intern *m, dp_str key, uint32_t *value)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&m->index, dp_secret_text(key)); dp_index_next(&w, &i);) {
        if (dp_str_eq(m->v[i].key, key)) {
            *value = m->v[i].value;
            return true;
        }
    }
    return false;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_intern *)self)->v[number].hash;
}

bool dp_intern_add(dp_intern *m, dp_str key, uint32_t value)
{
    if (!DP_ROOM(m->v, m->n, m->cap) || !dp_index_room(&m->index, hash_of, m))
        return false;
    dp_intern_key new = {dp_arena_str(&m->keys, key), dp_secret_text(key), value};
    if (!new.key.p)
        return false;
    m->v[dp_index_put(&m->index, new.hash)] = new;
    m->n++;
    return true;
}

void dp_intern_done(dp_intern *m)
{
    free(m->v);
    dp_index_done(&m->index);
    dp_arena_done(&m->keys);
    *m = (dp_intern){0};
}
