/* input/format/request.h - from what a log says of a request to its URL.
 *
 *     "GET /a?b=1 HTTP/1.1"  ->  GET, /a?b=1          www.a.com:443, /a?b=1  ->  https://www.a.com/a?b=1
 *
 * Used by input/format/accesslog.c and input/format/w3c.c.
 *
 * A server's own pages are asked for by a path, or by a whole URL with its host. Requests for "*" or host:port, and
 * bytes that are not HTTP, are for no page. A request for a whole URL of another host (a proxy's), and what is no
 * request line, are bad lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_REQUEST_H
#define DP_INPUT_FORMAT_REQUEST_H

#include "base/buf.h"
#include "input/format/format.h"

/* Cut a request line. A method of GET comes as the empty text, as records have it. */
dp_line dp_request_split(dp_str request, dp_str *method, dp_str *target, dp_why *why);

/* Whether `target` is a path or a whole URL; says what it is instead. */
dp_line dp_request_check(dp_str method, dp_str target, dp_why *why);

/* What logs write for bytes that would disturb them: \" \\ \n \t \x22 \u0022. Appends the bytes. */
void dp_log_unescape(dp_buf *out, dp_str s);

/* Where paths belong. */
typedef struct dp_origin {
    dp_str base;   /* "https://a.com", of --base-url; empty: none */
    dp_str scheme; /* "https", of --base-url, else "http" */
    dp_str host;   /* of --base-url */
    dp_buf url;    /* the last one made */
} dp_origin;

/* `base_url` (may be NULL) stays with the caller. DP_EINVALID when it is no URL, or has more than scheme and host. */
dp_err dp_origin_init(dp_origin *o, const char *base_url, dp_error *err);
void   dp_origin_done(dp_origin *o);

/* What a line says of its host; what it does not say is empty or "-". */
typedef struct dp_place {
    dp_str scheme, host, port; /* the host may have a port with it */
} dp_place;

/* The URL of a path, with "?" and `query` behind it when there is one; in o->url. A whole URL must have the host of
 * the line, or of --base-url where the line has none. */
dp_line dp_origin_join(dp_origin *o, const dp_place *p, dp_str path, dp_str query, dp_why *why);

/* The one message for a log whose lines have no host. */
dp_err dp_origin_missing(const char *path, dp_error *err);

#endif
