/* input/format/jsonrecord.h - a JSON object as a record.
 *
 *     {"url": "http://a.com/x", "status": 200, "cluster": 7}  ->  record
 *
 * Reads input/format/jsonscan.h; used by input/format/jsonl.c and cdxj.c. A number is as good as a text of
 * digits, and null as no field at all.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_JSONRECORD_H
#define DP_INPUT_FORMAT_JSONRECORD_H

#include "base/buf.h"
#include "input/format/format.h"

/* The open and close of a dp_record_format whose state is a `buf` for dp_json_record. */
dp_err dp_json_record_open(void **state, const dp_setup *s, dp_error *err);
void   dp_json_record_close(void *state);

/* Put the fields of the object into the record; `find` says what stands under a name (dp_column_find,
 * or more). Texts are views of `text` or of `buf`. */
dp_line dp_json_record(dp_str text, dp_buf *buf, dp_record *r, unsigned (*find)(dp_str name), dp_why *why);

#endif
