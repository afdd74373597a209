/* input/jsonin.h - a JSON text as a tree; through jansson, which nobody else knows.
 *
 *     {"a": {"b": [1, "two"]}}      "a/b/1"  ->  two
 *
 * For the few big and deep objects of input/wat.c; lines of JSON go through input/jsonscan.h.
 *
 * Invariants:
 *   - Texts are views of what jansson made, good until the next text is parsed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_JSONIN_H
#define DP_INPUT_JSONIN_H

#include "input/format.h"

typedef struct dp_jsonin dp_jsonin;

dp_err dp_jsonin_new(dp_jsonin **out, dp_error *err);
void   dp_jsonin_free(dp_jsonin *j);

/* Parse `text`, all of which must be one object. */
dp_line dp_jsonin_parse(dp_jsonin *j, dp_str text, dp_why *why);

/* A text inside the last object by the names that lead to it; a name of digits is a place in an
 * array. Empty when there is none. A number as text is good until the next call. */
dp_str dp_jsonin_get(dp_jsonin *j, const char *way);

#endif
