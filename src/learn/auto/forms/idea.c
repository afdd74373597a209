/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/idea.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

void dp_ideas_done(dp_ideas *c)
{
    free(c->v);
    dp_index_done(&c->index);
    dp_arena_done(&c->arena);
    *c = (dp_ideas){0};
}

static uint64_t hash_idea(const dp_idea *i)
{
    uint64_t hash = dp_hash_fold(dp_hash_str(i->text[0]), dp_hash_str(i->text[1]));
    return i->hosts.n ? dp_hash_fold(hash, dp_hash_str(i->hosts)) : hash;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_ideas *)self)->v[number].hash;
}

/* Its number, DP_NO_IDEA: the walk has ended where it would be. */
static uint32_t find(const dp_ideas *c, const dp_idea *one, uint64_t hash, dp_index_walk *w)
{
    uint32_t i;
    *w = dp_index_from(&c->index, hash);
    while (dp_index_next(w, &i))
        if (dp_str_eq(c->v[i].text[0], one->text[0]) && dp_str_eq(c->v[i].text[1], one->text[1]) &&
            dp_str_eq(c->v[i].hosts, one->hosts))
            return i;
    return DP_NO_IDEA;
}

dp_idea *dp_ideas_add(dp_ideas *c, const dp_idea *one, dp_proposer by)
{
    dp_index_walk w;
    if (c->failed || !DP_ROOM(c->v, c->n, c->cap) || !dp_index_room(&c->index, hash_of, c)) {
        c->failed = true;
        return NULL;
    }
    uint64_t hash = hash_idea(one);
    uint32_t i = find(c, one, hash, &w);
    if (i == DP_NO_IDEA) {
        dp_idea new = *one;
        new.hash = hash;
        new.text[0] = dp_arena_str(&c->arena, one->text[0]);
        new.text[1] = dp_arena_str(&c->arena, one->text[1]);
        new.hosts = dp_arena_str(&c->arena, one->hosts);
        if (!new.text[0].p || !new.text[1].p || !new.hosts.p) {
            c->failed = true;
            return NULL;
        }
        new.folds = new.clusters = 0;
        i = dp_index_end(&c->index, &w);
        c->v[i] = new;
        c->n++;
    }
    dp_idea *there = &c->v[i];
    there->folds |= 1u << by.fold;
    if (there->clusters == 0 || there->last != by.cluster)
        there->clusters++;
    there->last = by.cluster;
    return there;
}

dp_err dp_ideas_cut(dp_ideas *c, size_t n)
{
    dp_ideas less = {.cap = n};
    if (!DP_RESIZE(less.v, n) || !dp_index_reserve(&less.index, n)) {
        dp_ideas_done(&less);
        return DP_ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        dp_idea one = c->v[i];
        for (int k = 0; k < 2; k++)
            one.text[k] = dp_arena_str(&less.arena, c->v[i].text[k]);
        if (!one.text[0].p || !one.text[1].p) {
            dp_ideas_done(&less);
            return DP_ENOMEM;
        }
        less.v[dp_index_put(&less.index, one.hash)] = one;
        less.n++;
    }
    dp_ideas_done(c);
    *c = less;
    return DP_OK;
}

uint32_t dp_ideas_find(const dp_ideas *c, const dp_idea *one)
{
    dp_index_walk w;
    return find(c, one, hash_idea(one), &w);
}
