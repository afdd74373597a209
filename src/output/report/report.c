/* dp_report of dustpan.h: made, run, printed, freed.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "output/report/report.h"

#include <stdlib.h>

#include "base/text.h"
#include "eval/doubts.h"
#include "output/report/review.h"
#include "rule/print.h"
#include "url/mask.h"

enum { DEFAULT_HOSTS = 2000, DEFAULT_FAMILIES = 200, DEFAULT_LOSSES = 20 };

dp_err dp_report_new(dp_report **out, const char *name, const dp_rules *rules, unsigned flags, double min_precision,
                     dp_error *err)
{
    dp_report *r = calloc(1, sizeof *r);
    char      *copy = strdup(name);
    if (!r || !copy) {
        free(r);
        free(copy);
        return dp_fail_as(err, DP_ENOMEM);
    }
    *r = (dp_report){.rules = rules, .name = copy, .flags = flags, .min_precision = min_precision,
                     .unknown = DP_UNSETTLED, .most_hosts = DEFAULT_HOSTS, .most_families = DEFAULT_FAMILIES,
                     .most_losses = DEFAULT_LOSSES};
    dp_err code = dp_engine_new(&r->engine, rules, flags, min_precision, err);
    if (code != DP_OK) {
        dp_report_free(r);
        return code;
    }
    *out = r;
    return DP_OK;
}

void dp_report_free(dp_report *r)
{
    if (!r)
        return;
    free(r->name);
    dp_review_done(r);
    dp_engine_free(r->engine);
    dp_engine_free(r->plain);
    dp_engine_free(r->common);
    dp_records_done(&r->in);
    dp_truth_done(&r->truth);
    dp_traffic_done(&r->traffic);
    dp_visitors_done(&r->visitors);
    dp_replay_free(r->replay);
    dp_arena_done(&r->arena);
    free(r->item);
    free(r->key);
    free(r->url);
    free(r->day);
    free(r->host);
    free(r->spent);
    free(r->known);
    free(r->samples);
    free(r->family);
    free(r->by_family);
    free(r);
}

static dp_err set_limit(size_t *out, int64_t value, int64_t most)
{
    if (value < 0 || value > most)
        return DP_EINVALID;
    *out = (size_t)value;
    return DP_OK;
}

dp_err dp_report_set(dp_report *r, dp_report_option option, int64_t value)
{
    bool is_flag = value == 0 || value == 1;
    switch (option) {
    case DP_REPORT_RAW: r->raw = value; return is_flag ? DP_OK : DP_EINVALID;
    case DP_REPORT_STRICT: r->in.strict = value; return is_flag ? DP_OK : DP_EINVALID;
    case DP_REPORT_HOSTS: return set_limit(&r->most_hosts, value, DP_REPORT_MOST_HOSTS);
    case DP_REPORT_FAMILIES: return set_limit(&r->most_families, value, DP_REPORT_MOST_FAMILIES);
    case DP_REPORT_LOSSES: return set_limit(&r->most_losses, value, DP_LOSSES_KEPT);
    case DP_REPORT_REVIEW:
        DP_TRY(set_limit(&r->sample, value, DP_REVIEW_MOST_SAMPLE));
        return r->review ? DP_OK : dp_review_turn_on(r, NULL);
    case DP_REPORT_VERSION: r->version = value; return value >= 0 ? DP_OK : DP_EINVALID;
    }
    return DP_EINVALID;
}

dp_err dp_report_input(dp_report *r, dp_input_option option, const char *text)
{
    return dp_records_set(&r->in, option, text);
}

void dp_report_progress(dp_report *r, dp_progress call, void *ctx)
{
    r->in.progress = call;
    r->in.progress_ctx = ctx;
}

dp_err dp_report_run(dp_report *r, const char *const *paths, size_t count, dp_error *err)
{
    if (err)
        *err = (dp_error){0};
    if (r->done)
        return dp_fail(err, DP_EINVALID, "this report has already run");
    r->done = true;
    dp_err code = dp_report_read(r, paths, count, err);
    dp_records_close(&r->in);
    if (code == DP_OK)
        code = dp_report_counts(r, err);
    if (code == DP_OK)
        code = dp_report_families(r);
    if (code == DP_OK)
        code = dp_report_costs(r);
    if (code == DP_OK && r->review)
        code = dp_review_count(r);
    if (code != DP_OK && err && !err->message[0])
        dp_fail_as(err, code);
    return code;
}

dp_err dp_report_print(dp_text **out, const dp_report *r, dp_report_form form)
{
    dp_buf b = {0};
    if (!r->nfamily && !r->samples)
        return DP_EINVALID;
    if (form == DP_REPORT_ADVICE)
        dp_report_put_advice(&b, r);
    else if (r->review)
        (form == DP_REPORT_JSON ? dp_review_put_json : dp_review_put_html)(&b, r);
    else
        (form == DP_REPORT_JSON ? dp_report_put_json : dp_report_put_html)(&b, r);
    return dp_text_take(out, &b);
}

dp_err dp_report_metric(const dp_report *r, const char *name, double *value)
{
    if (!r->samples || !dp_score_find(&r->row[DP_ROW_RULES], name, value))
        return DP_EINVALID;
    return r->labelled || strcmp(name, "urls") == 0 || strcmp(name, "fetched") == 0 || strcmp(name, "reduction") == 0
               ? DP_OK : DP_EINVALID;
}

/* Without labels nothing is doubted but what is no URL: nothing was claimed. */
const char *dp_report_identity(const dp_report *r)
{
    return dp_truth_identity(&r->truth);
}

