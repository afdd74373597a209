/* tsv.c - lines of columns with TABs between them.
 *
 *     # url <TAB> status <TAB> bytes        the columns: by --columns, by a first line that
 *     http://a.com/x <TAB> 200 <TAB> 1234   names them, or by what they look like
 *
 * Without names it is one of: a URL after something else (`clusters`), two URLs (`pairs`),
 * a URL with status, size and sketch (`list`), or a single column of URLs among others.
 * Empty lines and further lines with '#' are passed over; columns past the last named one are
 * free.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/plural.h"
#include "input/format/columns.h"

enum { LOOK_AT = 100 /* lines */ };

typedef struct tsv {
    dp_columns columns;
    bool       begun; /* a line that is no comment has been seen */
} tsv;

/* ---- columns without names -------------------------------------------------------------------- */

/* What the first columns of all lines have in common. */
typedef struct shape {
    size_t lines, tabbed;
    size_t urls[8]; /* lines whose column i looks like a URL */
    size_t list;    /* lines that go on with status and size */
    size_t most;    /* columns */
} shape;

static bool is_number_or_unknown(dp_str s)
{
    int64_t v;
    return dp_str_eq(s, DP_STR("-")) || dp_number(s, &v);
}

static void look_at_line(shape *s, dp_str line)
{
    dp_str field[8] = {{0}};
    size_t n = 0;
    s->lines++;
    s->tabbed += memchr(line.p, '\t', line.n) != NULL;
    for (; line.n && n < DP_COUNT(field); n++) {
        field[n] = dp_next_field(&line, '\t');
        s->urls[n] += dp_looks_like_url(field[n]);
    }
    s->most = n > s->most ? n : s->most;
    s->list += n == 4 && is_number_or_unknown(field[1]) && is_number_or_unknown(field[2]);
}

/* The columns as --columns would name them; NULL when they are not clear. */
static const char *guess_columns(dp_str head)
{
    static const char *const one[] = {"url,-", "-,url", "-,-,url", "-,-,-,url", "-,-,-,-,url"};
    shape                    s = {0};
    size_t                   with_urls = 0, last = 0;
    for (dp_str line; s.lines < LOOK_AT && dp_next_line(&head, &line);) {
        if (line.n && line.p[0] != '#')
            look_at_line(&s, line);
    }
    if (!s.lines || s.tabbed * 10 < s.lines * 9)
        return NULL;
    for (size_t i = 0; i < DP_COUNT(s.urls); i++) {
        if (s.urls[i] * 10 >= s.lines * 9) {
            with_urls++;
            last = i;
        }
    }
    if (with_urls == 2 && last == 1)
        return "pairs";
    if (with_urls != 1 || last >= DP_COUNT(one))
        return NULL;
    if (last == 0 && s.list * 10 >= s.lines * 9)
        return "list";
    return last == 1 && s.most == 2 ? "clusters" : one[last];
}

/* ---- opening ----------------------------------------------------------------------------------- */

/* The first line that is no comment, or a comment that names columns. */
static bool find_header(dp_columns *c, dp_str head)
{
    for (dp_str line; dp_next_line(&head, &line);) {
        if (line.n && dp_columns_header(c, line))
            return true;
        if (line.n && line.p[0] != '#')
            return false;
    }
    return false;
}

static int recognise(dp_str head)
{
    dp_columns c;
    return find_header(&c, head) ? 1 : -1;
}

/* No names anywhere: say what is there. */
static dp_err no_columns(const dp_setup *s, dp_error *err)
{
    dp_str rest = s->head, line = DP_STR("");
    while (dp_next_line(&rest, &line) && (!line.n || line.p[0] == '#')) {}
    return dp_fail_at(err, DP_ESYNTAX, s->path, 1, 0,
                      "no column is named 'url', and none looks like a URL in %s: name the columns with --columns",
                      dp_heading(line).text);
}

/* Columns by `names`; NULL: by --columns or by content. */
static dp_err open_as(void **state, const dp_setup *s, const char *names, dp_error *err)
{
    dp_columns c;
    if (s->o->columns)
        names = s->o->columns;
    if (!names && !find_header(&c, s->head)) {
        names = guess_columns(s->head);
        if (!names && s->head.n)
            return no_columns(s, err);
        if (!names)
            names = "url";
    }
    if (names)
        DP_TRY(dp_columns_parse(&c, dp_str_c(names), err));
    tsv *t = malloc(sizeof *t);
    if (!t)
        return dp_fail_as(err, DP_ENOMEM);
    t->columns = c;
    t->begun = false;
    *state = t;
    return DP_OK;
}

static dp_err open_tsv(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, NULL, err);
}

static dp_err open_clusters(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, "clusters", err);
}

static dp_err open_list(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, "list", err);
}

static dp_err open_pairs(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, "pairs", err);
}

/* ---- lines -------------------------------------------------------------------------------------- */

/* Comments, empty lines and the header. */
static dp_line odd_line(tsv *t, dp_str line)
{
    dp_columns c;
    if (!t->begun && line.n && dp_columns_header(&c, line)) {
        t->begun = true;
        return DP_LINE_HEADER;
    }
    if (!line.n || line.p[0] == '#')
        return DP_LINE_OTHER;
    t->begun = true;
    return DP_LINE_RECORD;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    tsv   *t = state;
    dp_str rest = line;
    if (!t->begun || !line.n || line.p[0] == '#') {
        dp_line kind = odd_line(t, line);
        if (kind != DP_LINE_RECORD)
            return kind;
    }
    const char *end = line.p + line.n;
    for (size_t i = 0; i < t->columns.need; i++) {
        if (!rest.p)
            return dp_bad(why, "%zu column%s, at least %zu expected", i, dp_s(i), t->columns.need);
        const char *tab = rest.n ? memchr(rest.p, '\t', rest.n) : NULL;
        dp_str      value = {rest.p, tab ? (size_t)(tab - rest.p) : rest.n};
        rest = tab ? (dp_str){tab + 1, (size_t)(end - tab) - 1} : (dp_str){NULL, 0};
        if (t->columns.v[i] == DP_FIELD_URL) {
            r->url = value;
            continue;
        }
        if (t->columns.v[i] != DP_COLUMN_NONE && dp_column_set(r, t->columns.v[i], value, why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    if (!r->url.n || (r->url.n == 1 && r->url.p[0] == '-'))
        return dp_bad(why, "the column 'url' is empty");
    r->has |= 1u << DP_FIELD_URL;
    return DP_LINE_RECORD;
}

const dp_record_format dp_tsv = {.name = "tsv",
                          .what = "columns separated by TABs",
                          .sep = '\t',
                          .recognise = recognise,
                          .open = open_tsv,
                          .line = read_line,
                          .close = free};

/* The short names are for people; by content it is tsv that finds them. */
static int only_by_name(dp_str head)
{
    (void)head;
    return 0;
}

#define SHORT_NAME(short_name, columns, open_it)                                                              \
    {                                                                                                         \
        .name = short_name, .what = columns " separated by TABs", .sep = '\t', .recognise = only_by_name, \
        .open = open_it, .line = read_line, .close = free                                                     \
    }
const dp_record_format dp_clusters = SHORT_NAME("clusters", "cluster and URL", open_clusters);
const dp_record_format dp_list_format = SHORT_NAME("list", "URL, status, size and sketch", open_list);
const dp_record_format dp_pairs = SHORT_NAME("pairs", "URL and redirect target", open_pairs);
