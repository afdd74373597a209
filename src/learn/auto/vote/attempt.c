/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/attempt.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/room.h"
#include "learn/auto/forms/rulebook.h"

enum { CHUNK = 4096 /* forms a task */ };

/* What a form is tried with. */
typedef enum scope { TRY_NOTHING, TRY_NEW, TRY_ALL } scope;

typedef struct members {
    dp_member *v;
    size_t     n, cap;
} members;

/* What was found in one chunk of forms. */
typedef struct found {
    members fired, lost;
} found;

/* One thread's place in the forms. */
typedef struct worker {
    dp_scratch *scratch;
    dp_frame    frame;
    dp_buf      sorted;
} worker;

typedef struct trying {
    const dp_forms           *forms;
    const dp_idea            *idea;     /* [nidea] */
    size_t                    nidea;
    const dp_earlier_attempt *earlier;  /* may be NULL */
    dp_rulebook               all, new; /* all ideas; those that were not tried before */
    uint32_t                  order;    /* the idea "order any"; DP_NO_IDEA: none */
    uint8_t                  *scope;    /* [forms->n] */
    worker                   *w;        /* [threads] */
    found                    *chunk;    /* [nchunk] */
    size_t                    nchunk;
} trying;

typedef struct note {
    const trying      *t;
    const dp_rulebook *book;
    found             *out;
    uint32_t           form;
    bool               failed;
} note;

static bool push(members *m, dp_member new)
{
    if (!DP_ROOM(m->v, m->n, m->cap))
        return false;
    m->v[m->n++] = new;
    return true;
}

static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    note           *n = ctx;
    members        *m = &n->out->fired;
    const dp_forms *f = n->t->forms;
    uint32_t        idea = n->book->idea[rule];
    /* Of the two rules of one idea the first that fires holds. */
    if (n->t->idea[idea].text[1].n)
        for (size_t i = m->n; i-- > 0 && m->v[i].item == n->form;)
            if (m->v[i].tag == idea)
                return;
    dp_member one = {dp_hash_str(text), idea, n->form};
    n->failed |= !push(m, one);
    if (dp_identity_is_lost(&f->identities, f->label[n->form], f->text[n->form], text))
        n->failed |= !push(&n->out->lost, one);
}

/* What the only idea makes of a form together with the rules that carry it on. */
static dp_err try_whole(note *n, worker *w, dp_str text)
{
    dp_str end = dp_engine_run(n->t->forms->whole, w->scratch, DP_KEY, text, NULL, NULL);
    if (end.p && !dp_str_eq(end, text)) {
        dp_member one = {dp_hash_str(end), 0, n->form};
        n->failed |= !push(&n->out->fired, one);
    }
    return end.p && !n->failed ? DP_OK : DP_ENOMEM;
}

/* `order any` is no rule: sorting belongs to stage 0. */
static dp_err try_order(worker *w, members *m, uint32_t order, uint32_t form, dp_str text)
{
    if (!memchr(text.p, '?', text.n))
        return DP_OK;
    dp_frame_result got = dp_frame_read(&w->frame, text);
    if (got == DP_FRAME_NOMEM)
        return DP_ENOMEM;
    if (got != DP_FRAME_OK || dp_frame_is_sorted(&w->frame))
        return DP_OK;
    dp_buf_reset(&w->sorted);
    if (!dp_frame_sort(&w->frame, &w->sorted) ||
        !push(m, (dp_member){dp_hash_str(dp_buf_view(&w->sorted)), order, form}))
        return DP_ENOMEM;
    return DP_OK;
}

static bool is_new(const trying *t, size_t idea)
{
    return !t->earlier || t->earlier->same[idea] == DP_NO_IDEA;
}

static dp_err try_chunk(void *ctx, size_t i, unsigned number)
{
    trying *t = ctx;
    worker *w = &t->w[number];
    note    n = {.t = t, .out = &t->chunk[i]};
    size_t  end = (i + 1) * CHUNK < t->forms->n ? (i + 1) * CHUNK : t->forms->n;
    for (size_t f = i * CHUNK; f < end; f++) {
        if (t->scope[f] == TRY_NOTHING || !dp_form_is_bounded(t->forms->text[f]))
            continue;
        n.form = (uint32_t)f;
        if (t->forms->whole) {
            DP_TRY(try_whole(&n, w, t->forms->text[f]));
            continue;
        }
        n.book = t->scope[f] == TRY_ALL ? &t->all : &t->new;
        if (n.book->nrule &&
            (!dp_engine_each(n.book->engine, w->scratch, t->forms->text[f], note_rule, &n).p || n.failed))
            return DP_ENOMEM;
        if (t->order != DP_NO_IDEA && (t->scope[f] == TRY_ALL || is_new(t, t->order)))
            DP_TRY(try_order(w, &n.out->fired, t->order, n.form, t->forms->text[f]));
    }
    return DP_OK;
}

