/* input/format/http.h - an HTTP response, as archives keep it.
 *
 *     HTTP/1.1 200 OK CR LF Content-Type: text/html CR LF CR LF <html>...
 *     |---------------- header --------------------------| body
 *
 * Used by input/format/warc.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_HTTP_H
#define DP_INPUT_FORMAT_HTTP_H

#include "base/buf.h"
#include "base/err.h"

typedef struct dp_response {
    uint16_t status;
    dp_str   header; /* with its last empty line */
    dp_str   body;   /* as it was sent */
} dp_response;

/* Split at the first empty line; without one, all is header. False when it has no status line. */
bool dp_response_split(dp_response *out, dp_str text);

/* The value of the first field `name` (in lower case) of a header; empty when there is none. */
dp_str dp_header_field(dp_str header, const char *name);

/* "text/html" of "text/html; charset=utf-8" */
dp_str dp_media_type(dp_str content_type);

/* The body without transfer coding (chunked) and content coding (gzip, deflate, zstd): `*out` is
 * a view of the body, or of `*buf`, which is written anew. A coding that the header names and the
 * body has not was undone by the crawler: the body is left as it is. Empty when it has one that
 * nobody here can read. At most `max` bytes. DP_ENOMEM. */
dp_err dp_response_decode(dp_str *out, const dp_response *r, dp_buf buf[2], size_t max);

#endif
