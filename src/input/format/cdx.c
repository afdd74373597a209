/* cdx.c - indexes of web archives: a line a capture, blanks between the fields.
 *
 *      CDX N b a m s k r M S V g                          the header names the fields by letters
 *     org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSAPWJ2... - - 2258 334 iana.warc.gz
 *
 * Letters as in "CDX and DAT Legend" (archive.org): a original URL, b time, m MIME type, s
 * status, k new checksum (c the old one), r redirect, n document length (S, of the compressed record,
 * where there is none), t title, e client. Without a header the fields are told by their number:
 * the classics of 11, 10, 9 and 8 (the last in its Heritrix and its NetarchiveSuite
 * shape), and the 7 of a CDX server.
 *
 * Lines of dns:, filedesc:, warcinfo and the like are no pages and passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/plural.h"
#include "input/format/columns.h"
#include "input/format/when.h"

enum { COLUMNS = 64, OTHER = DP_COLUMN_NONE, COMPRESSED_SIZE = DP_COLUMN_NONE + 1, OLD_DIGEST, KEY_URL };

typedef struct cdx {
    uint8_t column[COLUMNS];
    size_t  n;
    char    sep;
    bool    has_header;
} cdx;

static const struct {
    char    letter;
    uint8_t column;
} letters[] = {
    {'a', DP_FIELD_URL},    {'b', DP_FIELD_TIME},   {'m', DP_FIELD_MIME},   {'s', DP_FIELD_STATUS},
    {'k', DP_FIELD_DIGEST}, {'r', DP_FIELD_TARGET}, {'n', DP_FIELD_SIZE},   {'t', DP_FIELD_TITLE},
    {'c', OLD_DIGEST},      {'A', KEY_URL},         {'S', COMPRESSED_SIZE},
};

/* Those without a header; the time is at the place of its 'b'. */
static const char *const classics[] = {
    "N b a m s k r M S V g", "N b a m s k r M V g", "N b a m s k r V g", "N b a m s k V g",
    "a e b m n g v c",       "N b a m s k S",
};

/* ---- fields by letters -------------------------------------------------------------------------------- */

static uint8_t find_letter(dp_str name)
{
    for (size_t i = 0; name.n == 1 && i < DP_COUNT(letters); i++) {
        if (letters[i].letter == name.p[0])
            return letters[i].column;
    }
    return OTHER;
}

/* `from` does the work of `to` where that is missing. */
static void stand_in(cdx *c, uint8_t from, uint8_t to)
{
    if (memchr(c->column, to, c->n))
        return;
    for (size_t i = 0; i < c->n; i++) {
        if (c->column[i] == from)
            c->column[i] = to;
    }
}

static void read_letters(cdx *c, dp_str rest)
{
    for (c->n = 0; rest.n && c->n < COLUMNS;)
        c->column[c->n++] = find_letter(dp_next_field(&rest, c->sep));
    stand_in(c, KEY_URL, DP_FIELD_URL);
    stand_in(c, OLD_DIGEST, DP_FIELD_DIGEST);
    stand_in(c, COMPRESSED_SIZE, DP_FIELD_SIZE);
    for (size_t i = 0; i < c->n; i++) {
        if (c->column[i] > OTHER)
            c->column[i] = OTHER;
    }
}

static bool has_url(const cdx *c)
{
    return memchr(c->column, DP_FIELD_URL, c->n) != NULL;
}

/* " CDX N b a": the first byte is what stands between the fields. */
static bool is_header(dp_str line)
{
    return line.n > 5 && memcmp(line.p + 1, "CDX", 3) == 0 && line.p[4] == line.p[0];
}

static void read_header(cdx *c, dp_str line)
{
    c->sep = line.p[0];
    c->has_header = true;
    read_letters(c, dp_str_cut(line, 5, line.n));
}

/* ---- fields by number --------------------------------------------------------------------------------- */

static bool is_digits(dp_str s)
{
    int64_t v;
    return (s.n == 14 || s.n == 17) && dp_number(s, &v);
}

