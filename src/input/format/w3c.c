/* w3c.c - the W3C extended log format, as IIS and CloudFront write it.
 *
 *     #Fields: date time cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) sc-status sc-bytes
 *     2015-05-17 10:05:03 GET /a b=1 443 192.0.2.7 Mozilla/5.0+(X11) 200 5120
 *
 * Fields are named by the last #Fields line; blanks or TABs stand between them, '-' is unknown,
 * and a value may be in quotes. The host is that of x-host-header, cs-host or cs(Host), else of
 * --base-url. CloudFront writes two: x-host-header is the one that was asked for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/plural.h"
#include "input/format/columns.h"
#include "input/format/request.h"
#include "input/format/when.h"

typedef enum field {
    IGNORED,
    DATE,
    TIME,
    CLIENT,
    METHOD,
    URI,
    STEM,
    QUERY,
    PORT,
    STATUS,
    SIZE,
    HOST,
    SCHEME,
    AGENT,
    REFERER,
    MIME,
    FIELDS
} field;

static const struct {
    const char *name;
    field       field;
} names[] = {
    {"date", DATE},           {"time", TIME},           {"c-ip", CLIENT},        {"cs-method", METHOD},
    {"cs-uri", URI},          {"cs-uri-stem", STEM},    {"cs-uri-query", QUERY}, {"s-port", PORT},
    {"sc-status", STATUS},    {"sc-bytes", SIZE},       {"x-host-header", HOST}, {"cs-host", HOST},
    {"cs(Host)", HOST},       {"cs-protocol", SCHEME},  {"cs-uri-scheme", SCHEME}, {"cs(User-Agent)", AGENT},
    {"cs(Referer)", REFERER},
    {"sc-content-type", MIME}, {"sc(Content-Type)", MIME},
};

enum { COLUMNS = 128 };

typedef struct w3c {
    uint8_t   column[COLUMNS]; /* a field each */
    size_t    n;               /* 0: no #Fields yet */
    uint32_t  has;             /* 1 << field */
    size_t    asked;           /* column of x-host-header, from 1; 0: there is none */
    char      sep;
    char      date[10]; /* of the last #Date */
    bool      has_date;
    dp_origin origin;
} w3c;

static const dp_str fields_line = {"#Fields:", 8}, date_line = {"#Date:", 6};

/* ---- the lines with # ------------------------------------------------------------------------------ */

static field find_field(dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        if (dp_str_eq(name, dp_str_c(names[i].name)))
            return names[i].field;
    }
    return IGNORED;
}

static void read_fields(w3c *l, dp_str line)
{
    dp_str rest = dp_str_cut(line, fields_line.n, line.n);
    l->n = l->asked = 0;
    l->has = 0;
    while (rest.n && l->n < COLUMNS) {
        dp_str name = dp_next_field(&rest, memchr(rest.p, '\t', rest.n) ? '\t' : ' ');
        if (!name.n)
            continue;
        field f = find_field(name);
        /* Of several hosts the first is the one that was asked for; but CloudFront's cs(Host) is its own. */
        l->column[l->n++] = (uint8_t)(f == HOST && (l->has >> HOST & 1) ? IGNORED : f);
        if (dp_str_eq(name, DP_STR("x-host-header")))
            l->asked = l->n;
        l->has |= 1u << f;
    }
    l->sep = 0; /* the next line tells */
}

static void read_date(w3c *l, dp_str line)
{
    size_t i = date_line.n;
    while (i < line.n && line.p[i] == ' ')
        i++;
    l->has_date = line.n - i >= sizeof l->date;
    if (l->has_date)
        memcpy(l->date, line.p + i, sizeof l->date);
}

/* ---- opening ------------------------------------------------------------------------------------------ */

static bool find_fields(dp_str head, dp_str *line)
{
    while (dp_next_line(&head, line) && (!line->n || line->p[0] == '#')) {
        if (dp_str_starts(*line, fields_line))
            return true;
    }
    return false;
}

static int recognise(dp_str head)
{
    dp_str line;
    return find_fields(head, &line);
}

static void close_log(void *state)
{
    w3c *l = state;
    dp_origin_done(&l->origin);
    free(l);
}

static dp_err check_fields(const w3c *l, const dp_setup *s, dp_error *err)
{
    bool has_host = l->has >> HOST & 1;
    if (!(l->has >> STEM & 1) && !(l->has >> URI & 1))
        return dp_fail_at(err, DP_ESYNTAX, s->path, 0, 0,
                          "the fields cs-uri-stem and cs-uri are both missing in '#Fields:'");
    if (!has_host && !(l->has >> URI & 1) && !l->origin.base.n)
        return dp_origin_missing(s->path, err);
    return DP_OK;
}

