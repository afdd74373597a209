/* warc.c - web archives, WARC 0.17 to 1.1: responses and revisits.
 *
 * Status, type, redirect target and payload come from the HTTP header in the block; the digest is
 * WARC-Payload-Digest. The size is that of the body as it was sent. With `want_body` the body is
 * decoded: chunks joined, gzip, deflate and zstd undone. Records of other types, and responses of
 * other protocols (dns:), are passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input/format/warcwalk.h"

#include <stdlib.h>

#include "base/words/case.h"
#include "input/format/columns.h"
#include "input/format/http.h"
#include "input/format/when.h"

typedef struct warc {
    dp_warc_walk walk;
    bool         want_body;
    dp_buf       buf[2]; /* of the decoded body */
} warc;

static int recognise(dp_str head)
{
    return dp_str_starts(head, DP_STR("WARC/"));
}

static dp_err open_archive(void **state, const dp_setup *s, dp_error *err)
{
    warc *a = calloc(1, sizeof *a);
    if (!a)
        return dp_fail_as(err, DP_ENOMEM);
    a->want_body = s->o->want_body;
    *state = a;
    return DP_OK;
}

static void close_archive(void *state)
{
    warc *a = state;
    dp_buf_done(&a->buf[0]);
    dp_buf_done(&a->buf[1]);
    free(a);
}

static dp_line read_body(warc *a, dp_record *r, const dp_response *http)
{
    if (a->walk.whole) {
        r->size = (int64_t)http->body.n;
        r->has |= 1u << DP_FIELD_SIZE;
    }
    if (!a->want_body || !a->walk.whole)
        return DP_LINE_RECORD;
    return dp_response_decode(&r->body, http, a->buf, DP_WARC_BLOCK) == DP_OK ? DP_LINE_RECORD : DP_LINE_NOMEM;
}

static dp_line read_response(warc *a, dp_record *r, bool is_revisit, dp_why *why)
{
    dp_response http = {0};
    dp_str      header = a->walk.header;
    dp_column_set(r, DP_FIELD_URL, dp_warc_uri(header), NULL);
    dp_column_set(r, DP_FIELD_DIGEST, dp_header_field(header, "warc-payload-digest"), NULL);
    if (dp_when_iso(dp_header_field(header, "warc-date"), &r->time))
        r->has |= 1u << DP_FIELD_TIME;
    if (!dp_record_has(r, DP_FIELD_URL))
        return dp_bad(why, "the record has no WARC-Target-URI");
    if (!dp_str_starts_but_case(r->url, DP_STR("http")))
        return DP_LINE_OTHER;
    if (!dp_response_split(&http, a->walk.block)) /* a revisit need not repeat the header */
        return is_revisit ? DP_LINE_RECORD : dp_bad(why, "the response has no HTTP status line");
    r->status = http.status;
    r->has |= 1u << DP_FIELD_STATUS;
    r->header = http.header;
    dp_column_set(r, DP_FIELD_MIME, dp_media_type(dp_header_field(http.header, "content-type")), NULL);
    dp_column_set(r, DP_FIELD_TARGET, dp_header_field(http.header, "location"), NULL);
    return is_revisit ? DP_LINE_RECORD : read_body(a, r, &http);
}

static dp_err next_record(void *state, dp_step *s, dp_error *err)
{
    warc *a = state;
    DP_TRY(dp_warc_walk_next(&a->walk, s, err));
    if (!s->more || s->kind != DP_LINE_RECORD)
        return DP_OK;
    dp_str type = dp_header_field(a->walk.header, "warc-type");
    if (dp_str_eq(type, DP_STR("response")) || dp_str_eq(type, DP_STR("revisit")))
        s->kind = read_response(a, s->rec, type.n == 7, s->why);
    else
        s->kind = DP_LINE_OTHER;
    return DP_OK;
}

const dp_record_format dp_warc = {.name = "warc",
                           .what = "a WARC archive",
                           .recognise = recognise,
                           .open = open_archive,
                           .next = next_record,
                           .close = close_archive};
