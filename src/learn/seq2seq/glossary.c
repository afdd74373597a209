/* The table of templates, and the way from one to the next.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/glossary.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "url/host.h"
#include "url/split.h"

enum { CHAIN = 8 /* translations of one template at most */ };

/* What is known of a template. `step` is the network's answer in the template's arguments, `end` what it becomes in
 * the end; n == 0: it keeps its own form. */
typedef struct dp_glossary_entry {
    uint64_t        hash;
    uint32_t        site, n;
    const uint32_t *id; /* [n] */
    dp_seq_outcome *step, *end; /* end NULL: not known yet */
} entry;

/* ---- the table ---------------------------------------------------------------------------------- */

static uint64_t hash_template(uint32_t site, const uint32_t *id, uint32_t n)
{
    return dp_hash_seeded(id, n * sizeof *id, site);
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_glossary *)self)->v[number]->hash;
}

static entry *find(const dp_glossary *g, uint32_t site, const uint32_t *id, uint32_t n)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&g->index, hash_template(site, id, n)); dp_index_next(&w, &i);) {
        entry *e = g->v[i];
        if (e->site == site && e->n == n && !memcmp(e->id, id, n * sizeof *id))
            return e;
    }
    return NULL;
}

/* Add a template that is not there; its step is to be filled in. NULL: memory is out. */
static entry *add(dp_glossary *g, uint32_t site, const uint32_t *id, uint32_t n)
{
    if (!DP_ROOM(g->v, g->index.n, g->cap) || !dp_index_room(&g->index, hash_of, g))
        return NULL;
    entry    *e = DP_NEW(&g->arena, entry);
    uint32_t *copy = DP_NEWS(&g->arena, n, uint32_t);
    if (!e || !copy)
        return NULL;
    memcpy(copy, id, n * sizeof *copy);
    *e = (entry){.hash = hash_template(site, id, n), .site = site, .n = n, .id = copy};
    g->v[dp_index_put(&g->index, e->hash)] = e;
    return e;
}

void dp_glossary_reset(dp_glossary *g)
{
    dp_index_reset(&g->index);
    dp_arena_reset(&g->arena);
}

dp_err dp_glossary_init(dp_glossary *g, const dp_seq_model *m)
{
    *g = (dp_glossary){.model = m, .tables = calloc(m->n + 1, sizeof *g->tables)};
    if (!g->tables)
        return DP_ENOMEM;
    for (size_t i = 0; i < m->n; i++) {
        const dp_training *of = &m->v[i]->training;
        if (!of->n)
            continue;
        DP_TRY(dp_gru_tables_init(&g->tables[i], of->size));
        dp_gru net = dp_gru_view(of->size, of->best);
        dp_gru_tables_fill(&g->tables[i], &net);
    }
    return DP_OK;
}

void dp_glossary_done(dp_glossary *g)
{
    for (size_t i = 0; g->tables && i < g->model->n; i++)
        dp_gru_tables_done(&g->tables[i]);
    free(g->tables);
    free(g->v);
    dp_index_done(&g->index);
    dp_arena_done(&g->arena);
}

/* ---- from template to template -------------------------------------------------------------------- */

/* Ids with arguments numbered by first appearance; back[k] is the number that argument k + 1 had. */
static void renumber(uint32_t *id, uint32_t n, uint32_t back[DP_SEQ_ARGS])
{
    uint32_t now[DP_SEQ_ARGS + 1] = {0}, used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (id[i] > DP_SEQ_ARGS)
            continue;
        if (!now[id[i]]) {
            back[used] = id[i];
            now[id[i]] = ++used;
        }
        id[i] = now[id[i]];
    }
}

/* Whether an answer names a URL of the site: scheme, then a host of its domains or the source's own, and arguments
 * that the source has. */
