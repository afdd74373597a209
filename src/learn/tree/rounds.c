/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/rounds.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/room.h"
#include "learn/tree/choice.h"
#include "learn/tree/text.h"

enum {
    SAMPLE = 32,    /* pairs of a class that are asked whether rules explain them */
    EXPLAINED = 30, /* of them are enough */
    UNSAID = 0,
    UNSAYABLE = UINT32_MAX
};

typedef struct rounds {
    dp_tree_trial    *t;
    dp_tree_classes  *c;
    dp_tree_contexts *x;
    dp_intern         known; /* texts to candidates */
    dp_tree_edit     *edit;  /* of class number edit_of */
    uint32_t          edit_of;
    uint32_t         *said;      /* [contexts] wide: candidate + 1, UNSAID, UNSAYABLE */
    uint8_t          *explained; /* [classes] */
    uint8_t          *failed;    /* [classes] */
    dp_arena         *a;    /* texts of candidates */
    dp_arena          said_in; /* what they are made of */
} rounds;

static dp_err add_candidate(rounds *r, const dp_phrase *said, uint32_t support, uint32_t *number)
{
    dp_tree_candidates *v = &r->t->v;
    dp_str              text;
    uint32_t            at;
    *number = UNSAYABLE;
    if (said->why != DP_SAID)
        return DP_OK;
    if (dp_intern_find(&r->known, said->text, &at)) {
        v->v[at].support += support;
        *number = at + 1;
        return DP_OK;
    }
    text = dp_arena_str(r->a, said->text);
    if (!text.p || !dp_intern_add(&r->known, text, v->n))
        return DP_ENOMEM;
    if (!DP_ROOM(v->v, v->n, v->cap))
        return DP_ENOMEM;
    v->v[v->n++] = (dp_tree_candidate){.text = text, .falls = said->falls, .support = support};
    *number = v->n;
    return DP_OK;
}

static dp_err say(rounds *r, uint32_t context, dp_tree_width width, uint32_t *number)
{
    const dp_tree_context *x = &r->x->v[context];
    const dp_tree_class   *k = &r->c->v[x->of];
    dp_phrase              said;
    bool                   sayable;
    if (r->edit_of != x->of) {
        DP_TRY(dp_tree_edit_make(r->edit, &r->c->editor, k->u, k->v, &sayable));
        r->edit_of = x->of;
    }
    dp_arena_reset(&r->said_in);
    DP_TRY(dp_tree_say(&said, r->c, x, r->edit, width, &r->said_in));
    return add_candidate(r, &said, x->support, number);
}

static bool is_simple(const rounds *r, const dp_tree_context *x)
{
    return r->c->v[x->of].changes <= 1;
}

static bool has_passed(const rounds *r, uint32_t context)
{
    uint32_t said = r->said[context];
    return said != UNSAID && said != UNSAYABLE && r->t->v.v[said - 1].sure;
}

/* Which classes that change several things have pairs that the rules so far make equal. */
static dp_err explain(rounds *r)
{
    const dp_tree_classes *c = r->c;
    size_t                 n = 0, asked = 0, most = (size_t)c->n * SAMPLE + 1;
    uint32_t              *u = malloc(2 * most * sizeof *u), *v = u + most;
    uint32_t              *of = malloc(((size_t)c->n + 1) * sizeof *of);
    dp_tree_sample        *sample = malloc(((size_t)c->n + 1) * sizeof *sample);
    dp_err                 code = u && of && sample ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; i < c->n && code == DP_OK; i++) {
        const dp_tree_class *k = &c->v[i];
        uint32_t             step = k->nrow / SAMPLE + 1;
        if (k->changes <= 1 || !k->cell || !k->nrow)
            continue;
        sample[asked] = (dp_tree_sample){.u = u + n, .v = v + n};
        for (uint32_t j = 0; j < k->nrow; j += step, n++) {
            u[n] = c->h->url[c->row[k->row + j]].item;
            v[n] = c->h->url[c->target[k->row + j]].item;
        }
        sample[asked].n = (size_t)(u + n - sample[asked].u);
        sample[asked].enough = (sample[asked].n * EXPLAINED + SAMPLE - 1) / SAMPLE;
        of[asked++] = i;
    }
    if (code == DP_OK && asked)
        code = dp_tree_trial_explain(r->t, sample, asked);
    for (size_t i = 0; i < asked && code == DP_OK; i++)
        r->explained[of[i]] = sample[i].same;
    free(u);
    free(of);
    free(sample);
    return code;
}

