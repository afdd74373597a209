/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/ballot.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"
#include "learn/auto/rulebook.h"

enum { CHUNK = 4096 /* forms a task */ };

typedef struct members {
    dp_member *v;
    size_t     n, cap;
} members;

/* One thread's place in the forms. */
typedef struct worker {
    dp_scratch *scratch;
    dp_frame    frame;
    dp_buf      sorted;
} worker;

typedef struct trying {
    const dp_forms    *forms;
    const dp_rulebook *book;
    uint32_t           order; /* the idea "order any"; UINT32_MAX: none */
    worker            *w;     /* [threads] */
    members           *chunk; /* [nchunk] */
    size_t             nchunk;
} trying;

typedef struct note {
    const dp_rulebook *book;
    members           *m;
    uint32_t           form;
    bool               failed;
} note;

static bool push(members *m, dp_member new)
{
    if (m->n == m->cap) {
        size_t     cap = m->cap ? m->cap * 2 : CHUNK;
        dp_member *v = realloc(m->v, cap * sizeof *v);
        if (!v)
            return false;
        m->v = v;
        m->cap = cap;
    }
    m->v[m->n++] = new;
    return true;
}

static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    note    *n = ctx;
    uint32_t idea = n->book->idea[rule];
    /* Of the two rules of one idea the first that fires holds. */
    for (size_t i = n->m->n; i-- > 0 && n->m->v[i].item == n->form;)
        if (n->m->v[i].tag == idea)
            return;
    n->failed |= !push(n->m, (dp_member){dp_hash_str(text), idea, n->form});
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

static dp_err try_chunk(void *ctx, size_t i, unsigned number)
{
    trying *t = ctx;
    worker *w = &t->w[number];
    note    n = {.book = t->book, .m = &t->chunk[i]};
    size_t  end = (i + 1) * CHUNK < t->forms->n ? (i + 1) * CHUNK : t->forms->n;
    for (size_t f = i * CHUNK; f < end; f++) {
        n.form = (uint32_t)f;
        if (!dp_engine_each(t->book->engine, w->scratch, t->forms->text[f], note_rule, &n).p || n.failed)
            return DP_ENOMEM;
        if (t->order != UINT32_MAX)
            DP_TRY(try_order(w, n.m, t->order, n.form, t->forms->text[f]));
    }
    return DP_OK;
}

static dp_err try_all(dp_ballot *b, trying *t, dp_pool *pool)
{
    unsigned threads = dp_pool_threads(pool);
    t->nchunk = (b->forms->n + CHUNK - 1) / CHUNK;
    t->w = calloc(threads, sizeof *t->w);
    t->chunk = calloc(t->nchunk + 1, sizeof *t->chunk);
    if (!t->w || !t->chunk)
        return DP_ENOMEM;
    for (unsigned i = 0; i < threads; i++)
        DP_TRY(dp_scratch_new(&t->w[i].scratch));
    DP_TRY(dp_pool_run(pool, t->nchunk, try_chunk, t));
    for (size_t i = 0; i < t->nchunk; i++)
        b->n += t->chunk[i].n;
    b->v = malloc((b->n + 1) * sizeof *b->v);
    if (!b->v)
        return DP_ENOMEM;
    size_t n = 0;
    for (size_t i = 0; i < t->nchunk; i++) {
        if (t->chunk[i].n)
            memcpy(b->v + n, t->chunk[i].v, t->chunk[i].n * sizeof *b->v);
        n += t->chunk[i].n;
        free(t->chunk[i].v);
        t->chunk[i].v = NULL;
    }
    dp_members_sort(b->v, b->n);
    return DP_OK;
}

static void stop_trying(trying *t, dp_pool *pool)
{
    for (unsigned i = 0; t->w && i < dp_pool_threads(pool); i++) {
        dp_scratch_free(t->w[i].scratch);
        dp_frame_done(&t->w[i].frame);
        dp_buf_done(&t->w[i].sorted);
    }
    for (size_t i = 0; t->chunk && i < t->nchunk; i++)
        free(t->chunk[i].v);
    free(t->w);
    free(t->chunk);
}

