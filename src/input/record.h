/* input/record.h - a URL, and what is known of it.
 *
 *     2008-11-05 GET /a?sid=1 200 5120 ...   ->   url, status, size, time, client, agent
 *
 * Every reader (input/reader.h) yields records; nothing downstream knows the format they
 * came from. Views are valid until the reader's next record.
 *
 * Invariants:
 *   - A field that is not known has its bit in `has` clear and is zero.
 *   - `url` is as the input has it, absolute where the format allows; stage 0 is for later.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_RECORD_H
#define DP_INPUT_RECORD_H

#include "base/str.h"
#include "dustpan.h"

/* What became of a line. Readers give records only, unless they are asked for all lines. */
typedef enum dp_line {
    DP_LINE_RECORD,
    DP_LINE_HEADER, /* it names the columns of those that follow */
    DP_LINE_OTHER,  /* empty, a comment, or of something that is no page (dns:, warcinfo) */
    DP_LINE_NO_PAGE, /* a request that can be for no page: OPTIONS *, CONNECT, bytes that are not HTTP */
    DP_LINE_BAD,
    DP_LINE_NOMEM
} dp_line;

/* Four min-hashes, or any single token: then `token` holds it and the numbers its hash. */
typedef struct dp_sketch {
    uint64_t min[4];
    dp_str   token; /* n == 0: four numbers */
} dp_sketch;

typedef struct dp_record {
    uint32_t  has; /* 1 << dp_field */
    uint16_t  status; /* of HTTP; 0: the fetch failed */
    int64_t   size;  /* bytes */
    int64_t   time;  /* seconds since 1970, UTC */
    int64_t   inlinks, hops, hits;
    double    importance;
    uint64_t  simhash;
    dp_sketch sketch;
    dp_str    url, cluster, digest, title, target, canonical, mime, client, agent;
    dp_str    method; /* of a log line; empty: GET */
    dp_str    referer; /* of a log line: the page that led here, as the client says */
    dp_str    etag;    /* of a log line: what the server calls this version of the page */
    dp_str    body;   /* payload of a response, decoded; only from readers of content */
    dp_str    header; /* its HTTP header block */
    dp_str    raw;    /* the input line without its end, for passing it through; empty for WARC */
    uint64_t  line;   /* from 1 (record number for WARC) */
    const char *path; /* of the file */
    dp_line   kind;
} dp_record;

/* Whether it can be evidence of what a page holds: fetched by GET and answered 200, as far as
 * the input says. */
static inline bool dp_record_is_page(const dp_record *r)
{
    return !r->method.n && (!(r->has >> DP_FIELD_STATUS & 1) || r->status == 200);
}

static inline bool dp_record_has(const dp_record *r, dp_field f)
{
    return r->has >> f & 1;
}

/* Whether it shows where its URL redirects to, and nothing of a page. */
static inline bool dp_record_is_redirect(const dp_record *r)
{
    bool has_status = dp_record_has(r, DP_FIELD_STATUS);
    return !r->method.n && r->target.n && (!has_status || (r->status >= 300 && r->status < 400));
}

#endif