dp_err dp_report_warning(const dp_report *r, size_t i, char *out, size_t cap)
{
    char     line[DP_DOUBT_SIZE];
    dp_truth t = r->truth;
    t.unlabelled = 0;
    t.not_ok = 0;
    t.n = r->labelled ? t.n : 0;
    if (!cap || !dp_doubt(line, &t, i))
        return DP_EINVALID;
    size_t n = strlen(line);
    n = n < cap ? n : cap - 1;
    memcpy(out, line, n);
    out[n] = 0;
    return DP_OK;
}

uint64_t dp_report_bad_lines(const dp_report *r)
{
    return r->in.bad;
}

dp_err dp_report_bad(const dp_report *r, size_t i, dp_error *bad)
{
    return dp_records_bad(&r->in, i, bad);
}

void dp_report_cut(dp_buf *out, dp_str text)
{
    size_t n = text.n < DP_REPORT_TEXT ? text.n : DP_REPORT_TEXT;
    /* Not inside a character: at most three bytes back to where one begins. */
    for (int i = 0; i < 3 && n < text.n && n && ((unsigned char)text.p[n] & 0xC0) == 0x80; i++)
        n--;
    dp_buf_add(out, text.p, n);
    if (n < text.n)
        dp_buf_c(out, "...");
}

void dp_report_url(dp_buf *out, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf whole = {0};
    if (!r->raw)
        dp_mask_example(&whole, url, &kept, kept.n > 0);
    dp_report_cut(out, r->raw ? url : dp_buf_view(&whole));
    out->failed |= whole.failed;
    dp_buf_done(&whole);
}

bool dp_report_is_open(const dp_report *r, dp_str url)
{
    dp_buf shown = {0};
    dp_report_url(&shown, r, url, (dp_str){NULL, 0});
    bool same = !shown.failed && dp_str_eq(dp_buf_view(&shown), url);
    dp_buf_done(&shown);
    return same;
}

bool dp_report_uses(const dp_report *r, const dp_rule *rule)
{
    dp_state state = dp_rule_state(rule);
    if (state == DP_OFF || (state == DP_LIKELY && !(r->flags & DP_WITH_LIKELY)))
        return false;
    return state == DP_PIN || (float)dp_rule_number(rule, "p", 1) >= (float)r->min_precision;
}

void dp_report_put_names(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    enum { MOST = 3 };
    size_t shown = 0;
    for (size_t i = f->first; i < f->first + f->said.rules && shown < MOST; i++) {
        const dp_block *b = r->rules->rule[r->by_family[i]]->block;
        for (size_t k = 0; k < b->nscope && shown < MOST; k++, shown++) {
            dp_buf_c(out, shown ? ", " : "");
            dp_print_scope(out, &b->scope[k]);
        }
    }
    if (f->said.hosts > shown)
        dp_buf_printf(out, " and %zu more", f->said.hosts - shown);
}
