/* The memo, and the way through it.
 *
 * Readers hold the lock of the table for a batch of URLs; what is missing is decoded under the same lock by one
 * thread at a time, many templates together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/translate.h"

#include <pthread.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/room.h"
#include "url/host.h"

enum { CHAIN = 8 /* translations of one URL at most */, FIRST_SLOTS = 1024, TOGETHER = 1024 /* URLs */ };

/* What is known of a template. `step` is the network's answer in the template's arguments, `end` what it becomes in
 * the end; n == 0: it keeps its own form. */
typedef struct entry {
    uint64_t        hash;
    uint32_t        site, n;
    const uint32_t *id; /* [n] */
    dp_seq_outcome *step, *end; /* end NULL: not known yet */
} entry;

struct dp_translator {
    const dp_seq_model *model;
    dp_gru_tables      *tables;  /* [model->n] */
    dp_intern           domains; /* -> number of the site */
    bool                memo;
    pthread_rwlock_t    lock;    /* of the table */
    entry             **slot;    /* [nslot], a power of two */
    size_t              nslot, n;
    dp_arena            arena;
};

/* A URL of the batch. */
typedef struct visit {
    uint32_t    site; /* UINT32_MAX: none */
    bool        fits; /* into a template */
    dp_seq_form form;
} visit;

struct dp_translate_desk {
    dp_seq_reader reader;
    dp_buf        text;
    dp_buf        host;  /* of the URL before, and its site: most have the same */
    uint32_t      site;
    visit        *visit; /* [cap] */
    size_t        cap;
};

/* ---- the table ---------------------------------------------------------------------------------- */

static uint64_t hash_of(uint32_t site, const uint32_t *id, uint32_t n)
{
    return XXH3_64bits_withSeed(id, n * sizeof *id, site);
}

static entry **place_of(const dp_translator *t, uint64_t hash, uint32_t site, const uint32_t *id, uint32_t n)
{
    for (size_t i = hash & (t->nslot - 1);; i = (i + 1) & (t->nslot - 1)) {
        entry *e = t->slot[i];
        if (!e || (e->hash == hash && e->site == site && e->n == n && !memcmp(e->id, id, n * sizeof *id)))
            return &t->slot[i];
    }
}

static entry *find(const dp_translator *t, uint32_t site, const uint32_t *id, uint32_t n)
{
    return *place_of(t, hash_of(site, id, n), site, id, n);
}

static dp_err grow(dp_translator *t)
{
    entry **old = t->slot, **slot = calloc(t->nslot * 2, sizeof *slot);
    size_t  nold = t->nslot;
    if (!slot)
        return DP_ENOMEM;
    t->slot = slot;
    t->nslot *= 2;
    for (size_t i = 0; i < nold; i++)
        if (old[i])
            *place_of(t, old[i]->hash, old[i]->site, old[i]->id, old[i]->n) = old[i];
    free(old);
    return DP_OK;
}

/* Add a template that is not there; its step is to be filled in. NULL: memory is out. */
static entry *add(dp_translator *t, uint32_t site, const uint32_t *id, uint32_t n)
{
    if (t->n * 2 >= t->nslot && grow(t))
        return NULL;
    entry    *e = DP_NEW(&t->arena, entry);
    uint32_t *copy = DP_NEWS(&t->arena, n, uint32_t);
    if (!e || !copy)
        return NULL;
    memcpy(copy, id, n * sizeof *copy);
    *e = (entry){.hash = hash_of(site, id, n), .site = site, .n = n, .id = copy};
    *place_of(t, e->hash, site, id, n) = e;
    t->n++;
    return e;
}

static void forget_all(dp_translator *t)
{
    memset(t->slot, 0, t->nslot * sizeof *t->slot);
    t->n = 0;
    dp_arena_reset(&t->arena);
}

dp_err dp_translator_new(dp_translator **out, const dp_seq_model *m, bool memo)
{
    dp_translator *t = calloc(1, sizeof *t);
    if (!t)
        return DP_ENOMEM;
    pthread_rwlock_init(&t->lock, NULL);
    t->model = m;
    t->memo = memo;
    t->nslot = FIRST_SLOTS;
    t->slot = calloc(t->nslot, sizeof *t->slot);
    t->tables = calloc(m->n + 1, sizeof *t->tables);
    dp_err code = t->slot && t->tables ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < m->n && code == DP_OK; i++) {
        dp_seq_site *s = m->v[i];
        code = dp_gru_tables_init(&t->tables[i], s->training.size);
        if (code)
            break;
        dp_gru g = dp_gru_view(s->training.size, s->training.best);
        dp_gru_tables_fill(&t->tables[i], &g);
        uint32_t first;
        for (uint32_t k = 0; k < s->ndomain; k++)
            if (!dp_intern_find(&t->domains, s->domain[k], &first) &&
                !dp_intern_add(&t->domains, s->domain[k], (uint32_t)i))
                code = DP_ENOMEM;
    }
    if (code == DP_OK)
        *out = t;
    else
        dp_translator_free(t);
    return code;
}