/* ---- what is to be tried ------------------------------------------------------------------ */

/* Where new ideas are tried on forms that are not new: where those fired that they are confined forms of. */
static void scope_new(trying *t)
{
    const dp_earlier_attempt *r = t->earlier;
    bool                      everywhere = false;
    for (size_t i = 0; i < t->nidea; i++)
        everywhere |= is_new(t, i) && (!r->within || r->within[i] == DP_NO_IDEA);
    for (size_t f = 0; f < t->forms->n && everywhere; f++)
        t->scope[f] = t->scope[f] == TRY_NOTHING ? TRY_NEW : t->scope[f];
    for (size_t i = 0; i < t->nidea && !everywhere; i++) {
        if (!is_new(t, i))
            continue;
        uint32_t from = r->within[i];
        for (size_t k = r->of->at[from]; k < r->of->at[from + 1]; k++) {
            uint32_t f = r->form ? r->form[r->of->v[k].item] : r->of->v[k].item;
            if (f != DP_NO_FORM && t->scope[f] == TRY_NOTHING)
                t->scope[f] = TRY_NEW;
        }
    }
}

/* Forms that there were not are tried with all ideas. */
static void scope_forms(trying *t)
{
    const dp_earlier_attempt *r = t->earlier;
    memset(t->scope, r && !r->form ? TRY_NOTHING : TRY_ALL, t->forms->n);
    if (!r)
        return;
    for (size_t i = 0; i < r->nform && r->form; i++)
        if (r->form[i] != DP_NO_FORM)
            t->scope[r->form[i]] = TRY_NOTHING;
    scope_new(t);
}

static bool has(const trying *t, scope what)
{
    return t->forms->n && memchr(t->scope, (int)what, t->forms->n) != NULL;
}

static dp_err read_books(trying *t)
{
    dp_err code = DP_OK;
    if (has(t, TRY_ALL))
        code = dp_rulebook_init(&t->all, t->idea, t->nidea, NULL, t->forms->sorted);
    if (code == DP_OK && has(t, TRY_NEW))
        code = dp_rulebook_init(&t->new, t->idea, t->nidea, t->earlier->same, t->forms->sorted);
    return code;
}

static dp_err run(trying *t, dp_pool *pool)
{
    unsigned threads = dp_pool_threads(pool);
    t->nchunk = (t->forms->n + CHUNK - 1) / CHUNK;
    t->w = calloc(threads, sizeof *t->w);
    t->chunk = calloc(t->nchunk + 1, sizeof *t->chunk);
    t->scope = malloc(t->forms->n + 1);
    if (!t->w || !t->chunk || !t->scope)
        return DP_ENOMEM;
    for (unsigned i = 0; i < threads; i++)
        DP_TRY(dp_scratch_new(&t->w[i].scratch));
    scope_forms(t);
    DP_TRY(read_books(t));
    return dp_pool_run(pool, t->nchunk, try_chunk, t);
}

static void stop(trying *t, dp_pool *pool)
{
    for (unsigned i = 0; t->w && i < dp_pool_threads(pool); i++) {
        dp_scratch_free(t->w[i].scratch);
        dp_frame_done(&t->w[i].frame);
        dp_buf_done(&t->w[i].sorted);
    }
    for (size_t i = 0; t->chunk && i < t->nchunk; i++) {
        free(t->chunk[i].fired.v);
        free(t->chunk[i].lost.v);
    }
    dp_rulebook_done(&t->all);
    dp_rulebook_done(&t->new);
    free(t->scope);
    free(t->w);
    free(t->chunk);
}

/* ---- together ----------------------------------------------------------------------------- */

/* Members of ideas, of this attempt and of the one before: all that fired, or those that were lost. */
typedef struct gathering {
    dp_tries       *out;
    const trying   *t;
    const dp_tries *before; /* may be NULL */
    bool            lost;
} gathering;

static members *chunk_of(const gathering *g, size_t i)
{
    return g->lost ? &g->t->chunk[i].lost : &g->t->chunk[i].fired;
}

