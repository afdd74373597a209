/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/idea.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

void dp_ideas_done(dp_ideas *c)
{
    free(c->v);
    free(c->slot);
    dp_arena_done(&c->arena);
    *c = (dp_ideas){0};
}

static uint64_t hash_of(const dp_idea *i)
{
    return dp_hash_fold(dp_hash_str(i->text[0]), dp_hash_str(i->text[1]));
}

static uint32_t *slot_of(const dp_ideas *c, const dp_idea *one)
{
    size_t i = hash_of(one) & (c->nslot - 1);
    while (c->slot[i]) {
        const dp_idea *there = &c->v[c->slot[i] - 1];
        if (dp_str_eq(there->text[0], one->text[0]) && dp_str_eq(there->text[1], one->text[1]))
            break;
        i = (i + 1) & (c->nslot - 1);
    }
    return &c->slot[i];
}

/* Room for one more. */
static bool grow(dp_ideas *c)
{
    if (!DP_ROOM(c->v, c->n, c->cap))
        return false;
    if (c->n * 2 >= c->nslot) {
        size_t    nslot = c->nslot ? c->nslot * 2 : 1024;
        uint32_t *slot = calloc(nslot, sizeof *slot);
        if (!slot)
            return false;
        free(c->slot);
        c->slot = slot;
        c->nslot = nslot;
        for (size_t i = 0; i < c->n; i++)
            *slot_of(c, &c->v[i]) = (uint32_t)i + 1;
    }
    return true;
}

dp_idea *dp_ideas_add(dp_ideas *c, const dp_idea *one, dp_proposer by)
{
    if (c->failed || !grow(c)) {
        c->failed = true;
        return NULL;
    }
    uint32_t *slot = slot_of(c, one);
    if (!*slot) {
        dp_idea new = *one;
        new.text[0] = dp_arena_str(&c->arena, one->text[0]);
        new.text[1] = dp_arena_str(&c->arena, one->text[1]);
        if (!new.text[0].p || !new.text[1].p) {
            c->failed = true;
            return NULL;
        }
        new.folds = new.clusters = 0;
        c->v[c->n++] = new;
        *slot = (uint32_t)c->n;
    }
    dp_idea *there = &c->v[*slot - 1];
    there->folds |= 1u << by.fold;
    if (there->clusters == 0 || there->last != by.cluster)
        there->clusters++;
    there->last = by.cluster;
    return there;
}

dp_err dp_ideas_cut(dp_ideas *c, size_t n)
{
    dp_ideas less = {.nslot = 16};
    while (less.nslot < n * 2)
        less.nslot *= 2;
    less.v = malloc((n + 1) * sizeof *less.v);
    less.slot = calloc(less.nslot, sizeof *less.slot);
    less.cap = n;
    if (!less.v || !less.slot) {
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
        less.v[less.n++] = one;
        *slot_of(&less, &one) = (uint32_t)less.n;
    }
    dp_ideas_done(c);
    *c = less;
    return DP_OK;
}

uint32_t dp_ideas_find(const dp_ideas *c, const dp_idea *one)
{
    return c->nslot ? *slot_of(c, one) - 1 : DP_NO_IDEA;
}
