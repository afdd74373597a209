/* base/words/json.h - write JSON.
 *
 *     dp_buf_byte(&b, '{');
 *     dp_json_text(&b, "url", url);
 *     dp_json_count(&b, "hits", 3);
 *     dp_json_open(&b, "rules", '[');
 *     dp_json_text(&b, NULL, DP_STR("drop ?sid"));
 *     dp_buf_c(&b, "]}");                            {"url":"http://a.com/","hits":3,"rules":["drop ?sid"]}
 *
 * Commas come by themselves: what is written last says whether one is due. A `name` of NULL is none: in a list.
 * Brackets are closed by the caller, and the outermost one is opened by them, too.
 *
 * Bytes that are not UTF-8 become lone surrogates, 0xFF as \udcff, so that nothing is lost: input/format/jsonscan.h and
 * Python (surrogateescape) make bytes of them again. Control characters are escaped, also those beyond ASCII: a
 * terminal obeys U+009B as it does ESC. Numbers do not depend on the locale.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_JSON_H
#define DP_BASE_WORDS_JSON_H

#include "base/buf.h"

/* Append `s` in double quotes. */
void dp_json_str(dp_buf *out, dp_str s);

/* Append `v` (not negative; above 10^18 it counts as that) with at most `decimals` (up to 9)
 * digits after the point, without trailing zeros. */
void dp_json_number(dp_buf *out, double v, int decimals);

/* Append what stands before a value: a comma where one is due, "name" and a colon. */
void dp_json_key(dp_buf *out, const char *name);

/* Begin a new line for what comes next, behind the comma where one is due. */
void dp_json_line(dp_buf *out);

void dp_json_open(dp_buf *out, const char *name, char bracket); /* '{' or '[' */
void dp_json_text(dp_buf *out, const char *name, dp_str s);
void dp_json_count(dp_buf *out, const char *name, uint64_t n);
void dp_json_share(dp_buf *out, const char *name, double v); /* six decimals */
void dp_json_flag(dp_buf *out, const char *name, bool v);
void dp_json_null(dp_buf *out, const char *name);
void dp_json_id(dp_buf *out, const char *name, uint64_t id);       /* "16 hex digits" */
void dp_json_short_id(dp_buf *out, const char *name, uint64_t id); /* the first 8 of them, as people see it */

/* The text that was built in `text`, which is done then; when it had failed, `out` has. */
void dp_json_take(dp_buf *out, const char *name, dp_buf *text);

#endif
