/* csv.c - lines of columns with commas between them (RFC 4180), under a line that names them.
 *
 *     Address,Status Code,Hash,Canonical Link Element 1,Redirect URL     the names of --columns, or those that crawlers
 *     "http://a.com/x?a=1,2",200,9b7...,http://a.com/x,                  for site owners write (`spoken` below)
 *
 * A value in quotes may hold commas, quotes written twice, and line ends: such a line is held until its end comes.
 * Names are compared without case; columns of other names do not matter.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/plural.h"
#include "base/words/case.h"
#include "input/format/columns.h"

enum { MOST_HELD = 1 << 20 /* bytes of a record over several lines */ };

typedef struct csv {
    dp_columns columns;
    bool       begun;       /* the header was read */
    bool       has_columns; /* by --columns: there need not be a header */
    dp_buf     held;        /* the lines so far of a record over several lines */
    bool       is_open;     /* it goes on in the next line; else what is held was given out */
    dp_buf     text;        /* values of the last record that were in quotes */
} csv;

/* What Screaming Frog and Sitebulb call the fields in their exports of all pages. */
static const struct {
    const char *name;
    uint8_t     column;
} spoken[] = {
    {"address", DP_FIELD_URL},
    {"status code", DP_FIELD_STATUS},
    {"http status code", DP_FIELD_STATUS},
    {"size (bytes)", DP_FIELD_SIZE},
    {"hash", DP_FIELD_DIGEST},
    {"html hash", DP_FIELD_DIGEST},
    {"canonical link element 1", DP_FIELD_CANONICAL},
    {"canonical url", DP_FIELD_CANONICAL},
    {"redirect url", DP_FIELD_TARGET},
    {"title 1", DP_FIELD_TITLE},
    {"content type", DP_FIELD_MIME},
    {"inlinks", DP_FIELD_INLINKS},
    {"unique inlinks", DP_COLUMN_NONE}, /* of the two the one that counts all */
    {"crawl depth", DP_FIELD_HOPS},
};

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* Whether the text has an odd number of quotes: it begins or ends a value that has several lines. */
static bool turns(dp_str text)
{
    size_t quotes = 0;
    for (size_t i = 0; i < text.n; i++)
        quotes += text.p[i] == '"';
    return quotes % 2;
}

/* Cut the next value off `rest`, whose p is NULL behind the last. What was in quotes is put into `text`, which has room
 * for all of it; where that is NULL, quotes that are written twice stay so. */
static dp_str next_value(dp_str *rest, dp_buf *text)
{
    const char *p = rest->p, *end = p + rest->n;
    dp_str      value = {p, 0};
    if (p < end && *p == '"') {
        value.p = text ? text->p + text->n : p + 1;
        for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            if (text)
                dp_buf_byte(text, *p);
            p += *p == '"';
        }
        value.n = (size_t)((text ? text->p + text->n : p) - value.p);
        p += p < end;
    }
    while (p < end && *p != ',') {
        value.n += value.p + value.n == p; /* what stands behind closing quotes is passed over */
        p++;
    }
    *rest = p < end ? (dp_str){p + 1, (size_t)(end - p) - 1} : (dp_str){NULL, 0};
    return value;
}

