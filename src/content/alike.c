/* What pages show that differ in little: clocks that are right, ages, counters and tokens; and which URLs hiding would
 * join.
 *
 *     pages of equal plain text, in the order of their fetches:  x1 x2 x3  ──►  x1, x2 differ in few places: how
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "content/places.h"

enum {
    FEW = 4,        /* places in which two pages differ that are alike */
    CLOCKS = 5,     /* right ones that are enough */
    PAIRS = 5,      /* of pages that are alike, and agree about a place */
    TEXT_PAIRS = 3, /* of text that was seen to change, too */
    AGAINST = 20,   /* so many pairs outweigh one against */
    ROUNDS = 3
};

/* A page of a group. */
typedef struct member {
    uint64_t group;
    int64_t  time;
    uint64_t full; /* hash of all its slots */
    uint64_t url;
    uint32_t fetch;
} member;

typedef struct alike {
    dp_places *l;
    member    *v; /* [n] */
    size_t     n;
    /* The pair at hand. */
    const dp_fetch *x, *y;
    uint32_t        place[FEW]; /* [few] where it differs, but for hidden places */
    bool            votes[FEW]; /* that it is volatile */
    size_t          few;        /* FEW + 1: more */
    bool            count_hidden;
} alike;

/* ---- clocks ------------------------------------------------------------------------------------------------ */

static dp_err look_at_clocks(dp_places *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        if (!dp_places_is_current(l, i))
            continue;
        for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
            uint32_t number;
            if (!(s->flags & DP_SLOT_TIMED))
                continue;
            DP_TRY(dp_places_add(l, s, &number));
            l->known[number].timed++;
            l->known[number].now += s->flags & DP_SLOT_NOW ? 1 : 0;
        }
    }
    for (uint32_t i = 0; i < l->number.n; i++) {
        dp_place_known *p = &l->known[i];
        if (!p->hidden && p->timed >= CLOCKS && p->now >= .9 * p->timed) {
            p->hidden = true;
            p->why = DP_HIDDEN_CLOCK;
        }
    }
    return DP_OK;
}

/* ---- groups ------------------------------------------------------------------------------------------------ */

/* Text that changed in the only URL that has it and was fetched twice. */
static bool is_candidate(const dp_place_known *p)
{
    return p && p->kind == DP_SLOT_TEXT && p->changed == 1 && !p->same;
}

/* The hash of the plain text that is not hidden, and that of all. */
static uint64_t hash_text(const dp_places *l, const dp_fetch *x, uint64_t *full)
{
    uint64_t h = 0;
    bool     node = false;
    *full = 0;
    for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
        *full = dp_slot_fold(*full, s);
        if (s->flags & DP_SLOT_OPENS) {
            const dp_place_known *p = dp_places_find(l, s);
            node = p && (p->hidden || is_candidate(p));
        }
        if (!node && s->kind == DP_SLOT_TEXT && s->words)
            h = dp_slot_fold(h, s);
    }
    return h;
}

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->full > y->full) - (x->full < y->full);
}

static int by_url(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->url != y->url)
        return x->url < y->url ? -1 : 1;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return (x->full > y->full) - (x->full < y->full);
}

/* Of pages whose URLs are spelled in two ways the newest stays: who knows them as one sees the same. */
static void drop_spellings(alike *g)
{
    size_t n = 0;
    if (g->n)
        qsort(g->v, g->n, sizeof *g->v, by_url);
    for (size_t i = 0; i < g->n; i++) {
        if (!n || !g->v[i].url || g->v[n - 1].url != g->v[i].url)
            g->v[n++] = g->v[i];
    }
    g->n = n;
}

/* Pages by what they have in common: their plain text, or all that is not hidden. */
static void group(alike *g, bool by_text)
{
    dp_places *l = g->l;
    g->n = 0;
    for (size_t i = 0; i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        if (!dp_places_is_current(l, i))
            continue;
        member m = {.time = x->time, .fetch = l->v[i].item, .url = x->url};
        m.group = hash_text(l, x, &m.full);
        if (!by_text)
            m.group = dp_places_rest(l, x);
        g->v[g->n++] = m;
    }
    drop_spellings(g);
    if (g->n)
        qsort(g->v, g->n, sizeof *g->v, by_group);
}

/* ---- pairs ------------------------------------------------------------------------------------------------ */

/* Whether what differs here is what a volatile place would show in pages that are otherwise the same. */
static bool is_volatile(const alike *g, const dp_place_known *p, const dp_slot *a, const dp_slot *b, bool single)
{
    bool later = g->y->time > g->x->time;
    switch (p->kind) {
    case DP_SLOT_AGE: return later;
    case DP_SLOT_NUMBER:
        return later && single && a->flags & b->flags & DP_SLOT_VALUE && dp_slot_value(a) < dp_slot_value(b) &&
               !((a->flags | b->flags) & DP_SLOT_IN_URL);
    case DP_SLOT_ID: return single && !((a->flags | b->flags) & DP_SLOT_IN_URL);
    case DP_SLOT_TEXT: return is_candidate(p);
    default: return false;
    }
}

