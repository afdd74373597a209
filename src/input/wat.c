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
#include <stdio.h>
#include <stdlib.h>

#include "input/columns.h"
#include "input/http.h"
#include "input/jsonin.h"
#include "input/warcwalk.h"
#include "input/when.h"

#define RESPONSE "Envelope/Payload-Metadata/HTTP-Response-Metadata/"

enum { LINKS = 64 /* that are looked at for rel=canonical */ };

typedef struct wat {
    dp_warc_walk walk;
    dp_jsonin   *json;
} wat;

static int recognise(dp_str head)
{
    return dp_str_starts(head, DP_STR("WARC/")) && memmem(head.p, head.n, "\"Envelope\"", 10) != NULL;
}

static dp_err open_archive(void **state, const dp_setup *s, dp_error *err)
{
    (void)s;
    wat *a = calloc(1, sizeof *a);
    if (!a)
        return dp_fail(err, DP_ENOMEM, "out of memory");
    dp_err code = dp_jsonin_new(&a->json, err);
    if (code == DP_OK)
        *state = a;
    else
        free(a);
    return code;
}

static void close_archive(void *state)
{
    wat *a = state;
    dp_jsonin_free(a->json);
    free(a);
}

/* Header fields are written as the server wrote them. */
static dp_str response_field(dp_jsonin *j, const char *const names[2])
{
    char way[128];
    for (size_t i = 0; i < 2; i++) {
        snprintf(way, sizeof way, RESPONSE "Headers/%s", names[i]);
        dp_str value = dp_jsonin_get(j, way);
        if (value.n)
            return value;
    }
    return DP_STR("");
}

static dp_str find_canonical(dp_jsonin *j)
{
    char way[128];
    for (int i = 0; i < LINKS; i++) {
        snprintf(way, sizeof way, RESPONSE "HTML-Metadata/Head/Link/%d/rel", i);
        dp_str rel = dp_jsonin_get(j, way);
        if (!dp_str_eq(rel, DP_STR("canonical")))
            continue;
        snprintf(way, sizeof way, RESPONSE "HTML-Metadata/Head/Link/%d/url", i);
        return dp_jsonin_get(j, way);
    }
    return DP_STR("");
}

static dp_line read_envelope(dp_jsonin *j, dp_record *r, dp_why *why)
{
    static const char *const type[2] = {"Content-Type", "content-type"}, *const location[2] = {"Location", "location"};
    dp_str                   kind = dp_jsonin_get(j, "Envelope/WARC-Header-Metadata/WARC-Type");
    if (!dp_str_eq(kind, DP_STR("response")) && !dp_str_eq(kind, DP_STR("revisit")))
        return DP_LINE_OTHER;
    const struct {
        dp_field field;
        dp_str   value;
    } values[] = {
        {DP_FIELD_URL, dp_jsonin_get(j, "Envelope/WARC-Header-Metadata/WARC-Target-URI")},
        {DP_FIELD_DIGEST, dp_jsonin_get(j, RESPONSE "Entity-Digest")},
        {DP_FIELD_TITLE, dp_jsonin_get(j, RESPONSE "HTML-Metadata/Head/Title")},
        {DP_FIELD_CANONICAL, find_canonical(j)},
        {DP_FIELD_MIME, dp_media_type(response_field(j, type))},
        {DP_FIELD_TARGET, response_field(j, location)},
    };
    for (size_t i = 0; i < DP_COUNT(values); i++)
        dp_column_set(r, values[i].field, values[i].value, NULL);
    /* Numbers as texts share one place: each is used at once. */
    dp_column_set(r, DP_FIELD_STATUS, dp_jsonin_get(j, RESPONSE "Response-Message/Status"), NULL);
    dp_column_set(r, DP_FIELD_SIZE, dp_jsonin_get(j, RESPONSE "Entity-Length"), NULL);
    if (dp_when_iso(dp_jsonin_get(j, "Envelope/WARC-Header-Metadata/WARC-Date"), &r->time))
        r->has |= 1u << DP_FIELD_TIME;
    if (!dp_record_has(r, DP_FIELD_URL))
        return dp_bad(why, "the envelope has no WARC-Target-URI");
    return dp_str_starts(r->url, DP_STR("http")) ? DP_LINE_RECORD : DP_LINE_OTHER;
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
    s->kind = dp_jsonin_parse(a->json, a->walk.block, s->why);
    if (s->kind == DP_LINE_RECORD)
        s->kind = read_envelope(a->json, s->rec, s->why);
    return DP_OK;
}

const dp_record_format dp_wat = {.name = "wat",
                          .what = "a WAT archive",
                          .recognise = recognise,
                          .open = open_archive,
                          .next = next_record,
                          .close = close_archive};