void dp_translator_free(dp_translator *t)
{
    if (!t)
        return;
    for (size_t i = 0; t->tables && i < t->model->n; i++)
        dp_gru_tables_done(&t->tables[i]);
    pthread_rwlock_destroy(&t->lock);
    free(t->tables);
    free(t->slot);
    dp_intern_done(&t->domains);
    dp_arena_done(&t->arena);
    free(t);
}

dp_err dp_translate_desk_new(dp_translate_desk **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_translate_desk_free(dp_translate_desk *d)
{
    if (!d)
        return;
    dp_seq_reader_done(&d->reader);
    dp_buf_done(&d->text);
    dp_buf_done(&d->host);
    free(d->visit);
    free(d);
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
    dp_str host = s->vocab.word[id[1] - DP_SEQ_WORDS], domain = dp_host_domain(host);
    for (uint32_t i = 0; i < s->ndomain; i++)
        if (dp_str_eq(s->domain[i], domain))
            return true;
    return false;
}

/* Decode the steps of templates of one site. */
static dp_err decode_steps(dp_translator *t, entry **v, size_t n)
{
    const dp_seq_site *s = t->model->v[v[0]->site];
    dp_gru             g = dp_gru_view(s->training.size, s->training.best);
    dp_seq_question   *q = malloc(n * sizeof *q);
    dp_seq_answer     *a = malloc(n * sizeof *a);
    dp_err             code = q && a ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        for (size_t i = 0; i < n; i++)
            q[i] = (dp_seq_question){v[i]->id, v[i]->n};
        code = dp_seq_decode(a, &g, &t->tables[v[0]->site], q, n);
    }
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        dp_seq_outcome *o = DP_NEW(&t->arena, dp_seq_outcome);
        if (!o) {
            code = DP_ENOMEM;
            break;
        }
        bool same = a[i].n == v[i]->n && !memcmp(a[i].id, v[i]->id, a[i].n * sizeof *a[i].id);
        if (a[i].n && !same && (double)a[i].sure >= s->sure && is_of_site(s, a[i].id, a[i].n, v[i])) {
            memcpy(o->id, a[i].id, a[i].n * sizeof *o->id);
            o->n = a[i].n;
        }
        o->sure = a[i].sure;
        v[i]->step = o;
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
static dp_err follow(dp_translator *t, worklist *w)
{
    size_t done = 0;
    while (done < w->n) {
        size_t end = w->n;
        qsort(w->v + done, end - done, sizeof *w->v, by_site);
        for (size_t i = done, j; i < end; i = j) {
            for (j = i + 1; j < end && w->v[j]->site == w->v[i]->site; j++) {}
            DP_TRY(decode_steps(t, w->v + i, j - i));
        }
        for (; done < end; done++) {
            uint32_t id[DP_SEQ_LONGEST], n, back[DP_SEQ_ARGS];
            if (!w->v[done]->step->n)
                continue;
            next_of(w->v[done], id, &n, back);
            if (find(t, w->v[done]->site, id, n))
                continue;
            entry *e = add(t, w->v[done]->site, id, n);
            if (!e)
                return DP_ENOMEM;
            DP_TRY(want(w, e));
        }
    }
    return DP_OK;
}

/* Walk the chain of an entry to its end; all steps are there. */
static dp_err find_end(dp_translator *t, entry *e)
{
    dp_seq_outcome *end = DP_NEW(&t->arena, dp_seq_outcome);
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
        at = find(t, e->site, id, n);
    }
    if (end->n == e->n && !memcmp(end->id, e->id, e->n * sizeof *e->id))
        end->n = 0;
    e->end = end;
    return DP_OK;
}

/* A template and its site. */
typedef struct asked {
    uint32_t        site, n;
    const uint32_t *id; /* [n] */
} asked;

/* Make sure that these templates have an end. */
static dp_err learn_templates(dp_translator *t, const asked *v, size_t n)
{
    worklist w = {0};
    entry  **all = malloc((n + 1) * sizeof *all);
    dp_err   code = all ? DP_OK : DP_ENOMEM;
    pthread_rwlock_wrlock(&t->lock);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        all[i] = find(t, v[i].site, v[i].id, v[i].n);
        if (all[i])
            continue;
        all[i] = add(t, v[i].site, v[i].id, v[i].n);
        code = all[i] ? want(&w, all[i]) : DP_ENOMEM;
    }
    if (code == DP_OK && w.n)
        code = follow(t, &w);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        if (!all[i]->end)
            code = find_end(t, all[i]);
    if (code)
        forget_all(t);
    pthread_rwlock_unlock(&t->lock);
    free(all);
    free(w.v);
    return code;
}

