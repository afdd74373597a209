/* input/format/jsonscan.h - the members of a JSON object, read where they stand.
 *
 *     {"url": "http://a.com/x", "status": 200, "more": [1, {"a": 2}]}
 *      key    value (text)       key  (number)  key     (array: its bytes, checked)
 *
 * Used by input/format/jsonl.c, cdxj.c and wat.c: it takes no memory, builds no tree, and is eight times as fast as
 * one that does. Two things are read that a strict reader refuses, since
 * URLs have them: bytes that are no UTF-8 stay as they are, and a lone surrogate from \udc80 to \udcff is the
 * byte that base/words/json.h wrote so.
 *
 * Invariants:
 *   - All of the text is checked to be JSON (RFC 8259) but for that, values that nobody asks for, too.
 *   - Decoded texts are no longer than their spelling, so a buffer of the object's size has room for all.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_JSONSCAN_H
#define DP_INPUT_FORMAT_JSONSCAN_H

#include "base/buf.h"
#include "base/err.h"

typedef enum dp_json_kind {
    DP_JSON_TEXT,
    DP_JSON_NUMBER,
    DP_JSON_TRUE,
    DP_JSON_FALSE,
    DP_JSON_NULL,
    DP_JSON_ARRAY,
    DP_JSON_OBJECT
} dp_json_kind;

typedef struct dp_json_value {
    dp_json_kind kind;
    dp_str       raw;     /* its bytes; of a text those between the quotes */
    bool         escaped; /* a text with backslashes */
} dp_json_value;

typedef struct dp_jsonscan {
    const char *begin, *p, *end;
    const char *why; /* what is wrong at p, when a function says false; NULL: the end */
    bool        first;
    bool        inner; /* entered: more may stand behind its end */
} dp_jsonscan;

/* Begin with the object that `text` is; false when it is none. */
bool dp_jsonscan_init(dp_jsonscan *s, dp_str text);

/* The next member; false at the end, or when something is wrong: s->why. */
bool dp_jsonscan_next(dp_jsonscan *s, dp_json_value *key, dp_json_value *value);

/* The same in two steps. Between them an object or an array can be entered instead of read as a value; when all of
 * `inner` has been read, or something is wrong in it, `outer` goes on behind it. */
bool dp_jsonscan_key(dp_jsonscan *s, dp_json_value *key);
bool dp_jsonscan_item(dp_jsonscan *s); /* of an array: there is another */
bool dp_jsonscan_value(dp_jsonscan *s, dp_json_value *value);
bool dp_jsonscan_enter(dp_jsonscan *inner, dp_jsonscan *outer, char open); /* '{' or '['; false: it is none */
void dp_jsonscan_leave(dp_jsonscan *outer, const dp_jsonscan *inner);

/* Begin with the array that `value` is; then its items. */
void dp_jsonscan_init_array(dp_jsonscan *s, const dp_json_value *value);
bool dp_jsonscan_next_item(dp_jsonscan *s, dp_json_value *value);

/* The text itself: its raw bytes, or decoded behind what is in `buf`, which must have room. */
dp_str dp_jsonscan_text(const dp_json_value *v, dp_buf *buf);

#endif