static bool is_of_site(const dp_seq_site *s, const uint32_t *id, uint32_t n, const entry *source)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < source->n; i++)
        most = source->id[i] <= DP_SEQ_ARGS && source->id[i] > most ? source->id[i] : most;
    for (uint32_t i = 0; i < n; i++)
        if (id[i] == DP_SEQ_EOS || (id[i] <= DP_SEQ_ARGS && id[i] > most))
            return false;
    if (n < 2 || id[0] != source->id[0]) {
        dp_str scheme = n >= 2 && id[0] > DP_SEQ_ARGS ? s->vocab.word[id[0] - DP_SEQ_WORDS] : (dp_str){0};
        if (!dp_str_eq(scheme, DP_STR("http:")) && !dp_str_eq(scheme, DP_STR("https:")))
            return false;
    }
    if (id[1] == source->id[1])
        return true;
    if (id[1] <= DP_SEQ_ARGS)
        return false;
    dp_split to = {0};
    if (!dp_split_authority(&to, s->vocab.word[id[1] - DP_SEQ_WORDS]))
        return false;
    dp_str domain = dp_host_domain(to.host);
    for (uint32_t i = 0; i < s->ndomain; i++)
        if (dp_str_eq(s->domain[i], domain))
            return true;
    return false;
}

/* The step of a template by an answer that may not be worth giving. */
static dp_err set_step(dp_glossary *g, entry *e, const uint32_t *id, uint32_t n, float sure)
{
    const dp_seq_site *s = g->model->v[e->site];
    dp_seq_outcome    *o = DP_NEW(&g->arena, dp_seq_outcome);
    if (!o)
        return DP_ENOMEM;
    bool same = n == e->n && !memcmp(id, e->id, n * sizeof *id);
    if (n && !same && (double)sure >= s->sure && is_of_site(s, id, n, e)) {
        memcpy(o->id, id, n * sizeof *id);
        o->n = n;
    }
    o->sure = sure;
    e->step = o;
    return DP_OK;
}

/* The steps of templates of one site of which its table is sure. */
static dp_err look_up_steps(dp_glossary *g, entry **v, size_t n)
{
    const dp_seq_site *s = g->model->v[v[0]->site];
    for (size_t i = 0; i < n; i++) {
        const dp_majority_row *row = dp_majority_find(&s->majority, v[i]->id, v[i]->n);
        if (row && (double)row->share >= s->sure)
            DP_TRY(set_step(g, v[i], row->target, row->ntarget, row->share));
    }
    return DP_OK;
}

/* The steps of the others, by the network. */
static dp_err decode_steps(dp_glossary *g, entry **v, size_t n)
{
    const dp_seq_site *s = g->model->v[v[0]->site];
    dp_gru             net = dp_gru_view(s->training.size, s->training.best);
    dp_seq_question   *q = malloc(n * sizeof *q);
    dp_seq_answer     *a = calloc(n, sizeof *a);
    dp_err             code = q && a ? DP_OK : DP_ENOMEM;
    size_t             asked = 0;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        if (!v[i]->step)
            q[asked++] = (dp_seq_question){v[i]->id, v[i]->n};
    if (code == DP_OK && asked && s->training.n)
        code = dp_seq_decode(a, &net, &g->tables[v[0]->site], q, asked);
    asked = 0;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        if (!v[i]->step) {
            code = set_step(g, v[i], a[asked].id, a[asked].n, a[asked].sure);
            asked++;
        }
    free(q);
    free(a);
    return code;
}

/* Templates whose steps are to be decoded, grown as chains go on. */
typedef struct worklist {
    entry **v;
    size_t  n, cap;
} worklist;

static dp_err want(worklist *w, entry *e)
{
    if (!DP_ROOM(w->v, w->n, w->cap))
        return DP_ENOMEM;
    w->v[w->n++] = e;
    return DP_OK;
}

/* The template that an entry's step leads to. */
static void next_of(const entry *e, uint32_t *id, uint32_t *n, uint32_t back[DP_SEQ_ARGS])
{
    *n = e->step->n;
    memcpy(id, e->step->id, *n * sizeof *id);
    renumber(id, *n, back);
}

