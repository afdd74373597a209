/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/logspec.h"

#include "url/chars.h"

/* ---- names -------------------------------------------------------------------------------------- */

typedef struct name {
    const char  *name;
    dp_log_field field;
} name;

static const name nginx[] = {
    {"remote_addr", DP_LOG_CLIENT},
    {"time_local", DP_LOG_TIME},
    {"time_iso8601", DP_LOG_TIME_ISO},
    {"msec", DP_LOG_SECONDS},
    {"request", DP_LOG_REQUEST},
    {"request_method", DP_LOG_METHOD},
    {"request_uri", DP_LOG_URI},
    {"uri", DP_LOG_PATH},
    {"document_uri", DP_LOG_PATH},
    {"is_args", DP_LOG_QUESTION},
    {"args", DP_LOG_QUERY},
    {"query_string", DP_LOG_QUERY},
    {"status", DP_LOG_STATUS},
    {"body_bytes_sent", DP_LOG_SIZE},
    {"host", DP_LOG_HOST},
    {"http_host", DP_LOG_HOST},
    {"server_name", DP_LOG_SERVER},
    {"server_port", DP_LOG_PORT},
    {"scheme", DP_LOG_SCHEME},
    {"http_user_agent", DP_LOG_AGENT},
    {"http_referer", DP_LOG_REFERER},
    {"sent_http_etag", DP_LOG_ETAG},
    {"sent_http_content_type", DP_LOG_MIME},
    {"sent_http_location", DP_LOG_TARGET},
};

/* %X */
static const struct {
    char         letter;
    dp_log_field field;
} apache[] = {
    {'h', DP_LOG_CLIENT}, {'a', DP_LOG_CLIENT}, {'t', DP_LOG_TIME},  {'r', DP_LOG_REQUEST}, {'m', DP_LOG_METHOD},
    {'U', DP_LOG_PATH},   {'q', DP_LOG_QUERY},  {'s', DP_LOG_STATUS}, {'b', DP_LOG_SIZE},   {'B', DP_LOG_SIZE},
    {'v', DP_LOG_SERVER}, {'V', DP_LOG_SERVER}, {'p', DP_LOG_PORT},
};

/* Directives that say nothing of a record. */
static const char apache_ignored[] = "ACDHILOPRSTXefiklnoux";

/* %{NAME}X, the name in lower case */
static const struct {
    const char  *name;
    char         letter;
    dp_log_field field;
} apache_named[] = {
    {"host", 'i', DP_LOG_HOST},           {"user-agent", 'i', DP_LOG_AGENT}, {"content-type", 'o', DP_LOG_MIME},
    {"location", 'o', DP_LOG_TARGET},     {"c", 'a', DP_LOG_CLIENT},         {"canonical", 'p', DP_LOG_PORT},
    {"local", 'p', DP_LOG_PORT},          {"sec", 't', DP_LOG_SECONDS},      {"msec", 't', DP_LOG_MSECONDS},
    {"usec", 't', DP_LOG_USECONDS},       {"request_scheme", 'e', DP_LOG_SCHEME}, {"referer", 'i', DP_LOG_REFERER},
    {"etag", 'o', DP_LOG_ETAG},
};

static bool is_name_byte(char c)
{
    return dp_is(c, DP_CH_ALNUM) || c == '_';
}

/* ---- compiling ----------------------------------------------------------------------------------- */

typedef struct compiler {
    dp_logspec *s;
    dp_str      format;
    size_t      at;      /* of the next byte */
    size_t      literal; /* where in s->text the literal that is being read begins */
    dp_error   *err;
} compiler;

static dp_err wrong(const compiler *c, size_t at, const char *what)
{
    dp_str rest = dp_str_cut(c->format, at, c->format.n);
    return dp_fail_at(c->err, DP_EINVALID, NULL, 0, 0, "--log-format: %s at byte %zu: %s", what, at + 1,
                      dp_quote(rest).text);
}

static dp_err add_byte(compiler *c, char byte)
{
    if (c->s->text_n == DP_LOG_TEXT)
        return dp_fail_at(c->err, DP_ELIMIT, NULL, 0, 0, "--log-format: more than %d bytes", DP_LOG_TEXT);
    c->s->text[c->s->text_n++] = byte;
    return DP_OK;
}

