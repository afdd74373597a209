/* wat.c - Common Crawl's WAT files: what is known of each response of a WARC file, as JSON.
 *
 *     WARC-Type: metadata, application/json
 *     {"Envelope": {"WARC-Header-Metadata": {"WARC-Target-URI": ...},
 *                   "Payload-Metadata": {"HTTP-Response-Metadata": {"Response-Message": {"Status": ...}, ...}}}}
 *
 * Title and rel=canonical come from HTML-Metadata. Envelopes of requests and of warcinfo records are
 * passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/words/case.h"
#include "input/format/columns.h"
#include "input/format/http.h"
#include "input/format/jsonscan.h"
#include "input/format/warcwalk.h"
#include "input/format/when.h"

/* Objects that are looked into, and the values that are wanted of them. */
typedef enum node {
    ROOT,
    ENVELOPE,
    WARC_HEADER,
    PAYLOAD,
    RESPONSE,
    MESSAGE,
    HEADERS,
    HTML,
    HEAD,
    LINKS, /* an array of LINK */
    LINK,
    OBJECTS,
    TYPE = OBJECTS,
    URI,
    DATE,
    STATUS,
    MIME,
    LOCATION,
    DIGEST,
    LENGTH,
    TITLE,
    REL,
    HREF,
    NODES
} node;

static const struct {
    node   in;
    dp_str name;
    node   is;
} names[] = {
#define NAME(in, name, is) {in, {name, sizeof(name) - 1}, is}
    NAME(ROOT, "Envelope", ENVELOPE),
    NAME(ENVELOPE, "WARC-Header-Metadata", WARC_HEADER),
    NAME(ENVELOPE, "Payload-Metadata", PAYLOAD),
    NAME(PAYLOAD, "HTTP-Response-Metadata", RESPONSE),
    NAME(RESPONSE, "Response-Message", MESSAGE),
    NAME(RESPONSE, "Headers", HEADERS),
    NAME(RESPONSE, "HTML-Metadata", HTML),
    NAME(HTML, "Head", HEAD),
    NAME(HEAD, "Link", LINKS),
    NAME(WARC_HEADER, "WARC-Type", TYPE),
    NAME(WARC_HEADER, "WARC-Target-URI", URI),
    NAME(WARC_HEADER, "WARC-Date", DATE),
    NAME(MESSAGE, "Status", STATUS),
    NAME(HEADERS, "Content-Type", MIME),
    NAME(HEADERS, "content-type", MIME),
    NAME(HEADERS, "Location", LOCATION),
    NAME(HEADERS, "location", LOCATION),
    NAME(RESPONSE, "Entity-Digest", DIGEST),
    NAME(RESPONSE, "Entity-Length", LENGTH),
    NAME(HEAD, "Title", TITLE),
    NAME(LINK, "rel", REL),
    NAME(LINK, "url", HREF),
#undef NAME
};

typedef struct wat {
    dp_warc_walk walk;
    dp_str       value[NODES]; /* of the last envelope */
    dp_str       canonical;
    dp_buf       buf; /* of decoded texts */
} wat;

static int recognise(dp_str head)
{
    return dp_str_starts(head, DP_STR("WARC/")) && memmem(head.p, head.n, "\"Envelope\"", 10) != NULL;
}

static dp_err open_archive(void **state, const dp_setup *s, dp_error *err)
{
    (void)s;
    *state = calloc(1, sizeof(wat));
    return *state ? DP_OK : dp_fail_as(err, DP_ENOMEM);
}

static void close_archive(void *state)
{
    wat *a = state;
    dp_buf_done(&a->buf);
    free(a);
}

/* ---- the envelope ------------------------------------------------------------------------------------- */

static node find_name(node in, dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        if (names[i].in == in && dp_str_eq(names[i].name, name))
            return names[i].is;
    }
    return NODES;
}

static void read_object(wat *a, dp_jsonscan *s, node in);

static void read_links(wat *a, dp_jsonscan *s)
{
    dp_json_value other;
    while (dp_jsonscan_item(s)) {
        dp_jsonscan link;
        a->value[REL] = a->value[HREF] = DP_STR("");
        if (!dp_jsonscan_enter(&link, s, '{')) {
            dp_jsonscan_value(s, &other);
            continue;
        }
        read_object(a, &link, LINK);
        dp_jsonscan_leave(s, &link);
        if (dp_str_eq(a->value[REL], DP_STR("canonical")) && !a->canonical.n)
            a->canonical = a->value[HREF];
    }
}

