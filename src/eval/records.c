/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/records.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/plural.h"
#include "url/split.h"

enum { BATCH = 4096, SLICE = 256 /* records a task */, TELL_EVERY = 1 << 14 /* records */ };

/* Records that were read and not yet given out. */
struct dp_record_batch {
    dp_buf       text;        /* URL and label of each, end to end */
    size_t       at[BATCH];   /* where they begin */
    dp_labelled  v[BATCH];
    size_t       n, next;
    dp_buf       form[BATCH / SLICE]; /* of URLs that stage 0 changes */
    dp_scratch **scratch;     /* [threads] */
    unsigned     threads;
};

static void batch_free(dp_record_batch *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->threads; i++)
        dp_scratch_free(b->scratch[i]);
    for (size_t i = 0; i < DP_COUNT(b->form); i++)
        dp_buf_done(&b->form[i]);
    dp_buf_done(&b->text);
    free(b->scratch);
    free(b);
}

static dp_err batch_new(dp_record_batch **out, unsigned threads)
{
    dp_record_batch *b = *out = calloc(1, sizeof *b);
    if (!b || !(b->scratch = calloc(threads, sizeof *b->scratch)))
        return DP_ENOMEM;
    for (; b->threads < threads; b->threads++)
        DP_TRY(dp_scratch_new(&b->scratch[b->threads]));
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
    r->taken = 0;
    DP_TRY(dp_reader_open(&r->reader, paths, count, &o, err));
    dp_err code = dp_rules_new(&none);
    if (code == DP_OK)
        code = dp_engine_new(&r->engine, none, 0, 0, err);
    dp_rules_free(none);
    if (code == DP_OK)
        code = batch_new(&r->batch, dp_pool_threads(r->pool));
    if (code == DP_OK)
        r->scratch = r->batch->scratch[0];
    return code;
}

/* Copy the next records that have a URL and a label; none at the end of the input. */
static dp_err read_batch(dp_records *r, dp_truth *t, dp_error *err)
{
    dp_record_batch *b = r->batch;
    dp_record        rec;
    bool             more = true;
    b->n = b->next = 0;
    dp_buf_reset(&b->text);
    while (b->n < BATCH) {
        DP_TRY(dp_reader_next(r->reader, &rec, &more, err));
        if (!more)
            break;
        t->records++;
        dp_str label = dp_truth_label(t, &rec);
        if (!label.n || !rec.url.n)
            continue;
        b->at[b->n] = b->text.n;
        b->v[b->n++] = (dp_labelled){.url = rec.url, .label = label, .time = rec.time, .number = t->records - 1};
        dp_buf_str(&b->text, rec.url);
        dp_buf_str(&b->text, label);
    }
    if (b->text.failed)
        return DP_ENOMEM;
    for (size_t i = 0; i < b->n; i++) {
        b->v[i].url.p = b->text.p + b->at[i];
        b->v[i].label.p = b->v[i].url.p + b->v[i].url.n;
    }
    return DP_OK;
}

/* Stage 0 and host of a slice. Forms are copied where they are not the URL itself, and found again when the copies have
 * stopped moving. */
static dp_err split_slice(void *ctx, size_t number, unsigned worker)
{
    const dp_records *r = ctx;
    dp_record_batch  *b = r->batch;
    dp_buf           *copies = &b->form[number];
    dp_scratch       *s = b->scratch[worker];
    dp_split          parts;
    size_t            end = (number + 1) * SLICE < b->n ? (number + 1) * SLICE : b->n;
    dp_buf_reset(copies);
    for (size_t i = number * SLICE; i < end; i++) {
        dp_labelled *one = &b->v[i];
        dp_str       form;
        form.p = dp_apply_view(r->engine, s, DP_STAGE0, one->url.p, one->url.n, &form.n);
        if (!form.p)
            return DP_ENOMEM;
        if (!dp_scratch_is_url(s))
            continue;
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
        if (one->form.n && !one->form.p) {
            one->form.p = copies->p + at;
            at += one->form.n;
        }
        if (one->form.n && dp_split_url(&parts, one->form))
            one->host = parts.host;
        else
            one->form = (dp_str){NULL, 0};
    }
    return DP_OK;
}

dp_err dp_records_next(dp_records *r, dp_truth *t, dp_labelled *out, bool *more, dp_error *err)
{
    dp_record_batch *b = r->batch;
    for (;;) {
        if (b->next == b->n) {
            DP_TRY(read_batch(r, t, err));
            DP_TRY(dp_pool_run(r->pool, (b->n + SLICE - 1) / SLICE, split_slice, r));
        }
        *more = b->n > 0;
        if (!*more)
            return DP_OK;
        *out = b->v[b->next++];
        if (out->form.n)
            return DP_OK;
        t->not_urls++;
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
    return dp_fail(err, DP_ESYNTAX,
                   "no record has both a URL and a cluster or digest (%" PRIu64 " record%s%s); name the columns with "
                   "--columns, or run 'dustpan cluster' first",
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
    r->engine = NULL;
}

dp_err dp_records_bad(const dp_records *r, size_t i, dp_error *bad)
{
    if (i >= r->nwhy)
        return DP_EINVALID;
    *bad = r->why[i];
    return DP_OK;
}
