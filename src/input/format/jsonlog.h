/* input/format/jsonlog.h - a line of a server that logs in JSON, as a record.
 *
 *     {"request": {"method": "GET", "host": "a.com", "uri": "/x?y=1"}, "status": 200, "size": 5120}     Caddy
 *     {"host": "a.com", "request": "GET /x?y=1 HTTP/1.1", "status": "200", "body_bytes_sent": "5120"}   nginx
 *
 * nginx writes what its log_format says; known are the names of its own variables. Reads input/format/jsonscan.h; used
 * by input/format/jsonl.c for objects without a URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_JSONLOG_H
#define DP_INPUT_FORMAT_JSONLOG_H

#include "input/format/request.h"

/* Texts of the record are views of `text`, of `buf` or of `o`. */
dp_line dp_json_log(dp_str text, dp_buf *buf, dp_origin *o, dp_record *r, dp_why *why);

#endif
