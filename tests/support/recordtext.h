/* support/recordtext.h - what a reader makes of a text, as text.
 *
 *     record_text(&out, DP_STR("http://a.com/\n"), &o)    "urls\nurl=http://a.com/\n"
 *
 * The first line is the format. A record is a line of name=value for the fields that are known; fields
 * that are not, must be zero. Then come "bad LINE: why" for the lines that could not be read, or
 * "error: why" when reading ended with one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_RECORDTEXT_H
#define DP_SUPPORT_RECORDTEXT_H

#include "base/buf.h"
#include "input/reader.h"

/* How the reader gets the bytes. */
typedef enum record_way {
    RECORD_FILE,
    RECORD_PIECES /* from a pipe, a few bytes at a time; at most 1,500 bytes */
} record_way;

/* Append what comes out. DP_OK also when reading failed with something that the text says; DP_ENOMEM. */
dp_err record_text(dp_buf *out, record_way way, dp_str bytes, const dp_reader_options *o);

/* The same from a file. */
dp_err record_text_of(dp_buf *out, const char *const *paths, size_t n, const dp_reader_options *o);

/* A line for one record. */
void record_print(dp_buf *out, const dp_record *r);

#endif