static bool is_like(dp_str line, const char *classic)
{
    dp_str want = dp_str_c(classic);
    while (line.n && want.n) {
        dp_str value = dp_next_field(&line, ' '), letter = dp_next_field(&want, ' ');
        if (letter.p[0] == 'b' && !is_digits(value))
            return false;
    }
    return !line.n && !want.n;
}

static bool find_classic(cdx *c, dp_str line)
{
    for (size_t i = 0; i < DP_COUNT(classics); i++) {
        if (is_like(line, classics[i])) {
            c->sep = ' ';
            read_letters(c, dp_str_c(classics[i]));
            return true;
        }
    }
    return false;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int recognise(dp_str head)
{
    dp_str line = DP_STR("");
    cdx    c;
    while (dp_next_line(&head, &line) && !line.n) {}
    if (is_header(line))
        return 1;
    return find_classic(&c, line) ? -1 : 0;
}

static dp_err open_index(void **state, const dp_setup *s, dp_error *err)
{
    cdx   *c = calloc(1, sizeof *c);
    dp_str head = s->head, line = DP_STR("");
    if (!c)
        return dp_fail_as(err, DP_ENOMEM);
    while (dp_next_line(&head, &line) && !line.n) {}
    if (is_header(line)) {
        read_header(c, line);
        if (!has_url(c)) {
            free(c);
            return dp_fail_at(err, DP_ESYNTAX, s->path, 1, 0,
                              "the header has no column for the original URL (letter a): %s", dp_quote(line).text);
        }
    }
    *state = c;
    return DP_OK;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* What crawlers write beside pages. */
static bool is_no_page(const dp_record *r)
{
    static const char *const schemes[] = {"dns:", "filedesc:", "warcinfo:", "whois:", "urn:", "metadata:"};
    for (size_t i = 0; i < DP_COUNT(schemes); i++) {
        if (dp_str_starts(r->url, dp_str_c(schemes[i])))
            return true;
    }
    return dp_str_starts(r->mime, DP_STR("warc/warcinfo")) || dp_str_starts(r->mime, DP_STR("arc/filedesc"));
}

/* A value that is not what its field wants is unknown: indexes are full of them. */
static void set_value(dp_record *r, uint8_t column, dp_str value)
{
    if (column == DP_FIELD_TIME && is_digits(value)) {
        if (dp_when_digits(value, &r->time))
            r->has |= 1u << DP_FIELD_TIME;
        return;
    }
    dp_column_set(r, column, value, NULL);
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    cdx *c = state;
    if (!line.n)
        return DP_LINE_OTHER;
    if (is_header(line)) {
        read_header(c, line);
        return DP_LINE_HEADER;
    }
    if (!c->has_header && !find_classic(c, line))
        return dp_bad(why, "no header, and not a known layout: %s", dp_stray(line).text);
    dp_str rest = line;
    for (size_t i = 0; i < c->n; i++) {
        if (!rest.n)
            return dp_bad(why, "%zu field%s, %zu expected", i, dp_s(i), c->n);
        dp_str value = dp_next_field(&rest, c->sep);
        if (c->column[i] != OTHER)
            set_value(r, c->column[i], value);
    }
    if (rest.n)
        return dp_bad(why, "more than %zu fields: %s is one too many", c->n, dp_shape(rest).text);
    if (is_no_page(r))
        return DP_LINE_OTHER;
    if (!dp_record_has(r, DP_FIELD_URL))
        return dp_bad(why, "the original URL is missing");
    return DP_LINE_RECORD;
}

static char separator(const void *state)
{
    const cdx *c = state;
    return c->sep ? c->sep : ' ';
}

const dp_record_format dp_cdx = {.name = "cdx",
                          .what = "a CDX index",
                          .sep = ' ',
                          .recognise = recognise,
                          .open = open_index,
                          .line = read_line,
                          .close = free,
                          .separator = separator};
