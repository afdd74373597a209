/* Templates of a site, and rules out of what becomes of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/distil.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/room.h"
#include "learn/seq2seq/generalize.h"

/* A template of the site: how many URLs have it, without and with a slash at the end. */
typedef struct kind {
    const uint32_t *id;
    uint32_t        n;
    uint64_t        urls[2];
} kind;

typedef struct kinds {
    kind     *v; /* [n] */
    size_t    n, cap;
    dp_intern index;  /* bytes of ids -> number */
    dp_arena *arena;
} kinds;

static dp_str bytes_of(const uint32_t *id, uint32_t n)
{
    return (dp_str){(const char *)id, n * sizeof *id};
}

static dp_err count_kind(kinds *k, const dp_seq_form *f, bool slash)
{
    uint32_t i;
    if (!dp_intern_find(&k->index, bytes_of(f->id, f->n), &i)) {
        if (!DP_ROOM(k->v, k->n, k->cap))
            return DP_ENOMEM;
        uint32_t *id = DP_NEWS(k->arena, f->n, uint32_t);
        i = (uint32_t)k->n;
        if (!id || !dp_intern_add(&k->index, bytes_of(f->id, f->n), i))
            return DP_ENOMEM;
        memcpy(id, f->id, f->n * sizeof *id);
        k->v[k->n++] = (kind){.id = id, .n = f->n};
    }
    k->v[i].urls[slash]++;
    return DP_OK;
}

static dp_err count_kinds(kinds *k, const dp_site *s, const dp_vocab *v)
{
    dp_seq_reader r = {0};
    dp_err        code = DP_OK;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        dp_seq_tokens t;
        dp_seq_form   f;
        code = dp_seq_read(&r, v, s->url[i], &t);
        if (code == DP_OK && t.n && dp_seq_form_of(&f, v, &t))
            code = count_kind(k, &f, r.frame.nseg > 1 && dp_frame_seg(&r.frame, r.frame.nseg - 1).n == 0);
    }
    dp_seq_reader_done(&r);
    return code;
}

static uint64_t urls_of(const kind *k)
{
    return k->urls[0] + k->urls[1];
}

static int by_urls(const void *pa, const void *pb)
{
    const kind *a = pa, *b = pb;
    if (urls_of(a) != urls_of(b))
        return urls_of(a) > urls_of(b) ? -1 : 1;
    return dp_str_cmp(bytes_of(a->id, a->n), bytes_of(b->id, b->n));
}

/* ---- text ------------------------------------------------------------------------------------------- */

/* Append ids as a template of the rule language, captures for arguments; `whole`: with scheme and host. False when
 * there is no way to say it. */
static bool say(dp_buf *out, const dp_vocab *v, const uint32_t *id, uint32_t n, bool whole, bool slash)
{
    char        name[DP_SEQ_ARGS][8];
    dp_seq_form args = {.nargs = DP_SEQ_ARGS};
    for (unsigned i = 0; i < DP_SEQ_ARGS; i++)
        args.arg[i] = (dp_str){name[i], (size_t)snprintf(name[i], sizeof name[i], "{a%u}", i + 1)};
    dp_buf text = {0};
    bool   ok = id[0] > DP_SEQ_ARGS && id[1] > DP_SEQ_ARGS && dp_seq_spell(&text, v, id, n, &args);
    if (ok) {
        dp_str      s = dp_buf_view(&text);
        size_t      path = v->word[id[0] - DP_SEQ_WORDS].n + 2 + v->word[id[1] - DP_SEQ_WORDS].n;
        const char *query = memchr(s.p + path, '?', s.n - path);
        size_t      end = query ? (size_t)(query - s.p) : s.n;
        ok = !query || !memchr(query, ';', s.n - end); /* a rule would write '&' there */
        dp_buf_str(out, dp_str_cut(s, whole ? 0 : path, end));
        if (slash && s.p[end - 1] != '/')
            dp_buf_byte(out, '/');
        dp_buf_str(out, dp_str_cut(s, end, s.n));
    }
    dp_buf_done(&text);
    return ok;
}

typedef struct writer {
    dp_proposals       *out;
    const dp_seq_site  *model;
    const kinds        *kinds;
    unsigned            by;
    dp_arena           *arena;
} writer;

