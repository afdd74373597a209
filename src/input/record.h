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

typedef enum dp_field {
    DP_FIELD_URL,
    DP_FIELD_CLUSTER,
    DP_FIELD_STATUS,
    DP_FIELD_SIZE,
    DP_FIELD_DIGEST,
    DP_FIELD_SKETCH,
    DP_FIELD_SIMHASH,
    DP_FIELD_TITLE,
    DP_FIELD_IMPORTANCE,
    DP_FIELD_TARGET,    /* where it redirects to */
    DP_FIELD_CANONICAL, /* rel=canonical */
    DP_FIELD_TIME,
    DP_FIELD_INLINKS,
    DP_FIELD_HOPS,
    DP_FIELD_MIME,
    DP_FIELD_CLIENT,
    DP_FIELD_AGENT,
    DP_FIELD_HITS,
    DP_FIELDS
} dp_field;

/* Four min-hashes, or any single token: then `token` holds it and the numbers its hash. */
typedef struct dp_sketch {
    uint64_t min[4];
    dp_str   token; /* n == 0: four numbers */
} dp_sketch;

typedef struct dp_record {
    uint32_t  has; /* 1 << dp_field */
    uint16_t  status;
    int64_t   size;  /* bytes */
    int64_t   time;  /* seconds since 1970, UTC */
    int64_t   inlinks, hops, hits;
    double    importance;
    uint64_t  simhash;
    dp_sketch sketch;
    dp_str    url, cluster, digest, title, target, canonical, mime, client, agent;
    dp_str    method; /* of a log line; empty: GET */
    dp_str    body;   /* payload of a response, decoded; only from readers of content */
    dp_str    header; /* its HTTP header block */
    dp_str    raw;    /* the input line without its end, for passing it through; empty for WARC */
    uint64_t  line;   /* from 1 (record number for WARC) */
    const char *path; /* of the file */
} dp_record;

static inline bool dp_record_has(const dp_record *r, dp_field f)
{
    return r->has >> f & 1;
}

#endif