dp_err dp_translate_templates(dp_translator *t, const dp_seq_site *s, const dp_seq_question *q, size_t n,
                              dp_seq_outcome *out)
{
    uint32_t site = 0;
    while (t->model->v[site] != s)
        site++;
    asked *v = calloc(n + 1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        v[i] = (asked){site, q[i].n, q[i].id};
    dp_err code = learn_templates(t, v, n);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        out[i] = *find(t, site, q[i].id, q[i].n)->end;
    free(v);
    return code;
}

/* ---- from URL to URL ------------------------------------------------------------------------------ */

static uint32_t site_of(const dp_translator *t, dp_translate_desk *d, dp_str host)
{
    if (!d->host.failed && dp_str_eq(host, dp_buf_view(&d->host)))
        return d->site;
    dp_buf_reset(&d->host);
    dp_buf_str(&d->host, host);
    if (!dp_intern_find(&t->domains, dp_host_domain(host), &d->site))
        d->site = UINT32_MAX;
    return d->site;
}

static dp_err look_at(const dp_translator *t, dp_translate_desk *d, dp_str url, visit *v)
{
    v->site = UINT32_MAX;
    v->fits = false;
    switch (dp_frame_read(&d->reader.frame, url)) {
    case DP_FRAME_NOMEM: return DP_ENOMEM;
    case DP_FRAME_NOT_NORMAL: return DP_OK;
    case DP_FRAME_OK: break;
    }
    v->site = site_of(t, d, dp_frame_host(&d->reader.frame));
    if (v->site == UINT32_MAX)
        return DP_OK;
    const dp_vocab *words = &t->model->v[v->site]->vocab;
    dp_seq_tokens   tokens;
    DP_TRY(dp_seq_cut(&d->reader, words, &tokens));
    v->fits = dp_seq_form_of(&v->form, words, &tokens);
    return DP_OK;
}

/* Append the answer to a URL whose template is known. */
static dp_err answer(const dp_translator *t, dp_translate_desk *d, dp_str url, const visit *v, dp_buf *out)
{
    if (v->fits) {
        const dp_vocab       *words = &t->model->v[v->site]->vocab;
        const dp_seq_outcome *end = find(t, v->site, v->form.id, v->form.n)->end;
        dp_buf_reset(&d->text);
        if (end->n && dp_seq_spell(&d->text, words, end->id, end->n, &v->form) &&
            dp_frame_read(&d->reader.frame, dp_buf_view(&d->text)) == DP_FRAME_OK)
            dp_buf_str(out, dp_buf_view(&d->text));
        else
            dp_seq_spell(out, words, v->form.id, v->form.n, &v->form);
    } else if (v->site != UINT32_MAX) {
        /* Too long for a template, but in the same form as its neighbours. */
        const dp_vocab *words = &t->model->v[v->site]->vocab;
        dp_seq_tokens   tokens;
        DP_TRY(dp_seq_read(&d->reader, words, url, &tokens));
        dp_seq_join(out, &tokens, words->delimiters);
    } else {
        dp_buf_str(out, url);
    }
    return out->failed ? DP_ENOMEM : DP_OK;
}

/* Have the templates of the batch in the table. */
static dp_err learn_missing(dp_translator *t, const visit *v, size_t n)
{
    size_t missing = 0;
    pthread_rwlock_rdlock(&t->lock);
    for (size_t i = 0; i < n; i++) {
        const entry *e = v[i].fits ? find(t, v[i].site, v[i].form.id, v[i].form.n) : NULL;
        missing += v[i].fits && (!e || !e->end);
    }
    pthread_rwlock_unlock(&t->lock);
    if (!missing)
        return DP_OK;
    asked *all = malloc(n * sizeof *all);
    size_t k = 0;
    if (!all)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (v[i].fits)
            all[k++] = (asked){v[i].site, v[i].form.n, v[i].form.id};
    dp_err code = learn_templates(t, all, k);
    free(all);
    return code;
}

static dp_err translate_batch(dp_translator *t, dp_translate_desk *d, const dp_str *url, size_t n, dp_buf *out,
                              size_t *ends)
{
    if (n > d->cap) {
        visit *v = realloc(d->visit, n * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        d->visit = v;
        d->cap = n;
    }
    for (size_t i = 0; i < n; i++)
        DP_TRY(look_at(t, d, url[i], &d->visit[i]));
    DP_TRY(learn_missing(t, d->visit, n));
    dp_err code = DP_OK;
    pthread_rwlock_rdlock(&t->lock);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        code = answer(t, d, url[i], &d->visit[i], out);
        ends[i] = out->n;
    }
    pthread_rwlock_unlock(&t->lock);
    return code;
}

dp_err dp_translate(dp_translator *t, dp_translate_desk *d, const dp_str *url, size_t n, dp_buf *out, size_t *ends)
{
    size_t most = t->memo ? TOGETHER : 1;
    for (size_t i = 0, together; i < n; i += together) {
        together = n - i < most ? n - i : most;
        if (!t->memo)
            forget_all(t);
        DP_TRY(translate_batch(t, d, url + i, together, out, ends + i));
    }
    return DP_OK;
}