dp_err dp_ballot_init(dp_ballot *b, const dp_forms *f, const dp_idea *idea, size_t n, dp_pool *pool)
{
    dp_rulebook book = {0};
    trying      t = {.forms = f, .book = &book, .order = UINT32_MAX};
    *b = (dp_ballot){.forms = f, .idea = idea, .nidea = n};
    for (size_t i = 0; i < n; i++)
        if (idea[i].family == DP_FAMILY_ORDER)
            t.order = (uint32_t)i;
    dp_err code = dp_rulebook_init(&book, idea, n);
    if (code == DP_OK)
        code = try_all(b, &t, pool);
    stop_trying(&t, pool);
    dp_rulebook_done(&book);
    if (code == DP_OK) {
        b->at = calloc(n + 2, sizeof *b->at);
        b->stamp = calloc(f->n + 1, sizeof *b->stamp);
        b->parent = malloc((f->n + 1) * sizeof *b->parent);
        b->lead = calloc((size_t)f->site->nclusters + 1, sizeof *b->lead);
        code = b->at && b->stamp && b->parent && b->lead ? DP_OK : DP_ENOMEM;
    }
    for (size_t i = 0; code == DP_OK && i < b->n; i++)
        b->at[b->v[i].tag + 1]++;
    for (size_t i = 0; code == DP_OK && i < n; i++)
        b->at[i + 1] += b->at[i];
    for (size_t i = 0; code == DP_OK && i < f->n; i++)
        b->parent[i] = (uint32_t)i;
    /* The largest group bounds what a walk needs. */
    size_t most = 2;
    for (size_t i = 0, j; code == DP_OK && i < b->n; i = j) {
        j = dp_group_end(b->v, b->n, i);
        most = j - i + 1 > most ? j - i + 1 : most;
    }
    if (code == DP_OK) {
        b->cap = (uint32_t)most;
        b->item = malloc(most * sizeof *b->item);
        b->label = malloc(most * sizeof *b->label);
        code = b->item && b->label ? DP_OK : DP_ENOMEM;
    }
    if (code != DP_OK)
        dp_ballot_done(b);
    return code;
}

void dp_ballot_done(dp_ballot *b)
{
    free(b->v);
    free(b->at);
    free(b->stamp);
    free(b->lead);
    free(b->parent);
    free(b->item);
    free(b->label);
    *b = (dp_ballot){0};
}

/* ---- groups ------------------------------------------------------------------------------- */

static uint32_t root(dp_ballot *b, uint32_t f)
{
    while (b->parent[f] != f)
        f = b->parent[f] = b->parent[b->parent[f]];
    return f;
}

