/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/records.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/plural.h"
#include "url/split.h"

enum { BATCH = 4096, BATCH_TEXT = 16 << 20 /* bytes */, SLICE = 256 /* records a task */,
       TELL_EVERY = 1 << 14 /* records */ };

/* Records that were read and not yet given out. */
struct dp_record_batch {
    dp_buf             text;    /* what each points to, end to end */
    dp_record         *record;  /* [BATCH] copies; their texts are offsets until the batch is complete */
    dp_labelled       *v;       /* [BATCH] */
    size_t             n, next;
    dp_buf             form[BATCH / SLICE]; /* of URLs that stage 0 changes */
    uint64_t           unlabelled[BATCH / SLICE], not_ok[BATCH / SLICE], not_urls[BATCH / SLICE];
    dp_scratch       **scratch; /* [threads] */
    dp_evidence_maker *maker;   /* [threads] */
    unsigned           threads;
};

static void batch_free(dp_record_batch *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->threads; i++) {
        dp_scratch_free(b->scratch[i]);
        dp_evidence_maker_done(&b->maker[i]);
    }
    for (size_t i = 0; i < DP_COUNT(b->form); i++)
        dp_buf_done(&b->form[i]);
    dp_buf_done(&b->text);
    free(b->record);
    free(b->v);
    free(b->scratch);
    free(b->maker);
    free(b);
}

static dp_err batch_new(dp_record_batch **out, unsigned threads)
{
    dp_record_batch *b = *out = calloc(1, sizeof *b);
    if (!b)
        return DP_ENOMEM;
    b->record = malloc(BATCH * sizeof *b->record);
    b->v = malloc(BATCH * sizeof *b->v);
    b->scratch = calloc(threads, sizeof *b->scratch);
    b->maker = calloc(threads, sizeof *b->maker);
    if (!b->record || !b->v || !b->scratch || !b->maker)
        return DP_ENOMEM;
    for (; b->threads < threads; b->threads++) {
        dp_truth_maker(&b->maker[b->threads]);
        DP_TRY(dp_scratch_new(&b->scratch[b->threads]));
    }
    return DP_OK;
}

dp_err dp_records_set(dp_records *r, dp_input_option option, const char *text)
{
    return dp_how_set(r->how, option, text);
}

void dp_records_done(dp_records *r)
{
    dp_records_close(r);
    dp_how_done(r->how);
    *r = (dp_records){0};
}

dp_err dp_records_open(dp_records *r, const char *const *paths, size_t count, dp_error *err)
{
    dp_reader_options o = dp_how_options(r->how);
    dp_rules         *none = NULL;
    o.strict = r->strict;
    o.want_body = true;
    r->taken = 0;
    DP_TRY(dp_reader_open(&r->reader, paths, count, &o, err));
    dp_err code = dp_rules_new(&none);
    if (code == DP_OK)
        code = dp_engine_new(&r->engine, none, 0, 0, err);
    dp_rules_free(none);
    if (code == DP_OK)
        code = batch_new(&r->batch, dp_pool_threads(r->pool));
    if (code == DP_OK) {
        r->scratch = r->batch->scratch[0];
        r->maker = &r->batch->maker[0];
    }
    return code;
}

/* The texts of a record that say what its page is. */
enum { TEXTS = 7 };

static void list_texts(dp_record *r, dp_str *out[TEXTS])
{
    dp_str *const all[TEXTS] = {&r->url, &r->cluster, &r->digest, &r->title, &r->mime, &r->header, &r->body};
    memcpy(out, all, sizeof all);
}

static void copy_record(dp_record_batch *b, const dp_record *rec)
{
    dp_str    *text[TEXTS];
    dp_record *copy = &b->record[b->n];
    *copy = *rec;
    copy->sketch.token = (dp_str){0};
    list_texts(copy, text);
    for (size_t k = 0; k < TEXTS; k++)
        dp_buf_str(&b->text, *text[k]);
}

/* Copy the next records; none at the end of the input. */
static dp_err read_batch(dp_records *r, dp_truth *t, dp_error *err)
{
    dp_record_batch *b = r->batch;
    dp_record        rec;
    dp_str          *text[TEXTS];
    bool             more = true;
    b->n = b->next = 0;
    dp_buf_reset(&b->text);
    while (b->n < BATCH && b->text.n < BATCH_TEXT) {
        DP_TRY(dp_reader_next(r->reader, &rec, &more, err));
        if (!more)
            break;
        copy_record(b, &rec);
        bool is_error = dp_record_has(&rec, DP_FIELD_STATUS) && (!rec.status || rec.status >= 400);
        b->v[b->n] = (dp_labelled){.time = rec.time, .is_error = is_error, .number = t->records, .line = rec.line};
        b->n++;
        t->records++;
    }
    if (b->text.failed)
        return DP_ENOMEM;
    for (size_t i = 0, at = 0; i < b->n; i++) {
        list_texts(&b->record[i], text);
        for (size_t k = 0; k < TEXTS; at += text[k++]->n)
            text[k]->p = b->text.p + at;
        b->v[i].url = b->record[i].url;
        b->v[i].mime = b->record[i].mime;
    }
    return DP_OK;
}