static dp_str take_literal(compiler *c)
{
    dp_str text = {c->s->text + c->literal, c->s->text_n - c->literal};
    c->literal = c->s->text_n;
    return text;
}

static dp_err add_field(compiler *c, dp_log_field field)
{
    dp_logspec *s = c->s;
    if (s->n == DP_LOG_PARTS)
        return dp_fail_at(c->err, DP_ELIMIT, NULL, 0, 0, "--log-format: more than %d fields", DP_LOG_PARTS);
    s->part[s->n++] = (dp_log_part){.field = field, .before = take_literal(c)};
    s->fields |= 1u << field;
    return DP_OK;
}

/* $name or ${name}; c->at is behind the '$'. */
static dp_err compile_variable(compiler *c)
{
    size_t from = c->at, end;
    bool   braces = from < c->format.n && c->format.p[from] == '{';
    from += braces;
    for (end = from; end < c->format.n && is_name_byte(c->format.p[end]); end++) {}
    dp_str word = dp_str_cut(c->format, from, end);
    if (!word.n || (braces && (end == c->format.n || c->format.p[end] != '}')))
        return wrong(c, c->at - 1, "expected a variable like $request");
    c->at = end + braces;
    for (size_t i = 0; i < DP_COUNT(nginx); i++) {
        if (dp_str_eq(word, dp_str_c(nginx[i].name)))
            return add_field(c, nginx[i].field);
    }
    return add_field(c, DP_LOG_IGNORED);
}

/* The field of %{word}letter; of a plain %letter the word is empty. */
static dp_err find_directive(compiler *c, dp_str word, char letter, size_t begin, dp_log_field *field)
{
    *field = DP_LOG_IGNORED;
    for (size_t i = 0; word.n && i < DP_COUNT(apache_named); i++) {
        if (apache_named[i].letter == letter && dp_is_word(word, apache_named[i].name))
            *field = apache_named[i].field;
    }
    for (size_t i = 0; i < DP_COUNT(apache); i++) {
        if (apache[i].letter == letter && !word.n)
            *field = apache[i].field;
        if (apache[i].letter == letter)
            return DP_OK;
    }
    return letter && strchr(apache_ignored, letter) ? DP_OK : wrong(c, begin, "not an Apache directive");
}

/* %h, %>s, %{User-Agent}i, %!200,304{Referer}i, %^FB; c->at is behind the '%'. */
static dp_err compile_directive(compiler *c)
{
    size_t       begin = c->at - 1, i = c->at;
    dp_str       f = c->format, word = DP_STR("");
    dp_log_field field = DP_LOG_IGNORED;
    while (i < f.n && memchr("!<>,0123456789", f.p[i], 14))
        i++;
    if (i < f.n && f.p[i] == '{') {
        const char *close = memchr(f.p + i, '}', f.n - i);
        if (!close)
            return wrong(c, begin, "missing '}'");
        word = dp_str_cut(f, i + 1, (size_t)(close - f.p));
        i = (size_t)(close - f.p) + 1;
    }
    if (i < f.n && f.p[i] == '^') { /* ^FB ^ti ^to: two letters */
        i += 3;
        if (i > f.n)
            return wrong(c, begin, "not an Apache directive");
    } else {
        DP_TRY(find_directive(c, word, i < f.n ? f.p[i] : 0, begin, &field));
        i++;
    }
    c->at = i;
    if (field == DP_LOG_TIME) /* %t writes the brackets itself */
        DP_TRY(add_byte(c, '['));
    DP_TRY(add_field(c, field));
    return field == DP_LOG_TIME ? add_byte(c, ']') : DP_OK;
}

/* Which syntax: a variable with '$', else directives with '%'. */
static bool is_nginx(dp_str f)
{
    for (size_t i = 0; i + 1 < f.n; i++) {
        if (f.p[i] == '$' && (is_name_byte(f.p[i + 1]) || f.p[i + 1] == '{'))
            return true;
    }
    return false;
}

