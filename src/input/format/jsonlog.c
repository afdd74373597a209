/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/jsonlog.h"

#include "base/words/case.h"
#include "input/format/columns.h"
#include "input/format/jsonscan.h"
#include "input/format/when.h"

typedef enum name {
    NONE,
    REQUEST,
    HEADERS,
    METHOD,
    REQUEST_URI,
    URI,
    ARGS,
    HOST,
    HTTP_HOST,
    SERVER_NAME,
    SCHEME,
    STATUS,
    SIZE,
    AGENT,
    REFERER,
    TARGET,
    ETAG,
    MIME,
    CLIENT,
    TIME,
    NAMES
} name;

static const struct {
    const char *text;
    name        is;
} names[] = {
    {"request", REQUEST},
    {"method", METHOD},
    {"request_method", METHOD},
    {"request_uri", REQUEST_URI},
    {"uri", URI},
    {"document_uri", URI},
    {"args", ARGS},
    {"query_string", ARGS},
    {"host", HOST},
    {"http_host", HTTP_HOST},
    {"server_name", SERVER_NAME},
    {"scheme", SCHEME},
    {"status", STATUS},
    {"size", SIZE},
    {"body_bytes_sent", SIZE},
    {"bytes_sent", SIZE},
    {"http_user_agent", AGENT},
    {"user_agent", AGENT},
    {"remote_addr", CLIENT},
    {"remote_ip", CLIENT},
    {"ts", TIME},
    {"time", TIME},
    {"time_iso8601", TIME},
    {"time_local", TIME},
    {"msec", TIME},
    {"http_referer", REFERER},
    {"sent_http_location", TARGET},
    {"sent_http_etag", ETAG},
    {"sent_http_content_type", MIME},
    {"headers", HEADERS},
    {"resp_headers", HEADERS},
};

/* Caddy's headers: of each a list of values. */
static const struct {
    const char *text;
    name        is;
} headers[] = {
    {"user-agent", AGENT}, {"referer", REFERER}, {"location", TARGET}, {"etag", ETAG}, {"content-type", MIME},
};

/* What was found; of several of one kind the first. */
typedef struct found {
    dp_str text[NAMES];
    bool   tls;
} found;

static name find_header(dp_str text)
{
    for (size_t i = 0; i < DP_COUNT(headers); i++) {
        if (dp_is_word(text, headers[i].text))
            return headers[i].is;
    }
    return NONE;
}

static name find_name(dp_str text)
{
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        if (dp_str_eq(text, dp_str_c(names[i].text)))
            return names[i].is;
    }
    return NONE;
}

/* The first value of each header; "[REDACTED]" is none. */
static bool read_headers(found *f, const dp_json_value *object, dp_buf *buf)
{
    dp_jsonscan   s, list;
    dp_json_value key, value, first;
    if (!dp_jsonscan_init(&s, object->raw))
        return false;
    while (dp_jsonscan_next(&s, &key, &value)) {
        name is = find_header(dp_jsonscan_text(&key, buf));
        if (is == NONE || f->text[is].n || value.kind != DP_JSON_ARRAY)
            continue;
        dp_jsonscan_init_array(&list, &value);
        if (dp_jsonscan_next_item(&list, &first) && first.kind == DP_JSON_TEXT)
            f->text[is] = dp_jsonscan_text(&first, buf);
    }
    return !s.why;
}

/* Read one object into `f`; within "request" also those of Caddy's. */
static bool read_object(found *f, dp_jsonscan *s, dp_buf *buf, bool inner)
{
    dp_json_value key, value;
    while (dp_jsonscan_next(s, &key, &value)) {
        dp_str      text = dp_jsonscan_text(&key, buf);
        name        is = find_name(text);
        dp_jsonscan deeper;
        f->tls |= inner && value.kind == DP_JSON_OBJECT && dp_str_eq(text, DP_STR("tls"));
        if (is == HEADERS) {
            if (value.kind == DP_JSON_OBJECT && !read_headers(f, &value, buf))
                return false;
        } else if (is == REQUEST && value.kind == DP_JSON_OBJECT && !inner) {
            if (!dp_jsonscan_init(&deeper, value.raw) || !read_object(f, &deeper, buf, true))
                return false;
        } else if (is != NONE && !f->text[is].n && (value.kind == DP_JSON_TEXT || value.kind == DP_JSON_NUMBER)) {
            f->text[is] = value.kind == DP_JSON_TEXT ? dp_jsonscan_text(&value, buf) : value.raw;
        }
    }
    return !s->why;
}

