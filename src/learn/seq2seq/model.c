/* Sites by name, and the file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/outfile.h"
#include "base/room.h"
#include "url/host.h"

static const char magic[16] = "dustpan-model\n2\n";

enum { SITES_MAX = 1 << 24, NAME_MAX_BYTES = 1 << 20 };

void dp_seq_site_free(dp_seq_site *s)
{
    dp_vocab_done(&s->vocab);
    dp_training_done(&s->training);
    dp_arena_done(&s->arena);
    free(s);
}

void dp_seq_model_done(dp_seq_model *m)
{
    for (size_t i = 0; i < m->n; i++)
        dp_seq_site_free(m->v[i]);
    free(m->v);
    *m = (dp_seq_model){0};
}

/* The first place whose name is not less. */
static size_t place_of(const dp_seq_model *m, dp_str name)
{
    size_t i;
    DP_BISECT(i, m->n, dp_str_cmp(m->v[i]->name, name) < 0);
    return i;
}

dp_seq_site *dp_seq_model_find(const dp_seq_model *m, dp_str name)
{
    size_t i = place_of(m, name);
    return i < m->n && dp_str_eq(m->v[i]->name, name) ? m->v[i] : NULL;
}

dp_err dp_seq_model_put(dp_seq_model *m, dp_seq_site *s)
{
    if (!DP_ROOM(m->v, m->n, m->cap))
        return DP_ENOMEM;
    size_t i = place_of(m, s->name);
    memmove(m->v + i + 1, m->v + i, (m->n - i) * sizeof *m->v);
    m->v[i] = s;
    m->n++;
    return DP_OK;
}

dp_err dp_seq_model_add(dp_seq_model *m, dp_str name, dp_seq_site **out)
{
    dp_seq_site *s = calloc(1, sizeof *s);
    if (!s)
        return DP_ENOMEM;
    s->name = dp_arena_str(&s->arena, name);
    dp_err code = s->name.p ? dp_seq_model_put(m, s) : DP_ENOMEM;
    if (code == DP_OK)
        *out = s;
    else
        dp_seq_site_free(s);
    return code;
}

void dp_seq_model_remove(dp_seq_model *m, dp_seq_site *s)
{
    size_t i = place_of(m, s->name);
    memmove(m->v + i, m->v + i + 1, (m->n - i - 1) * sizeof *m->v);
    m->n--;
    dp_seq_site_free(s);
}

dp_err dp_seq_site_domains(dp_seq_site *s, const dp_site *from)
{
    dp_frame  f = {0};
    dp_intern known = {0};
    dp_str   *v = DP_NEWS(&s->arena, from->n, dp_str);
    uint32_t  n = 0, seen;
    dp_err    code = v ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < from->n && code == DP_OK; i++) {
        if (dp_frame_read(&f, from->url[i]) != DP_FRAME_OK)
            continue;
        dp_str domain = dp_host_domain(dp_frame_host(&f));
        if (dp_intern_find(&known, domain, &seen))
            continue;
        v[n] = dp_arena_str(&s->arena, domain);
        if (!v[n].p || !dp_intern_add(&known, domain, n))
            code = DP_ENOMEM;
        n++;
    }
    if (n)
        qsort(v, n, sizeof *v, dp_by_bytes);
    s->domain = v;
    s->ndomain = n;
    dp_frame_done(&f);
    dp_intern_done(&known);
    return code;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void put_u32(dp_buf *b, uint32_t x)
{
    dp_buf_add(b, (const char *)&x, sizeof x);
}

static void put_u64(dp_buf *b, uint64_t x)
{
    dp_buf_add(b, (const char *)&x, sizeof x);
}

static void put_double(dp_buf *b, double x)
{
    dp_buf_add(b, (const char *)&x, sizeof x);
}

static void put_str(dp_buf *b, dp_str s)
{
    put_u32(b, (uint32_t)s.n);
    dp_buf_str(b, s);
}

static void put_floats(dp_buf *b, const float *v, size_t n)
{
    dp_buf_add(b, (const char *)v, n * sizeof *v);
}

static void put_ids(dp_buf *b, const uint32_t *id, uint32_t n)
{
    put_u32(b, n);
    dp_buf_add(b, (const char *)id, n * sizeof *id);
}

static void put_majority(dp_buf *b, const dp_majority *m)
{
    put_u64(b, m->n);
    for (size_t i = 0; i < m->n; i++) {
        put_ids(b, m->v[i].source, m->v[i].nsource);
        put_ids(b, m->v[i].target, m->v[i].ntarget);
        put_floats(b, &m->v[i].share, 1);
    }
}

