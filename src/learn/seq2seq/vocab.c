/* Counting words, and URLs to templates and back.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/vocab.h"

#include <stdlib.h>

void dp_vocab_done(dp_vocab *v)
{
    dp_intern_done(&v->id);
    dp_arena_done(&v->arena);
    *v = (dp_vocab){0};
}

void dp_seq_reader_done(dp_seq_reader *r)
{
    dp_frame_done(&r->frame);
    dp_arena_done(&r->arena);
    *r = (dp_seq_reader){0};
}

dp_err dp_seq_read(dp_seq_reader *r, const dp_vocab *v, dp_str url, dp_seq_tokens *out)
{
    *out = (dp_seq_tokens){0};
    switch (dp_frame_read(&r->frame, url)) {
    case DP_FRAME_NOMEM: return DP_ENOMEM;
    case DP_FRAME_NOT_NORMAL: return DP_OK;
    case DP_FRAME_OK: break;
    }
    return dp_seq_cut(r, v, out);
}

dp_err dp_seq_cut(dp_seq_reader *r, const dp_vocab *v, dp_seq_tokens *out)
{
    dp_arena_reset(&r->arena);
    return dp_seq_tokenize(out, &r->frame, v->delimiters, &r->arena);
}

/* ---- learning --------------------------------------------------------------------------------- */

/* Whether it cuts URLs however rare it is: what a query is made of. */
static bool always_cuts(char c)
{
    return c == '?' || c == '=' || c == '&';
}

dp_err dp_vocab_cut_at(dp_vocab *v, const dp_str *url, size_t n, double least)
{
    size_t   df[256] = {0};
    uint32_t last[256];
    memset(last, 0xff, sizeof last);
    dp_seq_reader r = {0};
    dp_err        code = DP_OK;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        dp_frame_result how = dp_frame_read(&r.frame, url[i]);
        if (how == DP_FRAME_NOMEM)
            code = DP_ENOMEM;
        for (size_t k = how == DP_FRAME_OK ? r.frame.path : url[i].n; k < url[i].n; k++) {
            unsigned char c = (unsigned char)url[i].p[k];
            df[c] += last[c] != (uint32_t)i;
            last[c] = (uint32_t)i;
        }
    }
    dp_seq_reader_done(&r);
    size_t kept = 0;
    for (const char *d = DP_SEQ_DELIMITERS; *d; d++)
        if (always_cuts(*d) || (double)df[(unsigned char)*d] >= least)
            v->delimiters[kept++] = *d;
    v->delimiters[kept] = 0;
    return code;
}

/* Take the first `n` words of `w` as they are. */
static dp_err take_words(dp_vocab *v, const dp_token_count *w, size_t n)
{
    if (n > (1u << 14) - DP_SEQ_WORDS)
        return DP_ELIMIT;
    v->word = DP_NEWS(&v->arena, n, dp_str);
    if (!v->word)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        v->word[i] = dp_arena_str(&v->arena, w[i].text);
        if (!v->word[i].p || !dp_intern_add(&v->id, v->word[i], (uint32_t)i))
            return DP_ENOMEM;
        v->n++;
    }
    return DP_OK;
}

static int by_bytes(const void *a, const void *b)
{
    return dp_str_cmp(((const dp_token_count *)a)->text, ((const dp_token_count *)b)->text);
}

dp_err dp_vocab_learn(dp_vocab *v, const dp_frequency *all, const dp_frequency *targets, double least)
{
    dp_token_count *kept = malloc((all->n + 1) * sizeof *kept);
    if (!kept)
        return DP_ENOMEM;
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const dp_token_count *c = &all->v[i];
        if ((double)c->df >= least || (double)dp_frequency_of(targets, c->text) >= least ||
            (c->text.n == 1 && always_cuts(*c->text.p)))
            kept[n++] = *c;
    }
    if (n)
        qsort(kept, n, sizeof *kept, by_bytes);
    dp_err code = take_words(v, kept, n);
    free(kept);
    return code;
}

dp_err dp_vocab_set(dp_vocab *v, const char *delimiters, const dp_str *word, uint32_t n)
{
    size_t kept = 0;
    for (const char *d = DP_SEQ_DELIMITERS; *d; d++)
        if (strchr(delimiters, *d))
            v->delimiters[kept++] = *d;
    v->delimiters[kept] = 0;
    if (strcmp(v->delimiters, delimiters) != 0)
        return DP_ESYNTAX;
    dp_token_count *c = calloc((size_t)n + 1, sizeof *c);
    if (!c)
        return DP_ENOMEM;
    dp_err code = DP_OK;
    for (uint32_t i = 0; i < n; i++) {
        c[i].text = word[i];
        if (!word[i].n || (i && dp_str_cmp(word[i - 1], word[i]) >= 0))
            code = DP_ESYNTAX;
    }
    if (code == DP_OK)
        code = take_words(v, c, n);
    free(c);
    return code;
}

/* ---- templates -------------------------------------------------------------------------------- */

/* The id of a token in the arguments known so far; 0: it is none of them. */
static uint32_t id_of(const dp_vocab *v, dp_str token, const dp_seq_form *f)
{
    uint32_t i;
    if (dp_intern_find(&v->id, token, &i))
        return DP_SEQ_WORDS + i;
    for (i = 0; i < f->nargs; i++)
        if (dp_str_eq(f->arg[i], token))
            return i + 1;
    return 0;
}

bool dp_seq_form_of(dp_seq_form *out, const dp_vocab *v, const dp_seq_tokens *t)
{
    out->n = out->nargs = 0;
    if (!t->n || t->n > DP_SEQ_LONGEST)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        uint32_t id = id_of(v, t->v[i], out);
        if (!id) {
            if (out->nargs == DP_SEQ_ARGS)
                return false;
            out->arg[out->nargs++] = t->v[i];
            id = out->nargs;
        }
        out->id[out->n++] = id;
    }
    return true;
}

bool dp_seq_form_target(uint32_t *id, uint32_t *n, const dp_vocab *v, const dp_seq_tokens *t,
                        const dp_seq_form *source)
{
    if (!t->n || t->n > DP_SEQ_LONGEST)
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (!(id[i] = id_of(v, t->v[i], source)))
            return false;
    *n = (uint32_t)t->n;
    return true;
}

bool dp_seq_spell(dp_buf *out, const dp_vocab *v, const uint32_t *id, uint32_t n, const dp_seq_form *source)
{
    dp_str token[DP_SEQ_LONGEST];
    if (n < 2 || n > DP_SEQ_LONGEST)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (id[i] == 0 || id[i] >= dp_vocab_size(v) || (id[i] <= DP_SEQ_ARGS && id[i] > source->nargs))
            return false;
        token[i] = id[i] <= DP_SEQ_ARGS ? source->arg[id[i] - 1] : v->word[id[i] - DP_SEQ_WORDS];
    }
    bool is_delimiter = token[1].n == 1 && strchr(v->delimiters, token[1].p[0]);
    if (token[0].p[token[0].n - 1] != ':' || is_delimiter)
        return false;
    dp_seq_join(out, &(dp_seq_tokens){token, n}, v->delimiters);
    return !out->failed;
}