/* The host that was asked for, else the server's own name; "_" is nginx's name for any. */
static dp_str host_of(const found *f)
{
    for (int is = HOST; is <= SERVER_NAME; is++) {
        if (dp_is_known(f->text[is]) && !dp_str_eq(f->text[is], DP_STR("_")))
            return f->text[is];
    }
    return DP_STR("");
}

/* What was asked for: the request as the client sent it, before what the server made of it. nginx writes $uri without
 * the query, and after a rewrite it is the path of a script. */
static dp_line find_target(const found *f, dp_str *method, dp_str *target, dp_str *query, dp_why *why)
{
    *method = f->text[METHOD];
    *query = DP_STR("");
    if (dp_is_known(f->text[REQUEST]))
        return dp_request_split(f->text[REQUEST], method, target, why);
    *target = f->text[REQUEST_URI].n ? f->text[REQUEST_URI] : f->text[URI];
    if (!target->n)
        return dp_bad(why, "the object has no 'url', and no request of a server's log");
    if (!f->text[REQUEST_URI].n && !memchr(target->p, '?', target->n))
        *query = f->text[ARGS];
    return dp_request_check(*method, *target, why);
}

static dp_line set_url(dp_record *r, const found *f, dp_origin *o, dp_why *why)
{
    dp_str        method, target, query;
    const dp_str  scheme = f->text[SCHEME].n ? f->text[SCHEME] : f->tls ? DP_STR("https") : DP_STR("");
    const dp_place place = {scheme, host_of(f), DP_STR("")};
    dp_line       kind = find_target(f, &method, &target, &query, why);
    if (kind == DP_LINE_RECORD)
        kind = dp_origin_join(o, &place, target, query, why);
    if (kind != DP_LINE_RECORD)
        return kind;
    r->url = dp_buf_view(&o->url);
    r->has |= 1u << DP_FIELD_URL;
    r->method = dp_str_eq(method, DP_STR("GET")) ? DP_STR("") : method;
    return DP_LINE_RECORD;
}

static void set_time(dp_record *r, dp_str text)
{
    int64_t t;
    if (text.n && (dp_when(text, &t) || dp_when_clf(text, &t) || dp_when_seconds(text, &t))) {
        r->time = t;
        r->has |= 1u << DP_FIELD_TIME;
    }
}

dp_line dp_json_log(dp_str text, dp_buf *buf, dp_origin *o, dp_record *r, dp_why *why)
{
    const struct {
        name     is;
        unsigned column;
    } plain[] = {{STATUS, DP_FIELD_STATUS}, {SIZE, DP_FIELD_SIZE}, {AGENT, DP_FIELD_AGENT}, {CLIENT, DP_FIELD_CLIENT},
                 {MIME, DP_FIELD_MIME},     {TARGET, DP_FIELD_TARGET}};
    found       f = {0};
    dp_jsonscan s;
    dp_buf_reset(buf);
    if (!dp_buf_room(buf, text.n)) /* for every text of the object */
        return DP_LINE_NOMEM;
    if (!dp_jsonscan_init(&s, text))
        return dp_bad(why, "expected a JSON object, found %s", dp_stray(text).text);
    if (!read_object(&f, &s, buf, false))
        return dp_bad(why, "broken JSON at byte %zu: %s", (size_t)(s.p - s.begin) + 1, s.why ? s.why : "no object");
    for (size_t i = 0; i < DP_COUNT(plain); i++) {
        dp_str value = f.text[plain[i].is];
        if (!value.n || dp_str_eq(value, DP_STR("-")))
            continue;
        if (dp_column_set(r, plain[i].column, value, why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    r->referer = dp_known(f.text[REFERER]);
    r->etag = dp_known(f.text[ETAG]);
    set_time(r, f.text[TIME]);
    return set_url(r, &f, o, why);
}
