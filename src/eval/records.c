/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/records.h"

#include <stdlib.h>

#include "url/split.h"

dp_err dp_records_set(dp_records *r, dp_input_option option, const char *text)
{
    if ((unsigned)option >= DP_INPUT_OPTIONS)
        return DP_EINVALID;
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return DP_ENOMEM;
    free(r->option[option]);
    r->option[option] = copy;
    return DP_OK;
}

void dp_records_done(dp_records *r)
{
    dp_records_close(r);
    for (size_t i = 0; i < DP_INPUT_OPTIONS; i++)
        free(r->option[i]);
    *r = (dp_records){0};
}

dp_err dp_records_open(dp_records *r, const char *const *paths, size_t count, dp_error *err)
{
    dp_reader_options o = {
        .format = r->option[DP_INPUT_FORMAT],
        .columns = r->option[DP_INPUT_COLUMNS],
        .log_format = r->option[DP_INPUT_LOG_FORMAT],
        .base_url = r->option[DP_INPUT_BASE_URL],
        .strict = r->strict,
    };
    dp_rules *none = NULL;
    DP_TRY(dp_reader_open(&r->reader, paths, count, &o, err));
    dp_err code = dp_rules_new(&none);
    if (code == DP_OK)
        code = dp_engine_new(&r->engine, none, 0, 0, err);
    dp_rules_free(none);
    return code == DP_OK ? dp_scratch_new(&r->scratch) : code;
}

dp_err dp_records_next(dp_records *r, dp_truth *t, dp_labelled *out, bool *more, dp_error *err)
{
    dp_record rec;
    dp_split  parts;
    for (;;) {
        DP_TRY(dp_reader_next(r->reader, &rec, more, err));
        if (!*more)
            return DP_OK;
        t->records++;
        *out = (dp_labelled){.url = rec.url, .label = dp_truth_label(t, &rec), .time = rec.time};
        if (!out->label.n || !out->url.n)
            continue;
        out->form.p = dp_apply_view(r->engine, r->scratch, DP_STAGE0, out->url.p, out->url.n, &out->form.n);
        if (!out->form.p)
            return DP_ENOMEM;
        if (dp_scratch_is_url(r->scratch) && dp_split_url(&parts, out->form)) {
            out->host = parts.host;
            return DP_OK;
        }
        t->not_urls++;
    }
}

void dp_records_close(dp_records *r)
{
    if (r->reader) {
        r->bad = dp_reader_bad(r->reader);
        for (r->nwhy = 0; r->nwhy < DP_BAD_LINES_KEPT && dp_reader_bad_line(r->reader, r->nwhy, &r->why[r->nwhy]);)
            r->nwhy++;
        dp_reader_close(r->reader);
    }
    dp_scratch_free(r->scratch);
    dp_engine_free(r->engine);
    r->reader = NULL;
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
