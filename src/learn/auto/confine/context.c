/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/context.h"
#include "learn/auto/thresholds.h"

#include <stdlib.h>

#include "base/room.h"

typedef dp_feature_votes tally;

/* ---- votes by feature ----------------------------------------------------------------------- */

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_context *)self)->v[number].f.hash;
}

static tally *find(dp_context *c, const dp_feature *f)
{
    uint32_t i;
    if (!DP_ROOM(c->v, c->n, c->cap) || !dp_index_room(&c->index, hash_of, c)) {
        c->failed = true;
        return NULL;
    }
    dp_index_walk w = dp_index_from(&c->index, f->hash);
    while (dp_index_next(&w, &i))
        if (c->v[i].f.hash == f->hash)
            return &c->v[i];
    c->v[c->n++] = (tally){.f = *f};
    return &c->v[dp_index_end(&c->index, &w)];
}

void dp_context_add(dp_context *c, dp_str form, const dp_testimony *what)
{
    dp_feature      f[DP_MOST_FEATURES];
    dp_frame_result got = dp_frame_read(&c->frame, form);
    c->failed |= got == DP_FRAME_NOMEM;
    c->pos += what->pos;
    c->neg += what->neg;
    c->fired += what->fired;
    c->groups += what->groups;
    if (got != DP_FRAME_OK)
        return;
    size_t n = dp_features_of(f, &c->frame, c->set);
    for (size_t i = 0; i < n && !c->failed; i++) {
        tally *x = find(c, &f[i]);
        if (!x)
            return;
        x->pos += what->pos;
        x->neg += what->neg;
        x->fired += what->fired;
        x->groups += what->groups;
    }
}

void dp_context_done(dp_context *c)
{
    free(c->v);
    dp_index_done(&c->index);
    dp_frame_done(&c->frame);
    *c = (dp_context){0};
}

/* ---- what a ballot says --------------------------------------------------------------------- */

/* Members of an idea and its groups come in one order: each form is read once. */
typedef struct hearing {
    dp_context     *c;
    const dp_forms *forms;
    const dp_member *next, *end;
} hearing;

/* The forms before `form`, which are in no group: the idea fires on them, and nobody says anything. */
static void hear_silent(hearing *h, uint32_t form)
{
    for (; h->next < h->end && h->next->item != form && !h->c->failed; h->next++)
        dp_context_add(h->c, h->forms->text[h->next->item], &(dp_testimony){.fired = 1});
    h->next += h->next < h->end;
}

/* A group's vote goes to the forms that the idea changes. */
static void hear_group(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    double   share = 1.0 / (double)(g->changed ? g->changed : 1);
    bool     agrees = g->agree - 1 >= g->n - g->agree;
    for (size_t i = 0; i < g->changed && !h->c->failed; i++) {
        bool         good = agrees && h->forms->label[g->form[i]] == g->label;
        dp_testimony one = {.pos = good ? share : 0,
                            .neg = good ? 0 : agrees ? share : share * (double)g->others,
                            .fired = 1,
                            .groups = good && i == 0};
        hear_silent(h, g->form[i]);
        dp_context_add(h->c, h->forms->text[g->form[i]], &one);
    }
}

void dp_context_hear(dp_context *c, dp_ballot *b, size_t i)
{
    hearing h = {c, b->forms, b->tried.v + b->tried.at[i], b->tried.v + b->tried.at[i + 1]};
    dp_ballot_walk(b, i, hear_group, &h);
    hear_silent(&h, DP_NO_FORM);
    const dp_tries *lost = &b->tried.lost;
    for (size_t k = lost->at[i]; k < lost->at[i + 1] && !c->failed; k++)
        dp_context_add(c, b->forms->text[lost->v[k].item], &(dp_testimony){.neg = 1});
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Whether a value is one of a single form that nothing speaks against: no condition names it, and of an exception it
 * is one of so many values. Components at the end and values of parameters are mostly such. */
static bool is_dull(const dp_context *c, const tally *v)
{
    return v->fired <= 1 && v->neg == 0 && v->groups < DP_MOST_OF_ALL * c->groups;
}

static void swap(tally *a, tally *b)
{
    tally t = *a;
    *a = *b;
    *b = t;
}

/* The first vote with a key, of those that are indexed by it; NULL: none. The walk is left where it would be. */
static tally *find_key(const dp_context *c, dp_index_walk *w, uint64_t key)
{
    uint32_t i;
    *w = dp_index_from(&c->index, key);
    while (dp_index_next(w, &i))
        if (c->v[i].f.key == key)
            return &c->v[i];
    return NULL;
}

/* Leave out dull values, counted with another of their key: keys that have none but such say nothing. */
static void drop_dull(dp_context *c)
{
    size_t        n = c->n;
    dp_index_walk w;
    dp_index_reset(&c->index);
    for (size_t i = 0; i < n;) {
        if (is_dull(c, &c->v[i]))
            swap(&c->v[i], &c->v[--n]);
        else
            i++;
    }
    for (size_t i = 0; i < n; i++) /* one of each key comes to the front, and has its number there */
        if (!find_key(c, &w, c->v[i].f.key))
            swap(&c->v[i], &c->v[dp_index_end(&c->index, &w)]);
    for (size_t i = n; i < c->n; i++) {
        tally *same = find_key(c, &w, c->v[i].f.key);
        if (same)
            same->dull++;
    }
    c->n = n;
}

/* By key, then the best values first. */
static int by_key(const void *x, const void *y)
{
    const tally *a = x, *b = y;
    if (a->f.kind != b->f.kind)
        return a->f.kind < b->f.kind ? -1 : 1;
    if (a->f.at != b->f.at)
        return a->f.at < b->f.at ? -1 : 1;
    int c = dp_str_cmp(a->f.name, b->f.name);
    if (c)
        return c;
    double p = a->pos - a->neg, q = b->pos - b->neg;
    if (p != q)
        return p > q ? -1 : 1;
    return dp_str_cmp(a->f.value, b->f.value);
}

void dp_context_sort(dp_context *c)
{
    if (c->sorted || !c->n)
        return;
    drop_dull(c);
    qsort(c->v, c->n, sizeof *c->v, by_key);
    c->sorted = true;
}
