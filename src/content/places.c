/* SPDX-License-Identifier: Apache-2.0 */
#include "content/places.h"

#include <stdlib.h>

#include "base/room.h"

void dp_places_done(dp_places *l)
{
    dp_ordinals_done(&l->number);
    free(l->known);
    free(l->a);
    free(l->b);
}

dp_err dp_places_add(dp_places *l, const dp_slot *s, uint32_t *number)
{
    bool fresh;
    if (!DP_ROOM(l->known, l->number.n, l->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&l->number, s->place, number, &fresh));
    if (fresh)
        l->known[*number] = (dp_place_known){.kind = s->kind};
    return DP_OK;
}

static bool is_hidden(const dp_places *l, const dp_slot *s)
{
    const dp_place_known *p = dp_places_find(l, s);
    return p && p->hidden;
}

static int by_place(const void *a, const void *b)
{
    const dp_slot *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* The slots of a fetch by place and hash, of hidden nodes only the plain text. */
static dp_err sorted(dp_places *l, dp_slot **to, size_t *cap, const dp_fetch *x, size_t *n)
{
    bool node = false;
    *n = 0;
    if (!DP_ROOM_FOR(*to, x->n + (size_t)1, *cap))
        return DP_ENOMEM;
    for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
        if (s->flags & DP_SLOT_OPENS)
            node = is_hidden(l, s);
        if (!node || s->kind == DP_SLOT_TEXT)
            (*to)[(*n)++] = *s;
    }
    qsort(*to, *n, sizeof **to, by_place);
    return DP_OK;
}

static size_t place_end(const dp_slot *v, size_t n, size_t i)
{
    size_t end = i;
    while (end < n && v[end].place == v[i].place)
        end++;
    return end;
}

bool dp_places_are_same(const dp_slot *a, size_t na, const dp_slot *b, size_t nb)
{
    size_t i = 0;
    while (i < na && i < nb && a[i].hash == b[i].hash)
        i++;
    return na == nb && i == na;
}

dp_err dp_places_compare(dp_places *l, const dp_fetch *x, const dp_fetch *y, const dp_places_told *to)
{
    size_t n, m;
    DP_TRY(sorted(l, &l->a, &l->a_cap, x, &n));
    DP_TRY(sorted(l, &l->b, &l->b_cap, y, &m));
    for (size_t i = 0, j = 0; i < n || j < m;) {
        bool     in_a = i < n && (j == m || l->a[i].place <= l->b[j].place);
        bool     in_b = j < m && (i == n || l->b[j].place <= l->a[i].place);
        size_t   a = in_a ? place_end(l->a, n, i) : i, b = in_b ? place_end(l->b, m, j) : j;
        uint32_t number;
        if (to->which == DP_PLACES_ALL || !dp_places_are_same(l->a + i, a - i, l->b + j, b - j)) {
            DP_TRY(dp_places_add(l, in_a ? &l->a[i] : &l->b[j], &number));
            DP_TRY(to->tell(to->self, number, l->a + i, a - i, l->b + j, b - j));
        }
        i = a;
        j = b;
    }
    return DP_OK;
}

uint64_t dp_places_rest(const dp_places *l, const dp_fetch *x)
{
    uint64_t h = 0;
    bool     node = false;
    for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
        bool hidden = is_hidden(l, s);
        if (s->flags & DP_SLOT_OPENS)
            node = hidden;
        if (!node && !hidden)
            h = dp_slot_fold(h, s);
    }
    return h + 1;
}