/* Mark the forms that idea `i` changes. */
static void mark_changed(dp_ballot *b, size_t i)
{
    b->now++;
    for (size_t k = b->at[i]; k < b->at[i + 1]; k++)
        b->stamp[b->v[k].item] = b->now;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void sort_numbers(uint32_t *v, size_t n)
{
    if (n > 24) {
        qsort(v, n, sizeof *v, by_number);
        return;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && v[j - 1] > v[j]; j--) {
            uint32_t t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
}

/* The commonest label of the group; of equal ones the least. */
static void count_labels(dp_ballot *b, dp_group_seen *g)
{
    for (size_t i = 0; i < g->n; i++)
        b->label[i] = b->forms->label[g->form[i]];
    sort_numbers(b->label, g->n);
    g->agree = g->others = 0;
    for (size_t i = 0, j; i < g->n; i = j) {
        for (j = i + 1; j < g->n && b->label[j] == b->label[i]; j++) {}
        g->others++;
        if (j - i > g->agree) {
            g->agree = j - i;
            g->label = b->label[i];
        }
    }
    g->others--;
}

/* The group [k, end) of idea `i`: forms with labels, one of each that were merged already. */
static dp_group_seen group_of(dp_ballot *b, size_t k, size_t end)
{
    const dp_forms *f = b->forms;
    dp_group_seen   g = {.form = b->item};
    uint32_t        still = dp_forms_find(f, b->v[k].key);
    uint32_t        home = still != DP_NO_FORM && b->stamp[still] != b->now ? root(b, still) : DP_NO_FORM;
    for (size_t m = k; m < end; m++) {
        uint32_t r = root(b, b->v[m].item);
        if (r != home && f->label[r] != DP_NO_CLUSTER)
            b->item[g.n++] = r;
    }
    /* Forms merged before are one: few groups have any, so sorting waits until one shows. */
    bool merged = false;
    for (size_t m = k; m < end && !merged; m++)
        merged = b->parent[b->v[m].item] != b->v[m].item || root(b, b->v[m].item) != b->v[m].item;
    if (merged || home != DP_NO_FORM) {
        sort_numbers(b->item, g.n);
        size_t kept = 0;
        for (size_t m = 0; m < g.n; m++)
            if (!kept || b->item[kept - 1] != b->item[m])
                b->item[kept++] = b->item[m];
        g.n = kept;
    }
    g.changed = g.n;
    if (home != DP_NO_FORM && f->label[home] != DP_NO_CLUSTER)
        b->item[g.n++] = home;
    if (g.n >= 2)
        count_labels(b, &g);
    return g;
}

void dp_ballot_walk(dp_ballot *b, size_t i, dp_on_group *call, void *ctx)
{
    mark_changed(b, i);
    for (size_t k = b->at[i], end; k < b->at[i + 1]; k = end) {
        end = dp_group_end(b->v, b->n, k);
        dp_group_seen g = group_of(b, k, end);
        if (g.n >= 2)
            call(ctx, &g);
    }
}

/* ---- votes -------------------------------------------------------------------------------- */

typedef struct voting {
    dp_ballot *b;
    uint32_t   folds;
    dp_count   c;
} voting;

static bool agrees(const dp_group_seen *g)
{
    return g->agree - 1 >= g->n - g->agree;
}

static void count_leads(void *ctx, const dp_group_seen *g)
{
    voting *v = ctx;
    if (agrees(g))
        v->b->lead[g->label]++;
}

static void count_votes(void *ctx, const dp_group_seen *g)
{
    voting        *v = ctx;
    const dp_site *s = v->b->forms->site;
    uint32_t      *lead = &v->b->lead[g->label];
    v->c.good += (uint32_t)(g->n - 1 - g->others);
    v->c.bad += (uint32_t)g->others;
    if (!(v->folds >> s->fold[g->label] & 1))
        return;
    if (!agrees(g)) {
        v->c.neg += (double)g->others;
        return;
    }
    if (s->is_soft[g->label])
        return;
    double share = 1.0 / (double)*lead / (double)(g->n - 1);
    v->c.pos += share * (double)(g->agree - 1);
    v->c.neg += share * (double)(g->n - g->agree);
}

/* Lead counts are cleared on the way out; clusters that gain are those that lead. */
static void clear_leads(void *ctx, const dp_group_seen *g)
{
    voting *v = ctx;
    if (!agrees(g) || !v->b->lead[g->label])
        return;
    v->b->lead[g->label] = 0;
    v->c.clusters++;
    v->c.by |= v->b->forms->by[g->form[0]];
}

dp_count dp_ballot_count(dp_ballot *b, size_t i, uint32_t folds)
{
    voting v = {.b = b, .folds = folds};
    v.c.changed = (uint32_t)(b->at[i + 1] - b->at[i]);
    dp_ballot_walk(b, i, count_leads, &v);
    dp_ballot_walk(b, i, count_votes, &v);
    dp_ballot_walk(b, i, clear_leads, &v);
    return v.c;
}

static void merge_group(void *ctx, const dp_group_seen *g)
{
    dp_ballot *b = ctx;
    uint32_t   to = g->form[g->n - 1];
    for (size_t i = 0; i + 1 < g->n; i++) /* the heavier keeps its label */
        if (b->forms->weight[g->form[i]] > b->forms->weight[to])
            to = g->form[i];
    for (size_t i = 0; i < g->n; i++)
        b->parent[root(b, g->form[i])] = root(b, to);
}

void dp_ballot_take(dp_ballot *b, size_t i)
{
    dp_ballot_walk(b, i, merge_group, b);
}
