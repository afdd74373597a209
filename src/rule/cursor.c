/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/words/suggest.h"
#include "url/chars.h"
#include "url/host.h"
#include "url/percent.h"

dp_err dp_cursor_fail(dp_cursor *c, const char *at, const char *format, ...)
{
    va_list args;
    c->error.code = DP_ESYNTAX;
    c->error.line = c->number;
    c->error.column = (size_t)(at - c->line) + 1;
    snprintf(c->error.file, sizeof c->error.file, "%.*s", (int)c->file.n, c->file.p);
    va_start(args, format);
    vsnprintf(c->error.message, sizeof c->error.message, format, args);
    va_end(args);
    return DP_ESYNTAX;
}

dp_err dp_cursor_expected(dp_cursor *c, dp_str word, const char *what, const char *options)
{
    if (word.n == 0)
        return dp_cursor_fail(c, word.p, "expected %s, found %s", what,
                              word.p < c->end ? "nothing" : "the end of the line");
    dp_str guess = dp_suggest(word, options);
    if (guess.n == 0)
        return dp_cursor_fail(c, word.p, "expected %s, found " DP_SHOW, what, DP_SHOWN(word));
    return dp_cursor_fail(c, word.p, "expected %s, found " DP_SHOW " (did you mean '%.*s'?)", what, DP_SHOWN(word),
                          DP_FMT(guess));
}

dp_str dp_cursor_peek(dp_cursor *c)
{
    while (c->at < c->end && dp_is_space(*c->at))
        c->at++;
    const char *p = c->at;
    while (p < c->end && !dp_is_space(*p))
        p++;
    return (dp_str){c->at, (size_t)(p - c->at)};
}

dp_str dp_cursor_word(dp_cursor *c)
{
    dp_str word = dp_cursor_peek(c);
    c->at += word.n;
    return word;
}

/* Append the literal that was meant: stage 0's percent pass, and raw * and # escaped. */
static void right_form(dp_buf *out, dp_str s)
{
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '*' && s.p[i] != '#')
            continue;
        dp_percent_normalize(out, dp_str_cut(s, from, i));
        dp_percent_escape(out, s.p[i]);
        from = i + 1;
    }
    dp_percent_normalize(out, dp_str_cut(s, from, s.n));
}

/* "write X": X differs from `s` from some byte on, which is the place to name. */
static dp_err wrong_form(dp_cursor *c, dp_str s, const char *what)
{
    dp_str right = dp_buf_view(&c->scratch);
    if (c->scratch.failed)
        return DP_ENOMEM;
    size_t i = 0;
    while (i < s.n && i < right.n && s.p[i] == right.p[i])
        i++;
    return dp_cursor_fail(c, s.p + i, "%s " DP_SHOW " is not in normal form: write '%.*s%s'", what, DP_SHOWN(s),
                          (int)(right.n > 200 ? 200 : right.n), right.p, right.n > 200 ? "..." : "");
}

dp_err dp_cursor_literal(dp_cursor *c, dp_str s, const char *never)
{
    bool plain = true;
    for (size_t i = 0; i < s.n; i++) {
        char b = s.p[i];
        plain &= b != '%' && b != '*' && b != '#' && !dp_is(b, DP_CH_ESCAPE);
        for (const char *n = never; *n; n++)
            if (b == *n)
                return dp_cursor_fail(c, s.p + i, "'%c' cannot be part of " DP_SHOW ": in a URL it would end it", b,
                                      DP_SHOWN(s));
    }
    if (plain || (dp_percent_is_normal(s) && dp_str_find(s, '*') == s.n && dp_str_find(s, '#') == s.n))
        return DP_OK;
    dp_buf_reset(&c->scratch);
    right_form(&c->scratch, s);
    return wrong_form(c, s, "literal");
}

dp_err dp_cursor_host(dp_cursor *c, dp_str s)
{
    size_t i = 0;
    while (i < s.n && dp_is(s.p[i], DP_CH_HOST))
        i++;
    if (s.n && i == s.n)
        return DP_OK;
    dp_buf_reset(&c->scratch);
    if (!dp_host_normalize(&c->scratch, s)) {
        if (c->scratch.failed)
            return DP_ENOMEM;
        return dp_cursor_fail(c, s.p + (s.n && s.p[0] != '[' ? i : 0), DP_SHOW " is not a host name", DP_SHOWN(s));
    }
    return dp_str_eq(s, dp_buf_view(&c->scratch)) ? DP_OK : wrong_form(c, s, "host");
}

dp_err dp_cursor_port(int *out, dp_cursor *c, dp_str s)
{
    enum { MAX_PORT = 65535 };
    int  port = 0;
    bool good = s.n > 1 && s.p[0] == ':' && (s.p[1] != '0' || s.n == 2);
    for (size_t i = 1; i < s.n && good; i++) {
        good = dp_is(s.p[i], DP_CH_DIGIT);
        port = good ? port * 10 + (s.p[i] - '0') : 0;
        good &= port <= MAX_PORT;
    }
    if (!good)
        return dp_cursor_fail(c, s.p,
                              "expected a port (':' and a number up to 65535 without leading zeros), found " DP_SHOW,
                              DP_SHOWN(s));
    *out = port;
    return DP_OK;
}

static int by_text(const void *a, const void *b)
{
    const dp_str *x = a, *y = b;
    int           order = dp_str_cmp(*x, *y);
    return order ? order : (x->p > y->p) - (x->p < y->p);
}

static dp_str text_of(const void *v, size_t i, size_t size)
{
    dp_str s;
    memcpy(&s, (const char *)v + i * size, sizeof s);
    return s;
}

dp_err dp_cursor_once(dp_cursor *c, const void *v, size_t n, size_t size, const char *what)
{
    dp_str few[16], *sorted = few, *twice = NULL;
    if (n < 2)
        return DP_OK;
    if (n > DP_COUNT(few) && !(sorted = malloc(n * sizeof *sorted)))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        sorted[i] = text_of(v, i, size);
    qsort(sorted, n, sizeof *sorted, by_text);
    for (size_t i = 1; i < n; i++)
        if (dp_str_eq(sorted[i - 1], sorted[i]) && (!twice || sorted[i].p < twice->p))
            twice = &sorted[i];
    dp_err e = DP_OK;
    if (twice)
        e = dp_cursor_fail(c, twice->p, "%s " DP_SHOW " appears twice", what, DP_SHOWN(*twice));
    if (sorted != few)
        free(sorted);
    return e;
}
