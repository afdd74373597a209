/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/context.h"
#include "learn/auto/thresholds.h"

#include <stdlib.h>

#include "base/room.h"

typedef dp_feature_votes tally;

/* ---- votes by feature ----------------------------------------------------------------------- */

static uint32_t *slot_of(const dp_context *c, uint64_t hash)
{
    size_t i = hash & (c->nslot - 1);
    while (c->slot[i] && c->v[c->slot[i] - 1].f.hash != hash)
        i = (i + 1) & (c->nslot - 1);
    return &c->slot[i];
}

static bool grow(dp_context *c)
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
            *slot_of(c, c->v[i].f.hash) = (uint32_t)i + 1;
    }
    return true;
}

static tally *find(dp_context *c, const dp_feature *f)
{
    if (!grow(c)) {
        c->failed = true;
        return NULL;
    }
    uint32_t *slot = slot_of(c, f->hash);
    if (!*slot) {
        c->v[c->n++] = (tally){.f = *f};
        *slot = (uint32_t)c->n;
    }
    return &c->v[*slot - 1];
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
    size_t n = c->sections ? dp_sections_of(f, &c->frame) : dp_features_of(f, &c->frame);
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
    free(c->slot);
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
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Whether a value is one of a single form that nothing speaks against: no condition names it, and of an exception it
 * is one of so many values. Components at the end and values of parameters are mostly such. */
static bool is_dull(const dp_context *c, const tally *v)
{
    return v->fired <= 1 && v->neg == 0 && v->groups < DP_MOST_OF_ALL * c->groups;
}

/* The slot of a key: that of the first vote with it, or a free one. */
static uint32_t *key_slot(const dp_context *c, uint64_t key)
{
    size_t i = key & (c->nslot - 1);
    while (c->slot[i] && c->v[c->slot[i] - 1].f.key != key)
        i = (i + 1) & (c->nslot - 1);
    return &c->slot[i];
}

/* Leave out dull values, counted with another of their key: keys that have none but such say nothing. */
static void drop_dull(dp_context *c)
{
    size_t n = c->n;
    memset(c->slot, 0, c->nslot * sizeof *c->slot);
    for (size_t i = 0; i < n;) {
        if (!is_dull(c, &c->v[i])) {
            i++;
            continue;
        }
        tally last = c->v[--n];
        c->v[n] = c->v[i];
        c->v[i] = last;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = key_slot(c, c->v[i].f.key);
        *slot = *slot ? *slot : (uint32_t)i + 1;
    }
    for (size_t i = n; i < c->n; i++) {
        uint32_t *slot = key_slot(c, c->v[i].f.key);
        if (*slot)
            c->v[*slot - 1].dull++;
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
