/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/words/suggest.h"
#include "input/format/when.h"
#include "url/chars.h"

static const struct {
    dp_str  name;
    uint8_t column;
} names[] = {
#define NAME(text, column) {{text, sizeof(text) - 1}, column}
    NAME("url", DP_FIELD_URL),
    NAME("cluster", DP_FIELD_CLUSTER),
    NAME("status", DP_FIELD_STATUS),
    NAME("size", DP_FIELD_SIZE),
    NAME("digest", DP_FIELD_DIGEST),
    NAME("sketch", DP_FIELD_SKETCH),
    NAME("simhash", DP_FIELD_SIMHASH),
    NAME("title", DP_FIELD_TITLE),
    NAME("importance", DP_FIELD_IMPORTANCE),
    NAME("target", DP_FIELD_TARGET),
    NAME("canonical", DP_FIELD_CANONICAL),
    NAME("time", DP_FIELD_TIME),
    NAME("inlinks", DP_FIELD_INLINKS),
    NAME("hops", DP_FIELD_HOPS),
    NAME("mime", DP_FIELD_MIME),
    NAME("client", DP_FIELD_CLIENT),
    NAME("agent", DP_FIELD_AGENT),
    NAME("hits", DP_FIELD_HITS),
    NAME("bytes", DP_FIELD_SIZE),
    NAME("sha1", DP_FIELD_DIGEST),
    NAME("redirect", DP_FIELD_TARGET),
    NAME("mh1", DP_COLUMN_MH),
    NAME("mh2", DP_COLUMN_MH + 1),
    NAME("mh3", DP_COLUMN_MH + 2),
    NAME("mh4", DP_COLUMN_MH + 3),
    NAME("-", DP_COLUMN_NONE),
#undef NAME
};

static const char all_names[] = "url cluster status size digest sketch simhash title importance target canonical "
                                "time inlinks hops mime client agent hits - clusters list pairs";

static const struct {
    const char *name, *means;
} short_names[] = {{"clusters", "cluster,url"}, {"list", "url,status,size,sketch"}, {"pairs", "url,target"}};

static bool find_name(dp_str name, uint8_t *column)
{
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        if (name.n == names[i].name.n && name.p[0] == names[i].name.p[0] && dp_str_eq(names[i].name, name)) {
            *column = names[i].column;
            return true;
        }
    }
    return false;
}

unsigned dp_column_find(dp_str name)
{
    uint8_t column;
    return find_name(name, &column) ? column : DP_COLUMN_NONE;
}

/* ---- names ----------------------------------------------------------------------------------- */

static dp_str trim(dp_str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '#'))
        s = dp_str_cut(s, 1, s.n);
    while (s.n && s.p[s.n - 1] == ' ')
        s.n--;
    return s;
}

static bool add(dp_columns *c, uint8_t column)
{
    if (c->n == DP_COLUMNS_MAX)
        return false;
    c->v[c->n++] = column;
    if (column != DP_COLUMN_NONE)
        c->need = c->n;
    return true;
}

static bool has_url(const dp_columns *c)
{
    return memchr(c->v, DP_FIELD_URL, c->n) != NULL;
}

static dp_err unknown_name(dp_str name, dp_error *err)
{
    dp_quoted quoted = dp_quote(name);
    dp_str    near = dp_suggest(name, all_names);
    if (near.n)
        return dp_fail(err, DP_EINVALID, "unknown column %s (did you mean '%.*s'?)", quoted.text, DP_FMT(near));
    return dp_fail(err, DP_EINVALID, "unknown column %s: choose from %s", quoted.text, all_names);
}

dp_err dp_columns_parse(dp_columns *c, dp_str text, dp_error *err)
{
    *c = (dp_columns){.n = 0};
    for (size_t i = 0; i < DP_COUNT(short_names); i++) {
        if (dp_str_eq(text, dp_str_c(short_names[i].name)))
            text = dp_str_c(short_names[i].means);
    }
    for (dp_str rest = text; rest.n;) {
        dp_str  name = trim(dp_next_field(&rest, ','));
        uint8_t column;
        if (!find_name(name, &column))
            return unknown_name(name, err);
        if (!add(c, column))
            return dp_fail(err, DP_ELIMIT, "more than %d columns", DP_COLUMNS_MAX);
    }
    if (!has_url(c))
        return dp_fail(err, DP_EINVALID, "the columns '%.*s' do not include 'url'", DP_FMT(text));
    return DP_OK;
}

bool dp_columns_header(dp_columns *c, dp_str line)
{
    *c = (dp_columns){.n = 0};
    if (line.n && line.p[0] == '#')
        line = trim(line);
    for (dp_str rest = line; rest.n;) {
        uint8_t column = DP_COLUMN_NONE;
        find_name(trim(dp_next_field(&rest, '\t')), &column);
        if (!add(c, column))
            break;
    }
    return has_url(c);
}

/* ---- values ---------------------------------------------------------------------------------- */

bool dp_number(dp_str s, int64_t *out)
{
    int64_t v = 0;
    if (!s.n || s.n > 18)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        v = v * 10 + (s.p[i] - '0');
    }
    *out = v;
    return true;
}

/* 1 to 16 hex digits. */
static bool hex_number(dp_str s, uint64_t *out)
{
    uint64_t v = 0;
    if (!s.n || s.n > 16)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!dp_is(s.p[i], DP_CH_HEX))
            return false;
        v = v << 4 | (unsigned)dp_hex(s.p[i]);
    }
    *out = v;
    return true;
}

