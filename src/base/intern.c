/* SPDX-License-Identifier: Apache-2.0 */
#include "base/intern.h"

#include <stdlib.h>

#include "base/hash.h"

static dp_intern_slot *find(const dp_intern *m, dp_str key, uint64_t hash)
{
    for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        dp_intern_slot *s = &m->slot[i];
        if (!s->p || (s->hash == hash && dp_str_eq((dp_str){s->p, s->n}, key)))
            return s;
    }
}

bool dp_intern_find(const dp_intern *m, dp_str key, uint32_t *value)
{
    if (m->cap == 0)
        return false;
    const dp_intern_slot *s = find(m, key, dp_hash_str(key));
    if (s->p)
        *value = s->value;
    return s->p != NULL;
}

static bool grow(dp_intern *m)
{
    dp_intern      bigger = *m;
    dp_intern_slot *old = m->slot;
    bigger.cap = m->cap ? m->cap * 2 : 64;
    bigger.slot = calloc(bigger.cap, sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (size_t i = 0; i < m->cap; i++)
        if (old[i].p)
            *find(&bigger, (dp_str){old[i].p, old[i].n}, old[i].hash) = old[i];
    free(old);
    *m = bigger;
    return true;
}

bool dp_intern_add(dp_intern *m, dp_str key, uint32_t value)
{
    if (m->n * 2 >= m->cap && !grow(m))
        return false;
    dp_str copy = dp_arena_str(&m->keys, key);
    if (!copy.p)
        return false;
    uint64_t hash = dp_hash_str(key);
    *find(m, key, hash) = (dp_intern_slot){hash, copy.p, copy.n, value};
    m->n++;
    return true;
}

void dp_intern_done(dp_intern *m)
{
    free(m->slot);
    dp_arena_done(&m->keys);
    *m = (dp_intern){0};
}
