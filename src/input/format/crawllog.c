/* crawllog.c - Heritrix's crawl.log: a line a fetch, runs of blanks between the columns.
 *
 *     2007-12-27T12:51:29.000Z  302  301 http://a.dk/robots.txt P http://a.dk/ text/html #013 ... sha1:ESVJLA2F... - -
 *     time                   status size url            discovery via     type thread start digest seed annotations
 *
 * The hops are the letters of the discovery path. A status below 100 is none of HTTP's: the
 * fetch failed, and the record's status is 0. Lines of dns: are passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/plural.h"
#include "input/format/columns.h"
#include "input/format/when.h"

enum { TIME, STATUS, SIZE, URL, PATH, VIA, MIME, THREAD, START, DIGEST, COLUMNS };

static dp_str next_word(dp_str *rest)
{
    while (rest->n && rest->p[0] == ' ')
        *rest = dp_str_cut(*rest, 1, rest->n);
    return dp_next_field(rest, ' ');
}

static dp_line read_status(dp_record *r, dp_str text, dp_why *why)
{
    int64_t v;
    bool    negative = text.n && text.p[0] == '-';
    if (!dp_number(negative ? dp_str_cut(text, 1, text.n) : text, &v) || v > 99999)
        return dp_bad(why, "not a fetch status: %s", dp_shape(text).text);
    r->status = (uint16_t)(negative || v < 100 || v > 999 ? 0 : v);
    r->has |= 1u << DP_FIELD_STATUS;
    return DP_LINE_RECORD;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    (void)state;
    dp_str v[COLUMNS], rest = line;
    if (!line.n)
        return DP_LINE_OTHER;
    for (size_t i = 0; i < COLUMNS; i++) {
        v[i] = next_word(&rest);
        if (!v[i].n)
            return dp_bad(why, "%zu column%s, %d expected", i, dp_s(i), COLUMNS);
    }
    if (!dp_when_iso(v[TIME], &r->time) && !dp_when_digits(v[TIME], &r->time))
        return dp_bad(why, "not a time: %s", dp_shape(v[TIME]).text);
    r->has |= 1u << DP_FIELD_TIME;
    dp_line kind = read_status(r, v[STATUS], why);
    if (kind == DP_LINE_RECORD)
        kind = dp_column_set(r, DP_FIELD_SIZE, v[SIZE], why);
    if (kind != DP_LINE_RECORD)
        return kind;
    if (dp_str_starts(v[URL], DP_STR("dns:")) || dp_str_starts(v[URL], DP_STR("whois:")))
        return DP_LINE_OTHER;
    dp_column_set(r, DP_FIELD_URL, v[URL], NULL);
    dp_column_set(r, DP_FIELD_DIGEST, v[DIGEST], NULL);
    if (!dp_str_eq(v[MIME], DP_STR("no-type")) && !dp_str_eq(v[MIME], DP_STR("unknown")))
        dp_column_set(r, DP_FIELD_MIME, v[MIME], NULL);
    r->hops = dp_str_eq(v[PATH], DP_STR("-")) ? 0 : (int64_t)v[PATH].n;
    r->has |= 1u << DP_FIELD_HOPS;
    return dp_record_has(r, DP_FIELD_URL) ? DP_LINE_RECORD : dp_bad(why, "the URL is missing");
}

const dp_record_format dp_crawllog = {
    .name = "crawllog", .what = "a crawl.log of Heritrix", .sep = ' ', .line = read_line};