/* "0.25", "3", "1e-4": without strtod, which asks the locale what a point is. */
static bool real_number(dp_str s, double *out)
{
    double  v = 0;
    int     scale = 0, digits = 0;
    size_t  i = 0;
    int64_t e = 0;
    bool    point = false, negative = s.n && s.p[0] == '-';
    for (i = negative; i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] == '.' && !point)); i++) {
        if (s.p[i] == '.') {
            point = true;
            continue;
        }
        v = v * 10 + (s.p[i] - '0');
        scale -= point;
        digits++;
    }
    if (i < s.n && (s.p[i] | 32) == 'e') {
        bool minus = i + 1 < s.n && s.p[i + 1] == '-';
        i += minus || (i + 1 < s.n && s.p[i + 1] == '+') ? 2 : 1;
        if (!dp_number(dp_str_cut(s, i, s.n), &e) || e > 400)
            return false;
        scale += (int)(minus ? -e : e);
        i = s.n;
    }
    if (!digits || i != s.n || digits > 300)
        return false;
    *out = (negative ? -v : v) * pow(10, scale);
    return isfinite(*out);
}

/* Four numbers of 16 digits joined by commas, or any token, whose hash stands for them. */
static void set_sketch(dp_record *r, dp_str value)
{
    dp_str rest = value;
    size_t n = 0;
    for (; n < 4 && rest.n >= 16 && hex_number(dp_str_cut(rest, 0, 16), &r->sketch.min[n]); n++) {
        rest = dp_str_cut(rest, 16, rest.n);
        if (n < 3 && !(rest.n && rest.p[0] == ','))
            break;
        if (n < 3)
            rest = dp_str_cut(rest, 1, rest.n);
    }
    r->has |= 1u << DP_FIELD_SKETCH;
    if (n == 4 && !rest.n)
        return;
    dp_hash128 h = dp_hash128_of(value);
    r->sketch = (dp_sketch){{h.lo, h.hi, ~h.lo, ~h.hi}, value};
}

/* One of four columns. */
static dp_line set_min(dp_record *r, size_t i, dp_str value, dp_why *why)
{
    if (!hex_number(value, &r->sketch.min[i]))
        return dp_bad(why, "mh%zu: expected 16 hex digits, found %s", i + 1, dp_quote(value).text);
    r->has |= 1u << DP_FIELD_SKETCH;
    return DP_LINE_RECORD;
}

/* What a digest is compared by: without "sha1:", which some tools write and some do not. */
static dp_str digest_text(dp_str digest)
{
    bool prefix = digest.n > 5 && dp_str_starts_but_case(digest, DP_STR("sha1:"));
    return prefix ? dp_str_cut(digest, 5, digest.n) : digest;
}

/* Where the field's text goes; NULL when it is a number. */
static dp_str *text_of(dp_record *r, unsigned column)
{
    switch (column) {
    case DP_FIELD_URL: return &r->url;
    case DP_FIELD_CLUSTER: return &r->cluster;
    case DP_FIELD_DIGEST: return &r->digest;
    case DP_FIELD_TITLE: return &r->title;
    case DP_FIELD_TARGET: return &r->target;
    case DP_FIELD_CANONICAL: return &r->canonical;
    case DP_FIELD_MIME: return &r->mime;
    case DP_FIELD_CLIENT: return &r->client;
    case DP_FIELD_AGENT: return &r->agent;
    default: return NULL;
    }
}

static bool set_number(dp_record *r, unsigned column, dp_str value)
{
    int64_t v;
    switch (column) {
    case DP_FIELD_STATUS:
        if (!dp_number(value, &v) || v > 999)
            return false;
        r->status = (uint16_t)v;
        return true;
    case DP_FIELD_SIZE: return dp_number(value, &r->size);
    case DP_FIELD_INLINKS: return dp_number(value, &r->inlinks);
    case DP_FIELD_HOPS: return dp_number(value, &r->hops);
    case DP_FIELD_HITS: return dp_number(value, &r->hits);
    case DP_FIELD_TIME: return dp_when(value, &r->time);
    case DP_FIELD_SIMHASH: return hex_number(value, &r->simhash);
    case DP_FIELD_IMPORTANCE: return real_number(value, &r->importance);
    default: return false;
    }
}

static const char *wanted(unsigned column)
{
    switch (column) {
    case DP_FIELD_STATUS: return "a number up to 999";
    case DP_FIELD_TIME: return "seconds since 1970, 14 digits or 2015-05-17T10:05:03Z";
    case DP_FIELD_SIMHASH: return "16 hex digits";
    default: return "a number";
    }
}

dp_line dp_column_set(dp_record *r, unsigned column, dp_str value, dp_why *why)
{
    if (!value.n || (value.n == 1 && value.p[0] == '-') || column == DP_COLUMN_NONE)
        return DP_LINE_RECORD;
    dp_str *text = text_of(r, column);
    if (text)
        *text = column == DP_FIELD_DIGEST ? digest_text(value) : value;
    else if (column == DP_FIELD_SKETCH)
        set_sketch(r, value);
    else if (column >= DP_COLUMN_MH)
        return set_min(r, column - DP_COLUMN_MH, value, why);
    else if (!set_number(r, column, value))
        return dp_bad(why, "%s: expected %s, found %s", names[column].name.p, wanted(column), dp_quote(value).text);
    r->has |= 1u << column;
    return DP_LINE_RECORD;
}