static dp_err say_joined(rounds *r, bool simple)
{
    for (uint32_t i = 0; i < r->x->n; i++) {
        const dp_tree_context *x = &r->x->v[i];
        if (x->joined && is_simple(r, x) == simple && !r->explained[x->of])
            DP_TRY(say(r, i, DP_TREE_WIDE, &r->said[i]));
    }
    return DP_OK;
}

/* Say less widely those contexts, joined or not, that are not sure. */
static dp_err say_narrow(rounds *r, bool joined)
{
    uint32_t number;
    for (uint32_t i = 0; i < r->x->n; i++) {
        if (r->x->v[i].joined != joined || r->said[i] == UNSAID || has_passed(r, i))
            continue;
        DP_TRY(say(r, i, DP_TREE_MIDDLE, &number));
        DP_TRY(say(r, i, DP_TREE_NARROW, &number));
    }
    return DP_OK;
}

static dp_err say_single(rounds *r)
{
    for (uint32_t i = 0; i < r->x->n; i++)
        if (r->x->v[i].joined && r->said[i] != UNSAID && !has_passed(r, i))
            r->failed[r->x->v[i].of] = 1;
    DP_TRY(say_narrow(r, true));
    for (uint32_t i = 0; i < r->x->n; i++)
        if (!r->x->v[i].joined && r->failed[r->x->v[i].of])
            DP_TRY(say(r, i, DP_TREE_WIDE, &r->said[i]));
    return DP_OK;
}

/* ---- the rounds, as numbered in the header ------------------------------------------------------------------ */

static dp_err first(rounds *r)
{
    return say_joined(r, true);
}

static dp_err second(rounds *r)
{
    if (!r->c->o->unpruned)
        DP_TRY(explain(r));
    return say_joined(r, false);
}

static dp_err fourth(rounds *r)
{
    return say_narrow(r, false);
}

typedef dp_err say_round(rounds *r);

static dp_err run(rounds *r, size_t n)
{
    say_round *const say_more[] = {first, second, say_single, fourth};
    for (size_t round = 0; round < DP_COUNT(say_more); round++) {
        for (size_t i = 0; i < n; i++)
            DP_TRY(say_more[round](&r[i]));
        DP_TRY(dp_tree_trial_round(r->t, n));
    }
    for (size_t i = 0; i < n; i++)
        DP_TRY(dp_tree_choose(r[i].t));
    return DP_OK;
}

static int by_class(const void *p, const void *q)
{
    const dp_tree_context *a = p, *b = q;
    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    if (a->joined != b->joined)
        return a->joined ? -1 : 1;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static dp_err open_rounds(rounds *r)
{
    r->edit = malloc(sizeof *r->edit);
    r->said = calloc((size_t)r->x->n + 1, sizeof *r->said);
    r->explained = calloc((size_t)r->c->n + 1, 1);
    r->failed = calloc((size_t)r->c->n + 1, 1);
    if (r->x->n)
        qsort(r->x->v, r->x->n, sizeof *r->x->v, by_class);
    return r->edit && r->said && r->explained && r->failed ? DP_OK : DP_ENOMEM;
}

static void close_rounds(rounds *r)
{
    dp_intern_done(&r->known);
    dp_arena_done(&r->said_in);
    free(r->edit);
    free(r->said);
    free(r->explained);
    free(r->failed);
}

dp_err dp_tree_rounds(dp_tree_trial *t, dp_tree_classes *c, dp_tree_contexts *x, size_t n, dp_arena *a)
{
    rounds *r = calloc(n, sizeof *r);
    dp_err  code = r ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        r[i] = (rounds){.t = &t[i], .c = &c[i], .x = &x[i], .edit_of = UINT32_MAX, .a = a};
        code = open_rounds(&r[i]);
    }
    if (code == DP_OK)
        code = run(r, n);
    for (size_t i = 0; r && i < n; i++)
        close_rounds(&r[i]);
    free(r);
    return code;
}