static bool make_room(csv *c, dp_str text)
{
    dp_buf_reset(&c->text);
    return dp_buf_room(&c->text, text.n + 1);
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

/* The field of a column; *is_ours: by one of our own names. */
static uint8_t find_column(dp_str name, bool *is_ours)
{
    char     small[32];
    size_t   n = name.n < sizeof small ? name.n : 0;
    unsigned column;
    for (size_t i = 0; i < n; i++)
        small[i] = dp_lower(name.p[i]);
    column = dp_column_find((dp_str){small, n});
    *is_ours = column != DP_COLUMN_NONE;
    for (size_t i = 0; i < DP_COUNT(spoken) && column == DP_COLUMN_NONE; i++) {
        if (dp_str_eq(dp_str_c(spoken[i].name), (dp_str){small, n}))
            column = spoken[i].column;
    }
    return (uint8_t)column;
}

/* Two columns of one field, such as "Status Code" and "Status" (200, OK): what only an export calls so has the say,
 * whatever stands under our own name for it. */
static void drop_twin(dp_columns *found, bool *is_ours)
{
    size_t last = found->n - 1;
    for (size_t i = 0; i < last; i++) {
        if (found->v[i] == found->v[last] && is_ours[i] != is_ours[last])
            found->v[is_ours[i] ? i : last] = DP_COLUMN_NONE;
    }
}

/* The columns that a line names; false when none of them is the URL. */
static bool read_header(dp_columns *out, dp_str line)
{
    dp_columns found = {0};
    bool       has_url = false, is_ours[DP_COLUMNS_MAX];
    if (line.n >= 3 && memcmp(line.p, "\xEF\xBB\xBF", 3) == 0)
        line = dp_str_cut(line, 3, line.n);
    if (!memchr(line.p, ',', line.n))
        return false;
    for (dp_str rest = line; rest.p && found.n < DP_COLUMNS_MAX;) {
        uint8_t column = find_column(next_value(&rest, NULL), &is_ours[found.n]);
        has_url |= column == DP_FIELD_URL;
        found.v[found.n++] = column;
        if (column != DP_COLUMN_NONE)
            drop_twin(&found, is_ours);
        if (found.v[found.n - 1] != DP_COLUMN_NONE)
            found.need = found.n;
    }
    *out = found;
    return has_url;
}

static void close_csv(void *state)
{
    csv *c = state;
    dp_buf_done(&c->held);
    dp_buf_done(&c->text);
    free(c);
}

/* The first line that is not empty; n == 0: none. */
static dp_str first_line(dp_str head)
{
    dp_str line = {0};
    while (dp_next_line(&head, &line) && !line.n) {}
    return line;
}

static int recognise(dp_str head)
{
    dp_columns c;
    dp_str     line = first_line(head);
    return line.n && read_header(&c, line);
}

static dp_err open_csv(void **state, const dp_setup *s, dp_error *err)
{
    csv *c = calloc(1, sizeof *c);
    if (!c)
        return dp_fail_as(err, DP_ENOMEM);
    dp_str line = first_line(s->head);
    dp_err code = DP_OK;
    c->has_columns = s->o->columns;
    if (s->o->columns)
        code = dp_columns_parse(&c->columns, dp_str_c(s->o->columns), err);
    else if (line.n && !read_header(&c->columns, line))
        code = dp_fail_at(err, DP_ESYNTAX, s->path, 1, 0,
                          "no column is named 'url' or 'Address' in %s: name the columns with --columns",
                          dp_heading(line).text);
    if (code == DP_OK)
        *state = c;
    else
        close_csv(c);
    return code;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static dp_line read_record(csv *c, dp_str text, dp_record *r, dp_why *why)
{
    dp_str rest = text;
    if (!make_room(c, text))
        return DP_LINE_NOMEM;
    for (size_t i = 0; i < c->columns.need; i++) {
        if (!rest.p)
            return dp_bad(why, "%zu column%s, at least %zu expected", i, dp_s(i), c->columns.need);
        dp_str value = next_value(&rest, &c->text);
        if (c->columns.v[i] == DP_FIELD_URL)
            r->url = value;
        else if (c->columns.v[i] != DP_COLUMN_NONE && dp_column_set(r, c->columns.v[i], value, why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    if (!dp_is_known(r->url))
        return dp_bad(why, "the column of the URL is empty");
    r->has |= 1u << DP_FIELD_URL;
    return DP_LINE_RECORD;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    csv *c = state;
    bool turn = turns(line);
    if (!line.n && !c->is_open)
        return DP_LINE_OTHER;
    if (c->is_open || turn) {
        if (c->is_open)
            dp_buf_byte(&c->held, '\n');
        else
            dp_buf_reset(&c->held);
        dp_buf_str(&c->held, line);
        if (c->held.failed)
            return DP_LINE_NOMEM;
        c->is_open ^= turn;
        line = dp_buf_view(&c->held);
        if (c->is_open && line.n <= MOST_HELD)
            return DP_LINE_OTHER;
        if (c->is_open) {
            c->is_open = false;
            return dp_bad(why, "a value in quotes has no end within %d bytes", MOST_HELD);
        }
    }
    if (!c->begun) {
        c->begun = true;
        if (!c->has_columns || recognise(line))
            return DP_LINE_HEADER;
    }
    return read_record(c, line, r, why);
}

static const char *unfinished(const void *state)
{
    const csv *c = state;
    return c->is_open ? "a value in quotes has no end; the lines from where it begins are not read" : NULL;
}

const dp_record_format dp_csv = {.name = "csv",
                          .what = "columns separated by commas, under their names",
                          .recognise = recognise,
                          .open = open_csv,
                          .line = read_line,
                          .unfinished = unfinished,
                          .close = close_csv};
