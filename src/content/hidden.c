/* SPDX-License-Identifier: Apache-2.0 */
#include "content/hidden.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/ordinal.h"
#include "base/room.h"

dp_err dp_fetches_add(dp_fetches *f, uint32_t page, const dp_shown *s)
{
    if (f->n >= UINT32_MAX - 1)
        return DP_ELIMIT;
    if (!DP_ROOM(f->v, f->n, f->cap) || !DP_ROOM_FOR(f->slots, f->nslot + s->n, f->slot_cap))
        return DP_ENOMEM;
    if (s->n)
        memcpy(f->slots + f->nslot, s->slots, s->n * sizeof *s->slots);
    f->v[f->n++] = (dp_fetch){f->nslot, s->n, page, s->host, s->path, s->ties, s->time, s->url};
    f->nslot += s->n;
    return DP_OK;
}

dp_err dp_fetches_repeat(dp_fetches *f, uint32_t fetch, uint32_t page)
{
    if (f->n >= UINT32_MAX - 1)
        return DP_ELIMIT;
    if (!DP_ROOM(f->v, f->n, f->cap))
        return DP_ENOMEM;
    f->v[f->n] = f->v[fetch];
    f->v[f->n++].page = page;
    return DP_OK;
}

void dp_fetches_done(dp_fetches *f)
{
    free(f->v);
    free(f->slots);
    *f = (dp_fetches){0};
}

/* How often a place must have changed, and in what share of the pairs it is in, to be hidden. Ages and clocks are made
 * to change. A number may be equal by chance. Text changes when somebody edits a page, too, and there is much of it. */
static const struct {
    uint32_t times;
    double   share;
} enough[] = {
    [DP_SLOT_TEXT] = {2, .5}, [DP_SLOT_NUMBER] = {2, .1}, [DP_SLOT_AGE] = {1, .02},
    [DP_SLOT_CLOCK] = {1, .1}, [DP_SLOT_DATE] = {2, .3}, [DP_SLOT_ID] = {1, .3},
};

bool dp_hidden_is_enough(dp_slot_kind kind, uint32_t changed, uint32_t same)
{
    return changed >= enough[kind].times && changed >= enough[kind].share * ((double)changed + same);
}

/* ---- places ------------------------------------------------------------------------------------------------ */

/* What pairs of fetches of one URL say of a place. */
typedef struct place {
    uint32_t changed, same; /* pairs */
    uint8_t  kind;
    bool     hidden;
} place;

/* A host. */
typedef struct learning {
    const dp_fetches *f;
    const uint32_t   *current; /* by page */
    const dp_keyed   *v;       /* [n] fetches of the host */
    size_t            n;
    dp_ordinals       number;  /* of places, by their hashes */
    place            *places;  /* [number.n] */
    uint32_t          cap;
    dp_slot          *a, *b;   /* room to sort a page's slots */
    size_t            a_cap, b_cap;
} learning;

static dp_err find_place(learning *l, const dp_slot *s, place **out)
{
    uint32_t number;
    bool     fresh;
    if (!DP_ROOM(l->places, l->number.n, l->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&l->number, s->place, &number, &fresh));
    *out = &l->places[number];
    if (fresh)
        **out = (place){.kind = s->kind};
    return DP_OK;
}

static bool is_hidden(const learning *l, const dp_slot *s)
{
    uint32_t number;
    return dp_ordinals_find(&l->number, s->place, &number) && l->places[number].hidden;
}

/* ---- two fetches of one URL ----------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const dp_slot *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static dp_err sorted(dp_slot **to, size_t *cap, const dp_fetches *f, const dp_fetch *x)
{
    if (!DP_ROOM_FOR(*to, x->n + (size_t)1, *cap))
        return DP_ENOMEM;
    memcpy(*to, f->slots + x->at, x->n * sizeof **to);
    qsort(*to, x->n, sizeof **to, by_place);
    return DP_OK;
}

static size_t place_end(const dp_slot *v, size_t n, size_t i)
{
    size_t end = i;
    while (end < n && v[end].place == v[i].place)
        end++;
    return end;
}

static bool are_equal(const dp_slot *a, const dp_slot *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i].hash == b[i].hash)
        i++;
    return i == n;
}

/* Count for each place whether what stands there is the same. */
static dp_err compare(learning *l, const dp_fetch *x, const dp_fetch *y)
{
    DP_TRY(sorted(&l->a, &l->a_cap, l->f, x));
    DP_TRY(sorted(&l->b, &l->b_cap, l->f, y));
    for (size_t i = 0, j = 0; i < x->n || j < y->n;) {
        bool   in_a = i < x->n && (j == y->n || l->a[i].place <= l->b[j].place);
        bool   in_b = j < y->n && (i == x->n || l->b[j].place <= l->a[i].place);
        size_t a = in_a ? place_end(l->a, x->n, i) : i, b = in_b ? place_end(l->b, y->n, j) : j;
        place *p;
        DP_TRY(find_place(l, in_a ? &l->a[i] : &l->b[j], &p));
        bool same = a - i == b - j && are_equal(l->a + i, l->b + j, a - i);
        p->same += same;
        p->changed += !same;
        i = a;
        j = b;
    }
    return DP_OK;
}

static dp_err compare_fetches(learning *l, bool *any)
{
    for (size_t i = 0; i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        uint32_t        now = l->current[x->page];
        if (now == DP_NO_FETCH || now == l->v[i].item)
            continue;
        DP_TRY(compare(l, x, &l->f->v[now]));
    }
    for (uint32_t i = 0; i < l->number.n; i++) {
        place *p = &l->places[i];
        p->hidden = dp_hidden_is_enough(p->kind, p->changed, p->same);
        *any |= p->hidden;
    }
    return DP_OK;
}

/* ---- what is left of a page -------------------------------------------------------------------------------------- */

static uint64_t hash_rest(const learning *l, const dp_fetch *x)
{
    uint64_t h = 0;
    bool     node = false;
    for (const dp_slot *s = l->f->slots + x->at, *end = s + x->n; s < end; s++) {
        bool hidden = is_hidden(l, s);
        if (s->flags & DP_SLOT_OPENS)
            node = hidden;
        if (!node && !hidden)
            h = dp_slot_fold(h, s);
    }
    return h + 1;
}

static dp_err learn_host(uint64_t *hash, learning *l)
{
    bool any = false;
    DP_TRY(compare_fetches(l, &any));
    for (size_t i = 0; any && i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        if (l->current[x->page] == l->v[i].item)
            hash[x->page] = hash_rest(l, x);
    }
    return DP_OK;
}

dp_err dp_hidden_find(uint64_t *hash, const dp_fetches *f, const uint32_t *current, size_t pages)
{
    dp_err    code = DP_OK;
    dp_keyed *v = malloc((2 * f->n + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    memset(hash, 0, pages * sizeof *hash);
    for (size_t i = 0; i < f->n; i++)
        v[i] = (dp_keyed){dp_hash_mix(f->v[i].host), (uint32_t)i};
    dp_keyed_group(v, v + f->n, f->n);
    for (size_t i = 0, end; i < f->n && code == DP_OK; i = end) {
        end = dp_keyed_end(v, f->n, i);
        learning l = {.f = f, .current = current, .v = v + i, .n = end - i};
        code = learn_host(hash, &l);
        dp_ordinals_done(&l.number);
        free(l.places);
        free(l.a);
        free(l.b);
    }
    free(v);
    return code;
}
