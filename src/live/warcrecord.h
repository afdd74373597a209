/* live/warcrecord.h - an answer of a server as a record of a WARC file (1.0), one gzip member.
 *
 *     WARC/1.0                          HTTP/1.1 200 OK
 *     WARC-Type: response               Content-Type: text/html
 *     WARC-Target-URI: http://a.com/    Content-Length: 812
 *     WARC-Date: 2026-11-16T20:22:33Z
 *     ...                               <html>...
 *
 * The body is written decoded; the fields of the header that say how it was sent are left out. input/format/warc.c
 * reads it back. The id of a record is made of what stands in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_WARCRECORD_H
#define DP_LIVE_WARCRECORD_H

#include "base/buf.h"
#include "live/http.h"

/* Append the record of the answer `a` to asking for `url` at `time` (seconds since 1970). DP_ENOMEM. */
dp_err dp_warcrecord_put(dp_buf *out, dp_str url, int64_t time, const dp_http_answer *a);

/* Append the record that opens a file: who wrote it. DP_ENOMEM. */
dp_err dp_warcrecord_open(dp_buf *out, int64_t time);

#endif
