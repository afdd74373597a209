/* From URLs to templates, through the glossary, and back.
 *
 * Readers hold the lock of the glossary for a batch of URLs; what is missing is decoded under the same lock by one
 * thread at a time, many templates together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/translate.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/room.h"
#include "url/host.h"

enum { TOGETHER = 1024 /* URLs */ };

struct dp_translator {
    dp_glossary      glossary;
    pthread_rwlock_t lock;    /* of the glossary */
    dp_intern        domains; /* -> number of the site */
    bool             memo;
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

/* ---- made and freed --------------------------------------------------------------------------------- */

static dp_err name_domains(dp_translator *t, const dp_seq_model *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const dp_seq_site *s = m->v[i];
        for (uint32_t k = 0; k < s->ndomain; k++) {
            uint32_t first;
            if (!dp_intern_find(&t->domains, s->domain[k], &first) && !dp_intern_add(&t->domains, s->domain[k], i))
                return DP_ENOMEM;
        }
    }
    return DP_OK;
}

dp_err dp_translator_new(dp_translator **out, const dp_seq_model *m, bool memo)
{
    dp_translator *t = calloc(1, sizeof *t);
    if (!t)
        return DP_ENOMEM;
    pthread_rwlock_init(&t->lock, NULL);
    t->memo = memo;
    dp_err code = dp_glossary_init(&t->glossary, m);
    if (code == DP_OK)
        code = name_domains(t, m);
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
    dp_glossary_done(&t->glossary);
    pthread_rwlock_destroy(&t->lock);
    dp_intern_done(&t->domains);
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

/* ---- templates --------------------------------------------------------------------------------------- */

static dp_err learn_templates(dp_translator *t, const dp_seq_asked *v, size_t n)
{
    pthread_rwlock_wrlock(&t->lock);
    dp_err code = dp_glossary_learn(&t->glossary, v, n);
    pthread_rwlock_unlock(&t->lock);
    return code;
}

dp_err dp_translate_templates(dp_translator *t, const dp_seq_site *s, const dp_seq_question *q, size_t n,
                              dp_seq_outcome *out)
{
    uint32_t site = 0;
    while (t->glossary.model->v[site] != s)
        site++;
    dp_seq_asked *v = calloc(n + 1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        v[i] = (dp_seq_asked){site, q[i].n, q[i].id};
    dp_err code = learn_templates(t, v, n);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        out[i] = *dp_glossary_find(&t->glossary, &v[i]);
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
    const dp_vocab *words = &t->glossary.model->v[v->site]->vocab;
    dp_seq_tokens   tokens;
    DP_TRY(dp_seq_cut(&d->reader, words, &tokens));
    v->fits = dp_seq_form_of(&v->form, words, &tokens);
    return DP_OK;
}

static dp_seq_asked template_of(const visit *v)
{
    return (dp_seq_asked){v->site, v->form.n, v->form.id};
}

/* Append the answer to a URL whose template is known. */
static dp_err answer(const dp_translator *t, dp_translate_desk *d, dp_str url, const visit *v, dp_buf *out)
{
    if (v->fits) {
        const dp_vocab       *words = &t->glossary.model->v[v->site]->vocab;
        dp_seq_asked          a = template_of(v);
        const dp_seq_outcome *end = dp_glossary_find(&t->glossary, &a);
        dp_buf_reset(&d->text);
        if (end->n && dp_seq_spell(&d->text, words, end->id, end->n, &v->form) &&
            dp_frame_read(&d->reader.frame, dp_buf_view(&d->text)) == DP_FRAME_OK)
            dp_buf_str(out, dp_buf_view(&d->text));
        else
            dp_seq_spell(out, words, v->form.id, v->form.n, &v->form);
    } else if (v->site != UINT32_MAX) {
        /* Too long for a template, but in the same form as its neighbours. */
        const dp_vocab *words = &t->glossary.model->v[v->site]->vocab;
        dp_seq_tokens   tokens;
        DP_TRY(dp_seq_read(&d->reader, words, url, &tokens));
        dp_seq_join(out, &tokens, words->delimiters);
    } else {
        dp_buf_str(out, url);
    }
    return out->failed ? DP_ENOMEM : DP_OK;
}

/* Have the templates of the batch in the glossary. */
static dp_err learn_missing(dp_translator *t, const visit *v, size_t n)
{
    size_t missing = 0;
    pthread_rwlock_rdlock(&t->lock);
    for (size_t i = 0; i < n; i++) {
        dp_seq_asked a = template_of(&v[i]);
        missing += v[i].fits && !dp_glossary_find(&t->glossary, &a);
    }
    pthread_rwlock_unlock(&t->lock);
    if (!missing)
        return DP_OK;
    dp_seq_asked *all = malloc(n * sizeof *all);
    size_t        k = 0;
    if (!all)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (v[i].fits)
            all[k++] = template_of(&v[i]);
    dp_err code = learn_templates(t, all, k);
    free(all);
    return code;
}

static dp_err translate_batch(dp_translator *t, dp_translate_desk *d, const dp_str *url, size_t n, dp_buf *out,
                              size_t *ends)
{
    if (!DP_ROOM_FOR(d->visit, n, d->cap))
        return DP_ENOMEM;
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
            dp_glossary_reset(&t->glossary);
        DP_TRY(translate_batch(t, d, url + i, together, out, ends + i));
    }
    return DP_OK;
}