static dp_err compile_bytes(compiler *c, bool variables)
{
    dp_str f = c->format;
    while (c->at < f.n) {
        char byte = f.p[c->at++], next = c->at < f.n ? f.p[c->at] : 0;
        if (variables && byte == '$') {
            DP_TRY(compile_variable(c));
        } else if (!variables && byte == '%' && next != '%') {
            DP_TRY(compile_directive(c));
        } else {
            /* %% is one; in a configuration file \" and \t are written so */
            if (!variables && byte == '%')
                c->at++;
            if (byte == '\\' && (next == '"' || next == '\\' || next == '\'' || next == 't')) {
                byte = next == 't' ? '\t' : next;
                c->at++;
            }
            DP_TRY(add_byte(c, byte));
        }
    }
    c->s->after = take_literal(c);
    return DP_OK;
}

/* Where `field` begins can be told by its first byte; 0: it cannot. */
static char first_byte(dp_log_field field)
{
    switch (field) {
    case DP_LOG_URI:
    case DP_LOG_PATH: return '/';
    case DP_LOG_QUESTION:
    case DP_LOG_QUERY: return '?';
    default: return 0;
    }
}

static dp_str literal_after(const dp_logspec *s, size_t i)
{
    return i + 1 < s->n ? s->part[i + 1].before : s->after;
}

/* The last of the fields from `i` on that nothing stands between. */
static size_t last_of_chain(const dp_logspec *s, size_t i)
{
    while (i + 1 < s->n && !s->part[i + 1].before.n)
        i++;
    return i;
}

static bool ends_quoted(dp_str s)
{
    return s.n && s.p[s.n - 1] == '"';
}

static dp_err check(compiler *c)
{
    dp_logspec *s = c->s;
    bool        quoted = false;
    for (size_t i = 0; i < s->n; i++) {
        dp_str next = literal_after(s, i);
        if (!i || s->part[i].before.n)
            quoted = ends_quoted(s->part[i].before);
        s->part[i].quoted = quoted && next.n && next.p[0] == '"';
        if (i + 1 < s->n && !next.n && s->part[i].field != DP_LOG_QUESTION && !first_byte(s->part[i + 1].field))
            return dp_fail_at(c->err, DP_EINVALID, NULL, 0, 0,
                              "--log-format: nothing separates field %zu from the next", i + 1);
    }
    if (!dp_logspec_has(s, DP_LOG_REQUEST) && !dp_logspec_has(s, DP_LOG_URI) && !dp_logspec_has(s, DP_LOG_PATH))
        return dp_fail_at(c->err, DP_EINVALID, NULL, 0, 0,
                          "--log-format: no field has the requested URL: add %%r or %%U (Apache), $request, "
                          "$request_uri or $uri (nginx)");
    return DP_OK;
}

dp_err dp_logspec_compile(dp_logspec *s, dp_str format, dp_error *err)
{
    compiler c = {.s = s, .format = format, .err = err};
    s->n = s->text_n = 0;
    s->fields = 0;
    DP_TRY(compile_bytes(&c, is_nginx(format)));
    return check(&c);
}

/* ---- cutting lines --------------------------------------------------------------------------------- */

static const char *field_name(dp_log_field f)
{
    switch (f) {
    case DP_LOG_CLIENT: return "the client";
    case DP_LOG_TIME:
    case DP_LOG_TIME_ISO:
    case DP_LOG_SECONDS:
    case DP_LOG_MSECONDS:
    case DP_LOG_USECONDS: return "the time";
    case DP_LOG_REQUEST:
    case DP_LOG_URI:
    case DP_LOG_PATH: return "the request";
    case DP_LOG_STATUS: return "the status";
    case DP_LOG_SIZE: return "the size";
    case DP_LOG_HOST:
    case DP_LOG_SERVER: return "the host";
    default: return "a field";
    }
}

/* The first place at or after `at` where `text` stands; line.n when there is none. */
static size_t find_text(dp_str line, size_t at, dp_str text)
{
    while (line.n - at >= text.n) {
        const char *p = memchr(line.p + at, text.p[0], line.n - at - text.n + 1);
        if (!p)
            break;
        /* Most are of two bytes. */
        if (text.n == 1 || (p[1] == text.p[1] && (text.n == 2 || memcmp(p + 2, text.p + 2, text.n - 2) == 0)))
            return (size_t)(p - line.p);
        at = (size_t)(p - line.p) + 1;
    }
    return line.n;
}