static void put_site(dp_buf *b, const dp_seq_site *s)
{
    const dp_training *t = &s->training;
    put_str(b, s->name);
    put_u32(b, s->ndomain);
    for (uint32_t i = 0; i < s->ndomain; i++)
        put_str(b, s->domain[i]);
    put_str(b, dp_str_c(s->vocab.delimiters));
    put_u32(b, s->vocab.n);
    for (uint32_t i = 0; i < s->vocab.n; i++)
        put_str(b, s->vocab.word[i]);
    put_double(b, s->sure);
    put_u64(b, s->made_of);
    put_u32(b, s->finished);
    put_majority(b, &s->majority);
    put_u32(b, t->size.embed);
    put_u32(b, t->size.hidden);
    put_floats(b, t->best, t->n);
    if (s->finished)
        return;
    put_floats(b, t->now, t->n);
    put_floats(b, t->mean, t->n);
    put_floats(b, t->square, t->n);
    put_double(b, t->rate);
    put_double(b, t->best_f1);
    put_double(b, t->best_loss);
    put_double(b, t->loss);
    put_u64(b, t->steps);
    put_u64(b, t->seed);
    put_u32(b, t->epoch);
    put_u32(b, t->since_best);
}

dp_err dp_seq_model_save(const dp_seq_model *m, const char *path, dp_error *err)
{
    dp_buf b = {0};
    dp_buf_add(&b, magic, sizeof magic);
    put_u32(&b, (uint32_t)m->n);
    for (size_t i = 0; i < m->n; i++)
        put_site(&b, m->v[i]);
    put_u64(&b, dp_hash_bytes(b.p, b.n));
    dp_err code = b.failed ? dp_fail_as(err, DP_ENOMEM) : dp_outfile_put(path, b.p, b.n, err);
    dp_buf_done(&b);
    return code;
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* What is left to read; failed once something was not there. */
typedef struct rest {
    const char *p;
    size_t      n;
    bool        failed;
} rest;

static void take(rest *r, void *to, size_t n)
{
    if (r->failed || n > r->n) {
        r->failed = true;
        memset(to, 0, n);
        return;
    }
    memcpy(to, r->p, n);
    r->p += n;
    r->n -= n;
}

static uint32_t take_u32(rest *r)
{
    uint32_t x;
    take(r, &x, sizeof x);
    return x;
}

static uint64_t take_u64(rest *r)
{
    uint64_t x;
    take(r, &x, sizeof x);
    return x;
}

static double take_double(rest *r)
{
    double x;
    take(r, &x, sizeof x);
    return x;
}

static dp_str take_str(rest *r)
{
    uint32_t n = take_u32(r);
    if (r->failed || n > r->n || n > NAME_MAX_BYTES) {
        r->failed = true;
        return (dp_str){"", 0};
    }
    dp_str s = {r->p, n};
    r->p += n;
    r->n -= n;
    return s;
}

/* `n` texts of at least 5 bytes each in the file; NULL (and failed, when that is why). */
static dp_str *take_strs(rest *r, uint32_t n, dp_arena *a)
{
    if (n > r->n / sizeof(uint32_t)) {
        r->failed = true;
        return NULL;
    }
    dp_str *v = DP_NEWS(a, n, dp_str);
    for (uint32_t i = 0; v && i < n; i++) {
        v[i] = dp_arena_str(a, take_str(r));
        if (!v[i].p)
            return NULL;
    }
    return v;
}

static void take_floats(rest *r, float *v, size_t n)
{
    take(r, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        r->failed |= !isfinite(v[i]);
}

static dp_err take_vocab(rest *r, dp_seq_site *s)
{
    dp_str  delimiters = take_str(r);
    char    text[sizeof DP_SEQ_DELIMITERS] = "";
    if (delimiters.n >= sizeof text)
        return DP_ESYNTAX;
    memcpy(text, delimiters.p, delimiters.n);
    uint32_t n = take_u32(r);
    dp_str  *word = take_strs(r, n, &s->arena);
    if (!word)
        return r->failed ? DP_ESYNTAX : DP_ENOMEM;
    return dp_vocab_set(&s->vocab, text, word, n);
}

/* Ids of a template with this many words; NULL (and failed, when that is why). */
static const uint32_t *take_ids(rest *r, uint32_t *n, uint32_t ids, dp_arena *a)
{
    *n = take_u32(r);
    r->failed |= *n == 0 || *n > DP_SEQ_LONGEST || *n > r->n / sizeof(uint32_t);
    uint32_t *id = r->failed ? NULL : DP_NEWS(a, *n, uint32_t);
    if (!id)
        return NULL;
    take(r, id, *n * sizeof *id);
    for (uint32_t i = 0; i < *n; i++)
        r->failed |= id[i] == DP_SEQ_EOS || id[i] >= ids;
    return id;
}

static dp_err take_majority(rest *r, dp_seq_site *s)
{
    uint64_t n = take_u64(r);
    if (r->failed || n > r->n / (5 * sizeof(uint32_t)))
        return DP_ESYNTAX;
    s->majority.v = DP_NEWS(&s->arena, n, dp_majority_row);
    if (!s->majority.v)
        return DP_ENOMEM;
    for (uint64_t i = 0; i < n; i++) {
        dp_majority_row *row = &s->majority.v[i];
        row->source = take_ids(r, &row->nsource, dp_vocab_size(&s->vocab), &s->arena);
        row->target = row->source ? take_ids(r, &row->ntarget, dp_vocab_size(&s->vocab), &s->arena) : NULL;
        if (!row->target)
            return r->failed ? DP_ESYNTAX : DP_ENOMEM;
        take_floats(r, &row->share, 1);
        if (i && dp_seq_order(row[-1].source, row[-1].nsource, row->source, row->nsource) >= 0)
            return DP_ESYNTAX;
    }
    s->majority.n = n;
    return r->failed ? DP_ESYNTAX : DP_OK;
}

static dp_err take_training(rest *r, dp_seq_site *s)
{
    dp_training     *t = &s->training;
    dp_train_options o = DP_TRAIN_OPTIONS_INIT;
    o.embed = take_u32(r);
    o.hidden = take_u32(r);
    if (!r->failed && !o.embed && !o.hidden && s->finished)
        return DP_OK;
    dp_gru_size size = {dp_vocab_size(&s->vocab), o.embed, o.hidden};
    size_t      n = o.embed ? dp_gru_count(size) : 0;
    if (r->failed || !n || n > r->n / sizeof(float))
        return DP_ESYNTAX;
    DP_TRY(dp_training_init(t, size.vocab, &o, 0));
    take_floats(r, t->best, n);
    if (s->finished)
        return DP_OK;
    take_floats(r, t->now, n);
    take_floats(r, t->mean, n);
    take_floats(r, t->square, n);
    t->rate = take_double(r);
    t->best_f1 = take_double(r);
    t->best_loss = take_double(r);
    t->loss = take_double(r);
    t->steps = take_u64(r);
    t->seed = take_u64(r);
    t->epoch = take_u32(r);
    t->since_best = take_u32(r);
    return DP_OK;
}

static dp_err take_site(rest *r, dp_seq_model *m)
{
    dp_str       name = take_str(r);
    dp_seq_site *s;
    if (r->failed || dp_seq_model_find(m, name))
        return DP_ESYNTAX;
    DP_TRY(dp_seq_model_add(m, name, &s));
    s->ndomain = take_u32(r);
    s->domain = take_strs(r, s->ndomain, &s->arena);
    if (!s->domain)
        return r->failed ? DP_ESYNTAX : DP_ENOMEM;
    DP_TRY(take_vocab(r, s));
    s->sure = take_double(r);
    s->made_of = take_u64(r);
    s->finished = take_u32(r) != 0;
    DP_TRY(take_majority(r, s));
    DP_TRY(take_training(r, s));
    return r->failed ? DP_ESYNTAX : DP_OK;
}

static dp_err read_all(dp_buf *b, const char *path, dp_error *err)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno));
    char   piece[1 << 16];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        dp_buf_add(b, piece, n);
    dp_err code = ferror(f) ? dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno)) : DP_OK;
    fclose(f);
    return code == DP_OK && b->failed ? dp_fail_as(err, DP_ENOMEM) : code;
}