static int by_site(const void *pa, const void *pb)
{
    const entry *a = *(entry *const *)pa, *b = *(entry *const *)pb;
    return (a->site > b->site) - (a->site < b->site);
}

/* Decode what is wanted and what that leads to. */
static dp_err follow(dp_glossary *g, worklist *w)
{
    size_t done = 0;
    while (done < w->n) {
        size_t end = w->n;
        qsort(w->v + done, end - done, sizeof *w->v, by_site);
        for (size_t i = done, j; i < end; i = j) {
            for (j = i + 1; j < end && w->v[j]->site == w->v[i]->site; j++) {}
            DP_TRY(look_up_steps(g, w->v + i, j - i));
            DP_TRY(decode_steps(g, w->v + i, j - i));
        }
        for (; done < end; done++) {
            uint32_t id[DP_SEQ_LONGEST], n, back[DP_SEQ_ARGS];
            if (!w->v[done]->step->n)
                continue;
            next_of(w->v[done], id, &n, back);
            if (find(g, w->v[done]->site, id, n))
                continue;
            entry *e = add(g, w->v[done]->site, id, n);
            if (!e)
                return DP_ENOMEM;
            DP_TRY(want(w, e));
        }
    }
    return DP_OK;
}

/* Walk the chain of an entry to its end; all steps are there. */
static dp_err find_end(dp_glossary *g, entry *e)
{
    dp_seq_outcome *end = DP_NEW(&g->arena, dp_seq_outcome);
    if (!end)
        return DP_ENOMEM;
    uint32_t to[DP_SEQ_ARGS]; /* arguments of the template at hand in those of `e` */
    for (uint32_t k = 0; k < DP_SEQ_ARGS; k++)
        to[k] = k + 1;
    const entry *at = e;
    end->sure = 1;
    for (int turn = 0; at->step->n; turn++) {
        uint32_t id[DP_SEQ_LONGEST], n, back[DP_SEQ_ARGS] = {0}, next[DP_SEQ_ARGS];
        if (turn == CHAIN) {
            end->n = 0;
            break;
        }
        end->sure = at->step->sure < end->sure ? at->step->sure : end->sure;
        end->n = at->step->n;
        for (uint32_t i = 0; i < end->n; i++)
            end->id[i] = at->step->id[i] <= DP_SEQ_ARGS ? to[at->step->id[i] - 1] : at->step->id[i];
        next_of(at, id, &n, back);
        for (uint32_t k = 0; k < DP_SEQ_ARGS; k++)
            next[k] = back[k] ? to[back[k] - 1] : 0;
        memcpy(to, next, sizeof to);
        at = find(g, e->site, id, n);
    }
    if (end->n == e->n && !memcmp(end->id, e->id, e->n * sizeof *e->id))
        end->n = 0;
    e->end = end;
    return DP_OK;
}

dp_err dp_glossary_learn(dp_glossary *g, const dp_seq_asked *v, size_t n)
{
    worklist w = {0};
    entry  **all = malloc((n + 1) * sizeof *all);
    dp_err   code = all ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        all[i] = find(g, v[i].site, v[i].id, v[i].n);
        if (all[i])
            continue;
        all[i] = add(g, v[i].site, v[i].id, v[i].n);
        code = all[i] ? want(&w, all[i]) : DP_ENOMEM;
    }
    if (code == DP_OK && w.n)
        code = follow(g, &w);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        if (!all[i]->end)
            code = find_end(g, all[i]);
    if (code)
        dp_glossary_reset(g);
    free(all);
    free(w.v);
    return code;
}

const dp_seq_outcome *dp_glossary_find(const dp_glossary *g, const dp_seq_asked *a)
{
    const entry *e = find(g, a->site, a->id, a->n);
    return e ? e->end : NULL;
}
