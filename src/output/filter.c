/* SPDX-License-Identifier: Apache-2.0 */
#include "output/filter.h"

#include <stdlib.h>

enum { MAX_THREADS = 1024 };

dp_err dp_filter_new(dp_filter **out, const dp_engine *e)
{
    dp_filter *f = calloc(1, sizeof *f);
    if (!f)
        return DP_ENOMEM;
    f->ask.engine = e;
    *out = f;
    return DP_OK;
}

void dp_filter_free(dp_filter *f)
{
    if (!f)
        return;
    dp_how_done(f->how);
    dp_buf_done(&f->source);
    free(f->source_rules);
    free(f->tmp);
    free(f->fired);
    free(f);
}

dp_err dp_filter_set(dp_filter *f, dp_filter_option option, int64_t value)
{
    static const int64_t max[] = {
        [DP_FILTER_FORM] = DP_FOUND,
        [DP_FILTER_UNIQUE] = 1,
        [DP_FILTER_EXPLAIN] = 1,
        [DP_FILTER_FORMAT] = DP_JSON,
        [DP_FILTER_THREADS] = MAX_THREADS,
        [DP_FILTER_LINE_BUFFERED] = 1,
        [DP_FILTER_STRICT] = 1,
        [DP_FILTER_COUNTS] = 1,
    };
    if ((size_t)option >= DP_COUNT(max) || value < 0 || value > max[option])
        return DP_EINVALID;
    switch (option) {
    case DP_FILTER_FORM: f->ask.form = (dp_form)value; break;
    case DP_FILTER_UNIQUE: f->ask.unique = value; break;
    case DP_FILTER_EXPLAIN: f->ask.explain = value; break;
    case DP_FILTER_FORMAT: f->ask.format = (dp_format)value; break;
    case DP_FILTER_THREADS: f->threads = value; break;
    case DP_FILTER_LINE_BUFFERED: f->line_buffered = value; break;
    case DP_FILTER_STRICT: f->ask.strict = value; break;
    case DP_FILTER_COUNTS: f->ask.counts = value; break;
    }
    return DP_OK;
}

dp_err dp_filter_input(dp_filter *f, dp_input_option option, const char *text)
{
    return dp_how_set(f->how, option, text);
}

void dp_filter_model(dp_filter *f, const dp_model *m)
{
    f->ask.model = m;
}

dp_err dp_filter_memory(dp_filter *f, uint64_t bytes, const char *folder)
{
    char *copy = strdup(folder);
    if (!copy)
        return DP_ENOMEM;
    free(f->tmp);
    f->tmp = copy;
    f->ask.tmp = copy;
    f->ask.memory = bytes;
    return DP_OK;
}

void dp_filter_seen(dp_filter *f, dp_seen *s)
{
    f->ask.seen = s;
    f->ask.remembers = s && dp_seen_remembers(s);
}

dp_err dp_filter_explore(dp_filter *f, double share, const char *salt)
{
    if (!(share >= 0 && share <= 1))
        return DP_EINVALID;
    f->ask.explore = dp_explore_of(share, dp_str_c(salt));
    return DP_OK;
}

uint64_t dp_filter_set_id(const dp_filter *f)
{
    return dp_ask_set_id(&f->ask);
}

/* The rules that fired on the source, whose key was the last of `s`. */
static bool note_source_rules(dp_filter *f, const dp_scratch *s)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    uint64_t       *rules = realloc(f->source_rules, (n + 1) * sizeof *rules);
    if (!rules)
        return false;
    f->source_rules = rules;
    f->ask.source_rules = rules;
    f->ask.source_nrules = dp_scratch_hit_limit(s) ? 0 : n;
    for (size_t i = 0; i < n; i++)
        rules[i] = dp_engine_id(f->ask.engine, fired[i]);
    return true;
}

dp_err dp_filter_source(dp_filter *f, const char *url, size_t len)
{
    dp_scratch *s;
    size_t      own_at = 0, form_at = 0, url_at;
    DP_TRY(dp_scratch_new(&s));
    f->ask.has_source = false;
    dp_buf_reset(&f->source);
    for (int i = 0; i < 2; i++) {
        dp_str form, own = {0};
        form.p = dp_apply_view(f->ask.engine, s, i ? DP_STAGE0 : DP_KEY, url, len, &form.n);
        if (!form.p)
            f->source.failed = true;
        else
            dp_buf_str(&f->source, form);
        if (i)
            continue;
        if (!note_source_rules(f, s))
            f->source.failed = true;
        own_at = f->source.n;
        own.p = dp_scratch_foreign(s, &own.n);
        if (own.p)
            dp_buf_str(&f->source, own);
        form_at = f->source.n;
    }
    bool is_url = dp_scratch_is_url(s);
    dp_scratch_free(s);
    url_at = f->source.n;
    dp_buf_add(&f->source, url, len);
    if (f->source.failed)
        return DP_ENOMEM;
    if (!is_url)
        return DP_EINVALID;
    dp_str all = dp_buf_view(&f->source);
    f->ask.has_source = true;
    f->ask.source_key = dp_str_cut(all, 0, own_at);
    f->ask.source_own = dp_str_cut(all, own_at, form_at);
    f->ask.source_form = dp_str_cut(all, form_at, url_at);
    f->ask.source_url = dp_str_cut(all, url_at, all.n);
    return DP_OK;
}

void dp_filter_progress(dp_filter *f, dp_progress call, void *ctx)
{
    f->progress = call;
    f->progress_ctx = ctx;
}

uint64_t dp_filter_total(const dp_filter *f, dp_filter_count which)
{
    return (size_t)which < DP_FILTER_COUNTERS ? f->total[which] : 0;
}

uint64_t dp_filter_fired(const dp_filter *f, size_t rule)
{
    return f->fired && rule < dp_engine_count(f->ask.engine) ? f->fired[rule] : 0;
}

dp_err dp_filter_bad(const dp_filter *f, size_t i, dp_error *bad)
{
    if (i >= f->nbad)
        return DP_EINVALID;
    *bad = f->bad[i];
    return DP_OK;
}
