/* cdxj.c - indexes of web archives: key, time and a JSON object a line.
 *
 *     org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html", "status": "200", ...}
 *
 * As pywb and Common Crawl write it, and with more words before the object, as OpenWayback does.
 * Of the object's fields `length` is the size, `redirect` the target and `uri` another name for
 * url. Lines that begin with '!' are a header's.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input/format/columns.h"
#include "input/format/jsonrecord.h"
#include "input/format/when.h"

static unsigned find_name(dp_str name)
{
    if (dp_str_eq(name, DP_STR("length")))
        return DP_FIELD_SIZE;
    return dp_str_eq(name, DP_STR("uri")) ? DP_FIELD_URL : dp_column_find(name);
}

/* What the object is about is no page. */
static bool is_no_page(const dp_record *r)
{
    return dp_str_starts(r->url, DP_STR("dns:")) || dp_str_starts(r->url, DP_STR("whois:")) ||
           dp_str_starts(r->mime, DP_STR("warc/warcinfo")) || dp_str_starts(r->url, DP_STR("urn:"));
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    if (!line.n || line.p[0] == '!')
        return DP_LINE_OTHER;
    const char *object = memmem(line.p, line.n, " {", 2);
    if (!object)
        return dp_bad(why, "expected a key, a time and a JSON object, found %s", dp_shape(line).text);
    dp_str rest = {line.p, (size_t)(object - line.p)};
    dp_str key = dp_next_field(&rest, ' '), time = dp_next_field(&rest, ' ');
    if (!key.n || (!dp_when_digits(time, &r->time) && !dp_when_iso(time, &r->time)))
        return dp_bad(why, "not a time: %s", dp_quote(time).text);
    r->has |= 1u << DP_FIELD_TIME;
    dp_str  text = dp_str_cut(line, (size_t)(object - line.p) + 1, line.n);
    dp_line kind = dp_json_record(text, state, r, find_name, why);
    return kind == DP_LINE_RECORD && is_no_page(r) ? DP_LINE_OTHER : kind;
}

const dp_record_format dp_cdxj = {.name = "cdxj",
                           .what = "a CDXJ index",
                           .sep = '}',
                           .open = dp_json_record_open,
                           .line = read_line,
                           .close = dp_json_record_close};