/* Read the members of an object; s->why says whether something was wrong. */
static void read_object(wat *a, dp_jsonscan *s, node in)
{
    dp_json_value key, value;
    while (dp_jsonscan_key(s, &key)) {
        dp_jsonscan inner;
        node        is = find_name(in, dp_jsonscan_text(&key, &a->buf));
        if (is == LINKS && dp_jsonscan_enter(&inner, s, '[')) {
            read_links(a, &inner);
            dp_jsonscan_leave(s, &inner);
        } else if (is < OBJECTS && is != LINKS && dp_jsonscan_enter(&inner, s, '{')) {
            read_object(a, &inner, is);
            dp_jsonscan_leave(s, &inner);
        } else if (dp_jsonscan_value(s, &value) && is >= OBJECTS && is < NODES &&
                   (value.kind == DP_JSON_TEXT || value.kind == DP_JSON_NUMBER)) {
            a->value[is] = value.kind == DP_JSON_TEXT ? dp_jsonscan_text(&value, &a->buf) : value.raw;
        }
    }
}

static dp_line read_json(wat *a, dp_str text, dp_why *why)
{
    dp_jsonscan s;
    dp_buf_reset(&a->buf);
    memset(a->value, 0, sizeof a->value);
    a->canonical = DP_STR("");
    if (!dp_buf_room(&a->buf, text.n))
        return DP_LINE_NOMEM;
    if (dp_jsonscan_init(&s, text))
        read_object(a, &s, ROOT);
    if (s.why)
        return dp_bad(why, "broken JSON at byte %zu: %s", (size_t)(s.p - s.begin) + 1, s.why);
    return DP_LINE_RECORD;
}

static dp_line read_envelope(const wat *a, dp_record *r, dp_why *why)
{
    const struct {
        dp_field field;
        dp_str   value;
    } values[] = {
        {DP_FIELD_URL, a->value[URI]},
        {DP_FIELD_STATUS, a->value[STATUS]},
        {DP_FIELD_SIZE, a->value[LENGTH]},
        {DP_FIELD_DIGEST, a->value[DIGEST]},
        {DP_FIELD_TITLE, a->value[TITLE]},
        {DP_FIELD_CANONICAL, a->canonical},
        {DP_FIELD_MIME, dp_media_type(a->value[MIME])},
        {DP_FIELD_TARGET, a->value[LOCATION]},
    };
    if (!dp_str_eq(a->value[TYPE], DP_STR("response")) && !dp_str_eq(a->value[TYPE], DP_STR("revisit")))
        return DP_LINE_OTHER;
    for (size_t i = 0; i < DP_COUNT(values); i++)
        dp_column_set(r, values[i].field, values[i].value, NULL);
    if (dp_when_iso(a->value[DATE], &r->time))
        r->has |= 1u << DP_FIELD_TIME;
    if (!dp_record_has(r, DP_FIELD_URL))
        return dp_bad(why, "the envelope has no WARC-Target-URI");
    return dp_str_starts_but_case(r->url, DP_STR("http")) ? DP_LINE_RECORD : DP_LINE_OTHER;
}

static dp_err next_record(void *state, dp_step *s, dp_error *err)
{
    wat *a = state;
    DP_TRY(dp_warc_walk_next(&a->walk, s, err));
    if (!s->more || s->kind != DP_LINE_RECORD)
        return DP_OK;
    dp_str type = dp_header_field(a->walk.header, "warc-type"), mime = dp_header_field(a->walk.header, "content-type");
    if (!dp_str_eq(type, DP_STR("metadata")) || !dp_str_eq(dp_media_type(mime), DP_STR("application/json"))) {
        s->kind = DP_LINE_OTHER;
        return DP_OK;
    }
    s->kind = read_json(a, a->walk.block, s->why);
    if (s->kind == DP_LINE_RECORD)
        s->kind = read_envelope(a, s->rec, s->why);
    return DP_OK;
}

const dp_record_format dp_wat = {.name = "wat",
                                 .what = "a WAT archive",
                                 .recognise = recognise,
                                 .open = open_archive,
                                 .next = next_record,
                                 .close = close_archive};
