/* formats.c - the table of formats, and which of them a file is in.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/words/case.h"
#include "input/format/format.h"
#include "url/chars.h"
#include "url/mask.h"

/* In the order in which they are tried: what only one format can be stands first. */
static const dp_record_format *const formats[] = {
    &dp_wat, &dp_warc, &dp_w3c,      &dp_jsonl, &dp_cdxj,        &dp_cdx,     &dp_crawllog, &dp_alb, &dp_combined,
    &dp_clf, &dp_csv,  &dp_tsv,      &dp_clusters, &dp_pairs, &dp_list_format, &dp_urllist, &dp_logformat,
};

const dp_record_format *dp_format_find(dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(formats); i++) {
        if (dp_str_eq(name, dp_str_c(formats[i]->name)))
            return formats[i];
    }
    return NULL;
}

static const struct {
    const char             *server;
    const dp_record_format *writes;
} presets[] = {
    {"nginx", &dp_combined}, {"apache", &dp_combined}, {"apache-common", &dp_clf}, {"iis", &dp_w3c},
    {"cloudfront", &dp_w3c}, {"alb", &dp_alb},         {"caddy", &dp_jsonl},
};

const dp_record_format *dp_format_of_log(dp_str format)
{
    for (size_t i = 0; i < DP_COUNT(presets); i++) {
        if (dp_is_word(format, presets[i].server))
            return presets[i].writes;
    }
    return memchr(format.p, '$', format.n) || memchr(format.p, '%', format.n) ? &dp_logformat : NULL;
}

void dp_format_servers(char *out, size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < DP_COUNT(presets) && n < cap; i++)
        n += (size_t)snprintf(out + n, cap - n, "%s%s", i ? " " : "", presets[i].server);
}

void dp_format_names(char *out, size_t cap)
{
    size_t n = 0;
    out[0] = 0;
    for (size_t i = 0; i < DP_COUNT(formats) && n < cap; i++) {
        if (formats[i] != &dp_logformat)
            n += (size_t)snprintf(out + n, cap - n, "%s%s", n ? " " : "", formats[i]->name);
    }
}

dp_line dp_bad_say(dp_why *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return DP_LINE_BAD;
}

dp_quoted dp_quote(dp_str s)
{
    dp_quoted q;
    char      text[sizeof q.text - 2];
    dp_mask_line(text, sizeof text, s);
    snprintf(q.text, sizeof q.text, "'%s'", text);
    return q;
}

dp_quoted dp_shape(dp_str s)
{
    dp_quoted q;
    dp_mask_shape(q.text, sizeof q.text, s);
    return q;
}

dp_quoted dp_stray(dp_str s)
{
    return dp_mask_is_fields(s) ? dp_shape(s) : dp_quote(s);
}

dp_quoted dp_heading(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (dp_is(s.p[i], DP_CH_DIGIT))
            return dp_shape(s);
    }
    return dp_quote(s);
}

bool dp_looks_like_url(dp_str s)
{
    size_t i = 0;
    while (i < s.n && i < 20 && ((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z'))
        i++;
    return i && s.n - i > 3 && memcmp(s.p + i, "://", 3) == 0;
}

dp_err dp_format_try(dp_format_trial *t, const dp_record_format *f, const dp_setup *s, dp_error *err)
{
    void  *state = NULL;
    dp_str rest = s->head, line;
    *t = (dp_format_trial){0};
    if (f->open)
        DP_TRY(f->open(&state, s, err));
    for (uint64_t number = 1; dp_next_line(&rest, &line); number++) {
        dp_record rec = {0};
        switch (f->line(state, line, &rec, t->bad ? NULL : &t->why)) {
        case DP_LINE_RECORD: t->records++; break;
        case DP_LINE_HEADER: t->headers++; break;
        case DP_LINE_NO_PAGE:
        case DP_LINE_OTHER: t->others++; break;
        case DP_LINE_BAD: t->line = t->bad++ ? t->line : number; break;
        case DP_LINE_NOMEM:
            if (f->close)
                f->close(state);
            return dp_fail_as(err, DP_ENOMEM);
        }
    }
    if (f->close)
        f->close(state);
    return DP_OK;
}

/* Whether `f` can read the head: half or more of the lines that it does not pass over. */
static dp_err fits(bool *yes, const dp_record_format *f, const dp_setup *s)
{
    int by_head = f->recognise ? f->recognise(s->head) : -1;
    *yes = by_head == 1;
    if (by_head >= 0)
        return DP_OK;
    dp_format_trial t;
    dp_err          code = dp_format_try(&t, f, s, NULL);
    *yes = code == DP_OK && t.records && t.records >= t.bad;
    return code == DP_ENOMEM ? code : DP_OK;
}

/* For a look at the head nobody needs a host for the paths of a log. */
dp_err dp_format_guess(const dp_record_format **out, const dp_setup *s)
{
    dp_reader_options o = {.base_url = "http://host"};
    dp_setup          look = {&o, s->head, s->path};
    for (size_t i = 0; i < DP_COUNT(formats); i++) {
        bool yes;
        DP_TRY(fits(&yes, formats[i], &look));
        *out = formats[i];
        if (yes)
            return DP_OK;
    }
    *out = NULL;
    return DP_OK;
}
