/* Records into a report: URLs with and without labels, and who asked for them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/report/report.h"
#include "url/split.h"

/* Whether the record is of a page that is there: asked for by GET, and answered with it or with "not modified". */
static bool is_seen(const dp_record *rec)
{
    bool is_get = rec->method.n == 0 || dp_str_eq(rec->method, DP_STR("GET"));
    return is_get && (!dp_record_has(rec, DP_FIELD_STATUS) || rec->status == 200 || rec->status == 304);
}

static dp_err add_record(dp_report *r, const dp_record *rec)
{
    uint32_t number;
    dp_split parts;
    dp_str   form;
    dp_says  says;
    bool     fresh;
    dp_err   code;
    dp_evidence_forget(r->in.maker);
    bool     is_known = dp_truth_read(&r->truth, r->in.maker, rec, &says, &code);
    DP_TRY(code);
    r->truth.records++;
    r->fields |= rec->has;
    if (!is_known && !is_seen(rec))
        return DP_OK;
    form.p = dp_apply_view(r->in.engine, r->in.scratch, DP_STAGE0, rec->url.p, rec->url.n, &form.n);
    if (!form.p)
        return DP_ENOMEM;
    if (!rec->url.n || !dp_scratch_is_url(r->in.scratch) || !dp_split_url(&parts, form)) {
        r->truth.not_urls++;
        return DP_OK;
    }
    DP_TRY(dp_truth_add(&r->truth, rec->url, parts.host, &says, &fresh));
    if (fresh)
        number = r->truth.n - 1;
    else
        dp_truth_find(&r->truth, rec->url, &number);
    uint64_t hits = dp_record_has(rec, DP_FIELD_HITS) && rec->hits > 0 ? (uint64_t)rec->hits : 1;
    return dp_report_request(r, number, rec, is_seen(rec) ? hits : 0);
}

/* Remember the formats of the files, each once. */
static void note_format(dp_report *r, const char *format)
{
    size_t n = strlen(r->formats);
    if (!strstr(r->formats, format))
        snprintf(r->formats + n, sizeof r->formats - n, "%s%s", n ? ", " : "", format);
}

typedef struct place {
    dp_str   text;
    uint32_t number;
} place;

static int by_text(const void *a, const void *b)
{
    return dp_str_cmp(((const place *)a)->text, ((const place *)b)->text);
}

/* Without labels the order of the records means nothing, so that of the files must not either: give the URLs their
 * numbers by their texts. */
static dp_err sort_urls(dp_report *r)
{
    dp_truth *t = &r->truth;
    place    *v = malloc(t->n * sizeof *v);
    uint32_t *host = malloc(t->n * sizeof *host), *now = malloc(t->n * sizeof *now);
    dp_asked *url = malloc(t->n * sizeof *url);
    dp_buf    text = {0};
    dp_err    code = v && host && now && url ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; i < t->n && code == DP_OK; i++)
        v[i] = (place){dp_truth_text(t, i), i};
    if (code == DP_OK)
        qsort(v, t->n, sizeof *v, by_text);
    for (uint32_t i = 0; i < t->n && code == DP_OK; i++) {
        host[i] = t->host[v[i].number];
        url[i] = r->url[v[i].number];
        now[v[i].number] = i;
        t->at[i] = text.n;
        dp_buf_str(&text, v[i].text);
        code = text.failed ? DP_ENOMEM : DP_OK;
    }
    if (code == DP_OK) {
        memcpy(t->host, host, t->n * sizeof *host);
        memcpy(r->url, url, t->n * sizeof *url);
        for (uint32_t i = 0; i < r->visitors.seen.n; i++)
            r->visitors.visit[i].url = now[r->visitors.visit[i].url];
        dp_buf was = t->text;
        t->text = text;
        text = was;
    }
    dp_buf_done(&text);
    free(url);
    free(now);
    free(host);
    free(v);
    return code;
}

dp_err dp_report_read(dp_report *r, const char *const *paths, size_t count, dp_error *err)
{
    dp_record rec;
    bool      more;
    r->inputs = count;
    r->truth.text_limit = SIZE_MAX;
    DP_TRY(dp_records_open(&r->in, paths, count, err));
    for (;;) {
        DP_TRY(dp_reader_next(r->in.reader, &rec, &more, err));
        if (!more)
            break;
        note_format(r, dp_reader_format(r->in.reader));
        DP_TRY(add_record(r, &rec));
        DP_TRY(dp_records_tell(&r->in, err));
    }
    if (r->truth.n == 0)
        return dp_fail(err, DP_ESYNTAX,
                       "no URL of a page in the input (records: %" PRIu64 ", unreadable lines: %" PRIu64
                       "); see --format and --columns",
                       r->truth.records, dp_reader_bad(r->in.reader));
    DP_TRY(dp_truth_settle(&r->truth));
    dp_ordinals_close(&r->truth.urls);
    r->unknown = r->truth.unknown;
    if (r->unknown != DP_UNSETTLED) {
        r->bare = r->truth.size[r->unknown];
        r->truth.size[r->unknown] = 0; /* it is no cluster, and never one of a single URL */
    }
    r->labelled = r->bare < r->truth.n;
    if (!r->labelled)
        DP_TRY(sort_urls(r));
    r->item = malloc(r->truth.n * sizeof *r->item);
    if (!r->item)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < r->truth.n; i++) {
        if (!r->labelled || r->truth.cluster[i] != r->unknown)
            r->item[r->nitem++] = i;
    }
    return DP_OK;
}