/* Stage 0 and host of a slice, and what is said of its pages. Forms are copied where they are not the URL itself, and
 * found again when the copies have stopped moving. */
static dp_err split_slice(void *ctx, size_t number, unsigned worker)
{
    const dp_records *r = ctx;
    dp_record_batch  *b = r->batch;
    dp_buf           *copies = &b->form[number];
    dp_scratch       *s = b->scratch[worker];
    dp_truth          counts = {0};
    dp_split          parts;
    dp_err            code;
    size_t            end = (number + 1) * SLICE < b->n ? (number + 1) * SLICE : b->n;
    dp_buf_reset(copies);
    for (size_t i = number * SLICE; i < end; i++) {
        dp_labelled *one = &b->v[i];
        dp_str       form;
        if (!dp_truth_read(&counts, &b->maker[worker], &b->record[i], &one->says, &code)) {
            DP_TRY(code);
            continue;
        }
        form.p = dp_apply_view(r->engine, s, DP_STAGE0, one->url.p, one->url.n, &form.n);
        if (!form.p)
            return DP_ENOMEM;
        if (!one->url.n || !dp_scratch_is_url(s)) {
            counts.not_urls++;
            continue;
        }
        one->form = form;
        if ((uintptr_t)form.p - (uintptr_t)one->url.p >= one->url.n) {
            one->form.p = NULL;
            dp_buf_str(copies, form);
        }
    }
    if (copies->failed)
        return DP_ENOMEM;
    for (size_t i = number * SLICE, at = 0; i < end; i++) {
        dp_labelled *one = &b->v[i];
        if (!one->form.n)
            continue;
        if (!one->form.p) {
            one->form.p = copies->p + at;
            at += one->form.n;
        }
        if (dp_split_url(&parts, one->form)) {
            one->host = parts.host;
        } else {
            one->form = (dp_str){NULL, 0};
            counts.not_urls++;
        }
    }
    b->unlabelled[number] = counts.unlabelled;
    b->not_ok[number] = counts.not_ok;
    b->not_urls[number] = counts.not_urls;
    return DP_OK;
}

static dp_err fill_batch(dp_records *r, dp_truth *t, dp_error *err)
{
    dp_record_batch *b = r->batch;
    DP_TRY(read_batch(r, t, err));
    size_t slices = (b->n + SLICE - 1) / SLICE;
    for (unsigned i = 0; i < r->batch->threads; i++)
        dp_evidence_forget(&r->batch->maker[i]);
    DP_TRY(dp_pool_run(r->pool, slices, split_slice, r));
    for (size_t i = 0; i < slices; i++) {
        t->unlabelled += b->unlabelled[i];
        t->not_ok += b->not_ok[i];
        t->not_urls += b->not_urls[i];
    }
    return DP_OK;
}

dp_err dp_records_next(dp_records *r, dp_truth *t, dp_labelled *out, bool *more, dp_error *err)
{
    dp_record_batch *b = r->batch;
    for (;;) {
        if (b->next == b->n)
            DP_TRY(fill_batch(r, t, err));
        *more = b->n > 0;
        if (!*more)
            return DP_OK;
        *out = b->v[b->next++];
        if (out->form.n || (r->blanks && out->url.n && !b->record[b->next - 1].method.n))
            return DP_OK;
    }
}

dp_err dp_records_tell(dp_records *r, dp_error *err)
{
    if (!r->progress || ++r->taken % TELL_EVERY)
        return DP_OK;
    bool stop = r->progress(r->progress_ctx, dp_reader_done(r->reader), dp_reader_total(r->reader), "bytes");
    return stop ? dp_fail(err, DP_EINVALID, "stopped") : DP_OK;
}

dp_err dp_records_none(const dp_records *r, const dp_truth *t, dp_error *err)
{
    char     unread[64] = "";
    uint64_t bad = dp_reader_bad(r->reader);
    if (bad)
        snprintf(unread, sizeof unread, ", %" PRIu64 " line%s not read", bad, dp_s(bad));
    return dp_fail(
        err, DP_ESYNTAX,
        "no record has both a URL and a cluster or content (%" PRIu64 " record%s%s); name the columns with "
        "--columns, or run 'dustpan cluster' first; of a log, 'dustpan report' measures what rules save, and "
        "'dustpan validate' tests them on live pages",
        t->records, dp_s(t->records), unread);
}

void dp_records_close(dp_records *r)
{
    if (r->reader) {
        r->bad = dp_reader_bad(r->reader);
        for (r->nwhy = 0; r->nwhy < DP_BAD_LINES_KEPT && dp_reader_bad_line(r->reader, r->nwhy, &r->why[r->nwhy]);)
            r->nwhy++;
        dp_reader_close(r->reader);
    }
    batch_free(r->batch);
    dp_engine_free(r->engine);
    r->reader = NULL;
    r->batch = NULL;
    r->scratch = NULL;
    r->maker = NULL;
    r->engine = NULL;
}

dp_err dp_records_bad(const dp_records *r, size_t i, dp_error *bad)
{
    if (i >= r->nwhy)
        return DP_EINVALID;
    *bad = r->why[i];
    return DP_OK;
}