static dp_err parse(dp_seq_model *m, dp_str text, const char *path, dp_error *err)
{
    uint64_t sum;
    if (text.n < sizeof magic + sizeof sum || memcmp(text.p, magic, sizeof magic - 2) != 0)
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "not a model file of dustpan");
    if (memcmp(text.p, magic, sizeof magic) != 0)
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "a model file of another version; train it again");
    memcpy(&sum, text.p + text.n - sizeof sum, sizeof sum);
    if (sum != dp_hash_bytes(text.p, text.n - sizeof sum))
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "the file is damaged: its checksum is wrong");
    m->id = sum;
    rest     r = {text.p + sizeof magic, text.n - sizeof magic - sizeof sum, false};
    uint32_t n = take_u32(&r);
    dp_err   code = n > SITES_MAX ? DP_ESYNTAX : DP_OK;
    for (uint32_t i = 0; i < n && code == DP_OK; i++)
        code = take_site(&r, m);
    if (code == DP_OK && (r.failed || r.n))
        code = DP_ESYNTAX;
    if (code == DP_ESYNTAX)
        return dp_fail_at(err, code, path, 0, 0, "the file is damaged: its parts do not fit together");
    return code == DP_OK ? DP_OK : dp_fail(err, code, "out of memory");
}

dp_err dp_seq_model_load(dp_seq_model *m, const char *path, dp_error *err)
{
    dp_buf b = {0};
    dp_err code = read_all(&b, path, err);
    if (code == DP_OK)
        code = parse(m, dp_buf_view(&b), path, err);
    if (code != DP_OK)
        dp_seq_model_done(m);
    dp_buf_done(&b);
    return code;
}
