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

const dp_record_format *dp_format_of_log(dp_str format)
{
    static const struct {
        const char             *server;
        const dp_record_format *writes;
    } presets[] = {
        {"nginx", &dp_combined}, {"apache", &dp_combined}, {"apache-common", &dp_clf}, {"iis", &dp_w3c},
        {"cloudfront", &dp_w3c}, {"alb", &dp_alb},         {"caddy", &dp_jsonl},
    };
    for (size_t i = 0; i < DP_COUNT(presets); i++) {
        if (dp_is_word(format, presets[i].server))
            return presets[i].writes;
    }
    return &dp_logformat;
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

/* Whether a word of a line is the address of a client, or the beginning of one: 192.0.2.1:80, 2001:db8::1. */
static bool is_address(dp_str s)
{
    size_t dots = 0, colons = 0, digits = 0;
    bool   twice = false;
    for (size_t i = 0; i < s.n; i++) {
        if (!dp_is(s.p[i], DP_CH_HEX) && s.p[i] != '.' && s.p[i] != ':')
            return false;
        digits += s.p[i] != '.' && s.p[i] != ':';
        dots += s.p[i] == '.';
        twice |= i && s.p[i] == ':' && s.p[i - 1] == ':';
        colons += s.p[i] == ':';
    }
    return digits && (dots > 1 || colons > 2 || twice);
}

/* Who has asked is nobody's business, also where a line cannot be read. */
static void hide_addresses(char *text)
{
    static const char ends[] = " \"'|,()[]";
    for (size_t at = 0, n; text[at]; at += n + (text[at + n] != 0)) {
        n = strcspn(text + at, ends);
        if (is_address((dp_str){text + at, n}))
            memset(text + at, '*', n);
    }
}

dp_quoted dp_quote(dp_str s)
{
    dp_quoted q;
    char      text[sizeof q.text - 2];
    dp_mask_line(text, sizeof text, s);
    hide_addresses(text);
    snprintf(q.text, sizeof q.text, "'%s'", text);
    return q;
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
