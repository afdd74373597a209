/* SPDX-License-Identifier: Apache-2.0 */
#include "content/hidden.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "content/places.h"

dp_err dp_fetches_add(dp_fetches *f, uint32_t page, const dp_shown *s)
{
    if (f->n >= UINT32_MAX - 1)
        return DP_ELIMIT;
    uint64_t at;
    if (!DP_ROOM(f->v, f->n, f->cap))
        return DP_ENOMEM;
    DP_TRY(dp_rows_add(&f->rows, s->slots, s->n, &at));
    f->v[f->n++] = (dp_fetch){at, s->n, page, s->host, s->path, s->ties, s->time, s->url};
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
    dp_rows_done(&f->rows);
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

/* ---- two fetches of one URL ----------------------------------------------------------------------------------- */

static dp_err count_pair(void *self, uint32_t number, const dp_slot *a, size_t na, const dp_slot *b, size_t nb)
{
    dp_place_known *p = &((dp_places *)self)->known[number];
    bool            same = dp_places_are_same(a, na, b, nb);
    p->same += same;
    p->changed += !same;
    return DP_OK;
}

static dp_err compare_fetches(dp_places *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        uint32_t        now = l->current[x->page];
        if (now != DP_NO_FETCH && now != l->v[i].item)
            DP_TRY(dp_places_compare(l, x, &l->f->v[now], &(dp_places_told){DP_PLACES_ALL, count_pair, l}));
    }
    for (uint32_t i = 0; i < l->number.n; i++) {
        dp_place_known *p = &l->known[i];
        p->hidden = dp_hidden_is_enough(p->kind, p->changed, p->same);
        p->why = p->hidden ? DP_HIDDEN_ECHO : DP_HIDDEN_NOT;
    }
    return DP_OK;
}

/* ---- a host ------------------------------------------------------------------------------------------------------ */

/* What many pages of the host have is not their own. */
enum { COMMON = 10 /* one in so many */ };

typedef struct common {
    dp_ordinals number; /* of slots: place and text */
    uint32_t   *pages;  /* [number.n] that have it */
    uint32_t   *last;   /* [number.n] the last of them, from 1 */
    uint32_t    cap, sampled;
} common;

static uint64_t key_of(const dp_slot *s)
{
    return dp_hash_mix(s->hash ^ (uint64_t)s->place << 32);
}

static dp_err count_slots(common *c, const dp_places *l, const dp_fetch *x)
{
    for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
        uint32_t number, cap = c->cap;
        bool     fresh;
        if (!DP_ROOM(c->pages, c->number.n, cap) || !DP_ROOM(c->last, c->number.n, c->cap))
            return DP_ENOMEM;
        DP_TRY(dp_ordinals_add(&c->number, key_of(s), &number, &fresh));
        if (fresh)
            c->pages[number] = c->last[number] = 0;
        c->pages[number] += c->last[number] != c->sampled;
        c->last[number] = c->sampled;
    }
    return DP_OK;
}

/* Look at the pages of the least hashes; those of one hash are one page, with all that they show. */
static dp_err count_common(common *c, const dp_places *l, const uint64_t *hash, dp_keyed *v)
{
    enum { SAMPLE = 256 };
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (dp_places_is_current(l, i))
            v[n++] = (dp_keyed){dp_hash_mix(hash[l->f->v[l->v[i].item].page]), l->v[i].item};
    }
    dp_keyed_sort(v, v + n, n, UINT64_MAX);
    for (size_t i = 0; i < n; i++) {
        bool fresh = !i || v[i].key != v[i - 1].key;
        if (fresh && c->sampled == SAMPLE)
            break;
        c->sampled += fresh;
        DP_TRY(count_slots(c, l, &l->f->v[v[i].item]));
    }
    return DP_OK;
}

static unsigned own_words(const common *c, const dp_places *l, const dp_fetch *x)
{
    unsigned n = 0;
    bool     node = false;
    for (const dp_slot *s = dp_places_slots(l, x), *end = s + x->n; s < end; s++) {
        uint32_t              number;
        const dp_place_known *p = dp_places_find(l, s);
        bool hidden = p && p->hidden;
        bool is_common = dp_ordinals_find(&c->number, key_of(s), &number) && COMMON * c->pages[number] > c->sampled;
        node = s->flags & DP_SLOT_OPENS ? hidden : node;
        n += is_common || hidden || node ? 0 : s->words;
    }
    return n;
}