static dp_err note_place(void *self, uint32_t number, const dp_slot *a, size_t na, const dp_slot *b, size_t nb)
{
    alike                *g = self;
    const dp_place_known *p = &g->l->known[number];
    if (p->hidden != g->count_hidden)
        return DP_OK;
    if (g->few < FEW) {
        g->place[g->few] = number;
        g->votes[g->few] = is_volatile(g, p, a, b, na == 1 && nb == 1);
    }
    g->few += g->few <= FEW;
    return DP_OK;
}

/* Compare each page of a group with the next one that is not equal to it. */
static dp_err for_pairs(alike *g, bool hidden, void tell(alike *g, void *self), void *self)
{
    g->count_hidden = hidden;
    for (size_t i = 1; i < g->n; i++) {
        const member *a = &g->v[i - 1], *b = &g->v[i];
        if (a->group != b->group || a->full == b->full)
            continue;
        g->x = &g->l->f->v[a->fetch];
        g->y = &g->l->f->v[b->fetch];
        g->few = 0;
        DP_TRY(dp_places_compare(g->l, g->x, g->y, &(dp_places_told){DP_PLACES_DIFFERENT, note_place, g}));
        tell(g, self);
    }
    return DP_OK;
}

/* A place that would not change so speaks for all: these are two pages. */
static void vote(alike *g, void *self)
{
    bool all = g->few && g->few <= FEW;
    (void)self;
    for (size_t k = 0; k < g->few && k < FEW; k++)
        all = all && g->votes[k];
    for (size_t k = 0; k < g->few && g->few <= FEW; k++) {
        dp_place_known *p = &g->l->known[g->place[k]];
        p->alone += all;
        p->against += !g->votes[k];
    }
}

static void decide(dp_places *l)
{
    static const dp_hidden_why why[] = {
        [DP_SLOT_TEXT] = DP_HIDDEN_ONCE,    [DP_SLOT_NUMBER] = DP_HIDDEN_COUNTER, [DP_SLOT_AGE] = DP_HIDDEN_AGE,
        [DP_SLOT_CLOCK] = DP_HIDDEN_CLOCK, [DP_SLOT_DATE] = DP_HIDDEN_CLOCK,     [DP_SLOT_ID] = DP_HIDDEN_TOKEN,
    };
    for (uint32_t i = 0; i < l->number.n; i++) {
        dp_place_known *p = &l->known[i];
        uint32_t        least = p->kind == DP_SLOT_TEXT ? TEXT_PAIRS : PAIRS;
        if (!p->hidden && p->alone >= least && (uint64_t)p->against * AGAINST <= p->alone) {
            p->hidden = true;
            p->why = why[p->kind];
        }
    }
}

/* ---- URLs ------------------------------------------------------------------------------------------------ */

static bool are_related(const dp_fetch *x, const dp_fetch *y)
{
    int a = __builtin_popcountll(x->ties), b = __builtin_popcountll(y->ties);
    return x->path == y->path || 2 * __builtin_popcountll(x->ties & y->ties) >= (a < b ? a : b);
}

static void count_joined(alike *g, void *self)
{
    (void)self;
    for (size_t k = 0; k < g->few && k < FEW; k++) {
        dp_place_known *p = &g->l->known[g->place[k]];
        p->joined++;
        p->unrelated += !are_related(g->x, g->y);
    }
}

/* Show again what joins URLs that share nothing, unless it was seen to change more often than not, or is random or the
 * time itself: a page that asks whether one is human may stand under any URL. Says whether there was any. */
static bool show_again(dp_places *l)
{
    bool any = false;
    for (uint32_t i = 0; i < l->number.n; i++) {
        dp_place_known *p = &l->known[i];
        bool            itself = p->why == DP_HIDDEN_TOKEN || p->why == DP_HIDDEN_CLOCK;
        bool            sure = (p->changed && p->changed >= p->same) || itself;
        if (p->hidden && !sure && p->unrelated >= PAIRS && 2 * p->unrelated > p->joined) {
            p->hidden = false;
            p->why = DP_HIDDEN_URLS;
            any = true;
        }
        p->joined = p->unrelated = 0;
    }
    return any;
}

/* ---- what is left open ------------------------------------------------------------------------------------- */

static void note_open(alike *g, void *self)
{
    dp_hidden_open *o = self;
    if (!g->few || g->few > FEW)
        return;
    uint64_t key = dp_hash_mix(dp_hash_fold(dp_places_rest(g->l, g->x), dp_places_rest(g->l, g->y))) | 1;
    o->pages++;
    if (!o->key || key < o->key)
        *o = (dp_hidden_open){o->pages, g->x->page, g->y->page, (uint32_t)g->few, key};
}

static dp_err find(alike *g, dp_hidden_open *out)
{
    dp_places *l = g->l;
    DP_TRY(look_at_clocks(l));
    group(g, true);
    DP_TRY(for_pairs(g, false, vote, NULL));
    decide(l);
    for (int round = 0; round < ROUNDS; round++) {
        group(g, false);
        DP_TRY(for_pairs(g, true, count_joined, NULL));
        if (!show_again(l))
            break;
    }
    group(g, true);
    return for_pairs(g, false, note_open, out);
}

dp_err dp_alike_find(dp_places *l, dp_hidden_open *out)
{
    alike g = {.l = l, .v = malloc((l->n + 1) * sizeof *g.v)};
    dp_err code = g.v ? find(&g, out) : DP_ENOMEM;
    free(g.v);
    return code;
}