static dp_err open_log(void **state, const dp_setup *s, dp_error *err)
{
    dp_str line;
    w3c   *l = calloc(1, sizeof *l);
    if (!l)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_origin_init(&l->origin, s->o->base_url, err);
    if (code == DP_OK && find_fields(s->head, &line)) {
        read_fields(l, line);
        code = check_fields(l, s, err);
    }
    l->n = 0; /* until the line is reached */
    if (code == DP_OK)
        *state = l;
    else
        close_log(l);
    return code;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* The next value; in quotes it may hold blanks. */
static dp_str next_value(dp_str *rest, char sep)
{
    if (rest->n && rest->p[0] == '"') {
        const char *end = memchr(rest->p + 1, '"', rest->n - 1);
        if (end && (end + 1 == rest->p + rest->n || end[1] == sep)) {
            dp_str value = {rest->p + 1, (size_t)(end - rest->p) - 1};
            *rest = dp_str_cut(*rest, value.n + 2, rest->n);
            if (rest->n)
                *rest = dp_str_cut(*rest, 1, rest->n);
            return value;
        }
    }
    return dp_next_field(rest, sep);
}

static dp_line read_values(w3c *l, dp_str line, dp_str v[FIELDS], dp_why *why)
{
    dp_str rest = line;
    memset(v, 0, FIELDS * sizeof *v);
    if (!l->sep)
        l->sep = memchr(line.p, '\t', line.n) ? '\t' : ' ';
    for (size_t i = 0; i < l->n; i++) {
        if (!rest.n)
            return dp_bad(why, "%zu field%s where '#Fields:' names %zu", i, dp_s(i), l->n);
        dp_str value = next_value(&rest, l->sep);
        dp_str  known = dp_known(value);
        uint8_t is = i + 1 == l->asked && known.n ? HOST : l->column[i];
        v[is] = known;
    }
    return DP_LINE_RECORD;
}

static dp_line read_time(const w3c *l, const dp_str *v, dp_record *r, dp_why *why)
{
    char   text[40];
    dp_str date = v[DATE].n || !l->has_date ? v[DATE] : (dp_str){l->date, sizeof l->date}, time = v[TIME];
    if (!date.n || !time.n)
        return DP_LINE_RECORD;
    if (date.n != 10 || time.n > 20)
        return dp_bad(why, "not a time: %s", dp_shape(time).text);
    memcpy(text, date.p, 10);
    text[10] = ' ';
    memcpy(text + 11, time.p, time.n);
    if (!dp_when_iso((dp_str){text, 11 + time.n}, &r->time))
        return dp_bad(why, "not a time: %s", dp_shape((dp_str){text, 11 + time.n}).text);
    r->has |= 1u << DP_FIELD_TIME;
    return DP_LINE_RECORD;
}

static dp_line read_url(w3c *l, const dp_str *v, dp_record *r, dp_why *why)
{
    dp_str  path = v[STEM].n ? v[STEM] : v[URI];
    dp_line kind;
    r->has |= 1u << DP_FIELD_URL;
    if (!v[STEM].n && dp_looks_like_url(v[URI])) {
        r->url = v[URI];
        return DP_LINE_RECORD;
    }
    if ((kind = dp_request_check(r->method, path, why)) != DP_LINE_RECORD)
        return kind;
    bool     is_scheme = dp_str_eq(v[SCHEME], DP_STR("http")) || dp_str_eq(v[SCHEME], DP_STR("https"));
    dp_place place = {is_scheme ? v[SCHEME] : DP_STR(""), v[HOST], v[PORT]};
    kind = dp_origin_join(&l->origin, &place, path, v[STEM].n ? v[QUERY] : DP_STR(""), why);
    r->url = dp_buf_view(&l->origin.url);
    return kind;
}

static dp_line read_record(w3c *l, const dp_str *v, dp_record *r, dp_why *why)
{
    const struct {
        dp_field field;
        dp_str   text;
    } plain[] = {{DP_FIELD_STATUS, v[STATUS]},
                 {DP_FIELD_SIZE, v[SIZE]},
                 {DP_FIELD_CLIENT, v[CLIENT]},
                 {DP_FIELD_AGENT, v[AGENT]},
                 {DP_FIELD_MIME, v[MIME]}};
    for (size_t i = 0; i < DP_COUNT(plain); i++) {
        if (dp_column_set(r, plain[i].field, plain[i].text, why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    if (!dp_str_eq(v[METHOD], DP_STR("GET")))
        r->method = v[METHOD];
    r->referer = v[REFERER];
    dp_line kind = read_time(l, v, r, why);
    return kind == DP_LINE_RECORD ? read_url(l, v, r, why) : kind;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    w3c   *l = state;
    dp_str v[FIELDS];
    if (!line.n)
        return DP_LINE_OTHER;
    if (line.p[0] == '#') {
        if (dp_str_starts(line, date_line))
            read_date(l, line);
        if (!dp_str_starts(line, fields_line))
            return DP_LINE_OTHER;
        read_fields(l, line);
        return DP_LINE_HEADER;
    }
    if (!l->n)
        return dp_bad(why, "no '#Fields:' line before it");
    dp_line kind = read_values(l, line, v, why);
    return kind == DP_LINE_RECORD ? read_record(l, v, r, why) : kind;
}

static char separator(const void *state)
{
    const w3c *l = state;
    return l->sep ? l->sep : ' ';
}

const dp_record_format dp_w3c = {.name = "w3c",
                          .what = "a W3C extended log (IIS)",
                          .sep = ' ',
                          .recognise = recognise,
                          .open = open_log,
                          .line = read_line,
                          .close = close_log,
                          .separator = separator};