/* A page of which hardly more is left than what all pages have is the same only as others of its path. */
static dp_err keep_small_apart(uint64_t *hash, const dp_places *l)
{
    enum { OWN = 3 /* words */ };
    common    c = {0};
    dp_keyed *v = malloc((2 * l->n + 1) * sizeof *v);
    dp_err    code = v ? count_common(&c, l, hash, v) : DP_ENOMEM;
    for (size_t i = 0; i < l->n && code == DP_OK; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        if (dp_places_is_current(l, i) && own_words(&c, l, x) < OWN)
            hash[x->page] = dp_hash_fold(hash[x->page], dp_hash_mix(x->path)) | 1;
    }
    dp_ordinals_done(&c.number);
    free(c.pages);
    free(c.last);
    free(v);
    return code;
}

typedef struct answer {
    const dp_places *l;
    dp_hidden_ask   *ask;
} answer;

static dp_err note_difference(void *self, uint32_t number, const dp_slot *a, size_t na, const dp_slot *b, size_t nb)
{
    (void)nb;
    const answer         *x = self;
    dp_hidden_ask        *ask = x->ask;
    const dp_place_known *p = &x->l->known[number];
    if (!DP_ROOM(ask->v, ask->n, ask->cap))
        return DP_ENOMEM;
    ask->v[ask->n++] = (dp_hidden_place){na ? a->place : b->place, p->kind,    p->hidden, p->why,
                                         p->changed,              p->same, p->timed,  p->now};
    return DP_OK;
}

/* Answer who asks for two pages of this host. */
static dp_err reply(dp_places *l, dp_hidden_ask *ask)
{
    answer   x = {l, ask};
    uint32_t a = l->current[ask->a], b = l->current[ask->b];
    if (a == DP_NO_FETCH || b == DP_NO_FETCH || l->f->v[a].host != l->f->v[b].host ||
        l->f->v[a].host != l->f->v[l->v[0].item].host)
        return DP_OK;
    ask->answered = true;
    return dp_places_compare(l, &l->f->v[a], &l->f->v[b],
                             &(dp_places_told){DP_PLACES_DIFFERENT, note_difference, &x});
}

static dp_err learn_host(uint64_t *hash, dp_places *l, dp_hidden_open *open, dp_hidden_ask *ask)
{
    bool any = false;
    DP_TRY(compare_fetches(l));
    DP_TRY(dp_alike_find(l, open));
    if (ask)
        DP_TRY(reply(l, ask));
    for (uint32_t i = 0; i < l->number.n; i++)
        any |= l->known[i].hidden;
    for (size_t i = 0; any && i < l->n; i++) {
        const dp_fetch *x = &l->f->v[l->v[i].item];
        if (dp_places_is_current(l, i))
            hash[x->page] = dp_places_rest(l, x);
    }
    return any ? keep_small_apart(hash, l) : DP_OK;
}

dp_err dp_hidden_find(uint64_t *hash, const dp_fetches *f, const uint32_t *current, size_t pages, dp_hidden_open *open,
                      dp_hidden_ask *ask)
{
    dp_err    code = DP_OK;
    dp_keyed *v = malloc((2 * f->n + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    memset(hash, 0, pages * sizeof *hash);
    *open = (dp_hidden_open){0};
    for (size_t i = 0; i < f->n; i++)
        v[i] = (dp_keyed){dp_hash_mix(f->v[i].host), (uint32_t)i};
    dp_keyed_group(v, v + f->n, f->n);
    for (size_t i = 0, end; i < f->n && code == DP_OK; i = end) {
        end = dp_keyed_end(v, f->n, i);
        dp_places l = {.f = f, .current = current, .v = v + i, .n = end - i};
        code = learn_host(hash, &l, open, ask);
        dp_places_done(&l);
    }
    free(v);
    return code;
}