/* The same for a text that begins with a quote: one that is not escaped. */
static size_t find_quote(dp_str line, size_t at, dp_str text)
{
    for (size_t i = at; (i = find_text(line, i, text)) < line.n; i++) {
        size_t slashes = 0;
        while (slashes < i - at && line.p[i - 1 - slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return i;
    }
    return line.n;
}

/* Whether a blank ends a field of this kind, where it is the last. */
static bool is_word(dp_log_field f)
{
    return f == DP_LOG_STATUS || f == DP_LOG_SIZE || f == DP_LOG_CLIENT || f == DP_LOG_METHOD ||
           (f >= DP_LOG_HOST && f <= DP_LOG_SCHEME);
}

/* Where the literal after field `i` stands; line.n + 1 when it does not. */
static size_t find_literal(const dp_logspec *s, size_t i, dp_str line, size_t at)
{
    dp_str next = literal_after(s, i);
    bool   is_host = s->part[i].field == DP_LOG_HOST || s->part[i].field == DP_LOG_SERVER;
    if (!next.n) {
        size_t end = line.n;
        if (is_word(s->part[i].field)) {
            for (end = at; end < line.n && line.p[end] != ' ' && line.p[end] != '\t'; end++) {}
        }
        return end;
    }
    /* Colons in the brackets of an IPv6 host end nothing. */
    if (is_host && at < line.n && line.p[at] == '[') {
        const char *close = memchr(line.p + at, ']', line.n - at);
        at = close ? (size_t)(close - line.p) : at;
    }
    size_t end = s->part[i].quoted ? find_quote(line, at, next) : find_text(line, at, next);
    return end < line.n ? end : line.n + 1;
}

/* Where field `i`, which begins at `at`, ends; line.n + 1 when what must follow does not. */
static size_t find_end(const dp_logspec *s, size_t i, dp_str line, size_t at)
{
    if (s->part[i].field == DP_LOG_QUESTION)
        return at + (at < line.n && line.p[at] == '?');
    /* Fields that follow each other at once share what they end with, and are told apart by
     * the byte that the next begins with. */
    size_t last = last_of_chain(s, i), end = find_literal(s, last, line, at);
    if (last == i || end > line.n)
        return end;
    const char *first = memchr(line.p + at, first_byte(s->part[i + 1].field), end - at);
    return first ? (size_t)(first - line.p) : end;
}

static dp_line no_literal(dp_str literal, const char *where, dp_str line, size_t at, dp_why *why)
{
    if (at >= line.n)
        return dp_bad(why, "expected %s after %s, found the end of the line", dp_quote(literal).text, where);
    return dp_bad(why, "expected %s after %s, found %s", dp_quote(literal).text, where,
                  dp_shape(dp_str_cut(line, at, line.n)).text);
}

dp_line dp_logspec_cut(const dp_logspec *s, dp_str line, dp_str value[DP_LOG_FIELDS], dp_why *why)
{
    size_t      at = 0;
    const char *last = "the start of the line";
    memset(value, 0, DP_LOG_FIELDS * sizeof *value);
    for (size_t i = 0; i < s->n; i++) {
        const dp_log_part *p = &s->part[i];
        /* The end of the field before was found by this literal, but for a field that looks for none. */
        bool look = i == 0 || s->part[i - 1].field == DP_LOG_QUESTION;
        if (look && (line.n - at < p->before.n || memcmp(line.p + at, p->before.p, p->before.n) != 0))
            return no_literal(p->before, last, line, at, why);
        at += p->before.n;
        last = field_name(p->field);
        size_t end = find_end(s, i, line, at);
        if (end > line.n)
            return no_literal(literal_after(s, i), last, line, line.n, why);
        if (!value[p->field].n || (value[p->field].n == 1 && value[p->field].p[0] == '-'))
            value[p->field] = dp_str_cut(line, at, end);
        at = end;
    }
    return DP_LINE_RECORD;
}