/* What became of the form of an earlier member; DP_NO_FORM: it was rewritten. */
static uint32_t form_now(const gathering *g, const dp_member *m)
{
    const dp_earlier_attempt *r = g->t->earlier;
    return r->form ? r->form[m->item] : m->item;
}

/* What was found before, at the end of each idea's place. */
static void add_recalled(const gathering *g, size_t *end)
{
    for (size_t i = 0; g->before && i < g->t->nidea; i++) {
        if (is_new(g->t, i))
            continue;
        uint32_t same = g->t->earlier->same[i];
        for (size_t k = g->before->at[same]; k < g->before->at[same + 1]; k++) {
            uint32_t f = form_now(g, &g->before->v[k]);
            if (f != DP_NO_FORM)
                g->out->v[end[i]++] = (dp_member){g->before->v[k].key, (uint32_t)i, f};
        }
    }
}

/* How many each idea has: at[i + 1]. */
static void count(const gathering *g)
{
    size_t *at = g->out->at;
    for (size_t i = 0; i < g->t->nchunk; i++)
        for (size_t k = 0; k < chunk_of(g, i)->n; k++)
            at[chunk_of(g, i)->v[k].tag + 1]++;
    for (size_t i = 0; g->before && i < g->t->nidea; i++) {
        if (is_new(g->t, i))
            continue;
        uint32_t same = g->t->earlier->same[i];
        for (size_t k = g->before->at[same]; k < g->before->at[same + 1]; k++)
            at[i + 1] += form_now(g, &g->before->v[k]) != DP_NO_FORM;
    }
    for (size_t i = 0; i < g->t->nidea; i++)
        at[i + 1] += at[i];
}

static dp_err sort_one(void *ctx, size_t i, unsigned number)
{
    const gathering *g = ctx;
    size_t           at = g->out->at[i];
    (void)number;
    if (is_new(g->t, i) || g->t->earlier->form) /* else they are in order already */
        dp_members_sort(g->out->v + at, g->out->at[i + 1] - at);
    return DP_OK;
}

/* Each idea's members to their place, in order. */
static dp_err gather(gathering *g, dp_pool *pool)
{
    const trying *t = g->t;
    size_t       *end = malloc((t->nidea + 1) * sizeof *end);
    g->out->at = calloc(t->nidea + 2, sizeof *g->out->at);
    if (!end || !g->out->at) {
        free(end);
        return DP_ENOMEM;
    }
    count(g);
    g->out->n = g->out->at[t->nidea];
    g->out->v = malloc((g->out->n + 1) * sizeof *g->out->v);
    if (!g->out->v) {
        free(end);
        return DP_ENOMEM;
    }
    memcpy(end, g->out->at, t->nidea * sizeof *end);
    for (size_t i = 0; i < t->nchunk; i++) {
        members *m = chunk_of(g, i);
        for (size_t k = 0; k < m->n; k++)
            g->out->v[end[m->v[k].tag]++] = m->v[k];
        free(m->v);
        m->v = NULL;
    }
    add_recalled(g, end);
    free(end);
    return dp_pool_run(pool, t->nidea, sort_one, g);
}

static dp_err gather_all(dp_attempt *a, const trying *t, dp_pool *pool)
{
    const dp_attempt *before = t->earlier ? t->earlier->of : NULL;
    dp_tries          fired = {0}, then = {0};
    if (before)
        then = (dp_tries){before->v, before->n, before->at};
    dp_err code = gather(&(gathering){&fired, t, &then, false}, pool);
    a->v = fired.v;
    a->n = fired.n;
    a->at = fired.at;
    if (code == DP_OK)
        code = gather(&(gathering){&a->lost, t, before && before->lost.at ? &before->lost : NULL, true}, pool);
    return code;
}

dp_err dp_attempt_init(dp_attempt *a, const dp_forms *f, const dp_idea *idea, size_t n, const dp_earlier_attempt *r,
                       dp_pool *pool)
{
    trying t = {.forms = f, .idea = idea, .nidea = n, .earlier = r, .order = DP_NO_IDEA};
    *a = (dp_attempt){0};
    for (size_t i = 0; i < n; i++)
        if (idea[i].family == DP_FAMILY_ORDER)
            t.order = (uint32_t)i;
    dp_err code = run(&t, pool);
    if (code == DP_OK)
        code = gather_all(a, &t, pool);
    stop(&t, pool);
    if (code != DP_OK)
        dp_attempt_done(a);
    return code;
}

void dp_attempt_done(dp_attempt *a)
{
    free(a->v);
    free(a->at);
    free(a->lost.v);
    free(a->lost.at);
    *a = (dp_attempt){0};
}
