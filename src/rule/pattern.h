/* rule/pattern.h - read what stands in one segment or one query value, and names.
 *
 *     tt{n:int}       {x=v1|v2}       friends-*       {a|lower}
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_PATTERN_H
#define DP_RULE_PATTERN_H

#include "rule/template.h"

typedef enum dp_zone { DP_ZONE_PATH, DP_ZONE_QUERY } dp_zone;

dp_err dp_pattern_read(dp_pat *out, dp_cursor *c, dp_str s, dp_side side, dp_zone zone);

/* Check a parameter name; `kind` is '?' or ';'. */
dp_err dp_pattern_name(dp_cursor *c, dp_str name, char kind);

/* Read NAMES: ?a,b or ;a,b. */
dp_err dp_pattern_names(dp_names *out, dp_cursor *c, dp_str word);

/* Bytes of the capture's name that `s` begins with: letters, digits and _, no digit first. */
size_t dp_pattern_capture(dp_str s);

/* Bytes that end a value in a URL: of a query pair ('?') or a path parameter (';'). */
const char *dp_pattern_ends(char kind);

/* The words of the language: "int hex ..." in the order of dp_class, "lower ..." of dp_conv. */
extern const char *const dp_class_names[]; /* [DP_CLASS_LIST], the first is "" */
extern const char *const dp_conv_names[];  /* [DP_CONV_INT + 1], the first is "" */

#endif