/* Whether most URLs of a template end with a slash. */
static bool ends_with_slash(const kinds *k, const uint32_t *id, uint32_t n)
{
    uint32_t i, own[DP_SEQ_LONGEST], now[DP_SEQ_ARGS + 1] = {0}, used = 0;
    for (uint32_t t = 0; t < n; t++) {
        if (id[t] <= DP_SEQ_ARGS && !now[id[t]])
            now[id[t]] = ++used;
        own[t] = id[t] <= DP_SEQ_ARGS ? now[id[t]] : id[t];
    }
    return dp_intern_find(&k->index, bytes_of(own, n), &i) && k->v[i].urls[1] > k->v[i].urls[0];
}

/* The rule for a template with or without slash. *said: it was written. */
static dp_err write_rule(writer *w, const kind *k, const dp_seq_outcome *to, bool slash, bool *said)
{
    const dp_vocab *v = &w->model->vocab;
    bool            whole = k->id[0] != to->id[0] || k->id[1] != to->id[1];
    dp_buf          text = {0};
    *said = say(&text, v, k->id, k->n, whole, slash);
    if (*said) {
        dp_buf_c(&text, " => ");
        *said = say(&text, v, to->id, to->n, whole, ends_with_slash(w->kinds, to->id, to->n));
    }
    dp_err code = text.failed ? DP_ENOMEM : DP_OK;
    dp_str host = *said ? v->word[k->id[1] - DP_SEQ_WORDS] : (dp_str){0};
    *said = *said && code == DP_OK && dp_seq_is_rule(host, dp_buf_view(&text));
    if (*said) {
        dp_proposal p = {.hosts = host, .text = dp_arena_str(w->arena, dp_buf_view(&text)), .n = k->urls[slash],
                         .p = -1, .by = w->by, .state = DP_ACTIVE, .passes = true};
        code = p.text.p ? dp_proposals_add(w->out, &p) : DP_ENOMEM;
    }
    dp_buf_done(&text);
    return code;
}

/* What becomes of the templates in `v`, [n]. */
static dp_err translate_kinds(dp_seq_outcome *to, const kind *v, size_t n, const dp_seq_site *model, dp_translator *t)
{
    dp_seq_question *q = malloc((n + 1) * sizeof *q);
    if (!q)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        q[i] = (dp_seq_question){v[i].id, v[i].n};
    dp_err code = dp_translate_templates(t, model, q, n, to);
    free(q);
    return code;
}

static dp_err write_rules(writer *w, dp_distilled *count, const kind *v, size_t n, const dp_seq_outcome *to)
{
    for (size_t i = 0; i < n; i++) {
        count->templates++;
        count->urls += urls_of(&v[i]);
        if (!to[i].n)
            continue;
        count->moved++;
        count->moved_urls += urls_of(&v[i]);
        for (int slash = 0; slash < 2; slash++) {
            bool said = true;
            if (v[i].urls[slash])
                DP_TRY(write_rule(w, &v[i], &to[i], slash, &said));
            count->unsayable_urls += said ? 0 : v[i].urls[slash];
        }
    }
    return DP_OK;
}

dp_err dp_seq_distil(dp_proposals *out, dp_distilled *count, const dp_site *s, const dp_seq_site *model,
                     dp_translator *t, dp_arena *a)
{
    *count = (dp_distilled){0};
    kinds  k = {.arena = a};
    writer w = {out, model, &k, 0, a};
    for (size_t i = 0; i < s->n; i++)
        if (s->cluster[i] != DP_NO_CLUSTER && s->size[s->cluster[i]] > 1)
            w.by |= 1u << s->by[i];
    dp_err          code = count_kinds(&k, s, &model->vocab);
    kind           *sorted = malloc((k.n + 1) * sizeof *sorted);
    dp_seq_outcome *to = malloc((k.n + 1) * sizeof *to);
    if (!sorted || !to)
        code = DP_ENOMEM;
    if (code == DP_OK && k.n) {
        memcpy(sorted, k.v, k.n * sizeof *sorted);
        qsort(sorted, k.n, sizeof *sorted, by_urls);
        code = translate_kinds(to, sorted, k.n, model, t);
    }
    if (code == DP_OK)
        code = write_rules(&w, count, sorted, k.n, to);
    if (code == DP_OK)
        code = dp_seq_generalize(out, a);
    free(sorted);
    free(to);
    free(k.v);
    dp_intern_done(&k.index);
    return code;
}
