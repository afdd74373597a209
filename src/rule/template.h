/* rule/template.h - read templates: [scheme:][//HOST[:port]]/PATH[?Q].
 *
 *     //a.com/{x}/tt{n:int}?id={v=1|2}&+b&...        left
 *     //{u}.a.com/{**}                               left, one label of the host captured
 *     /dp/{x|lower}?n={n}&...                        right
 *
 * A template is one word of a line; rule/ruleline.c hands it over.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_TEMPLATE_H
#define DP_RULE_TEMPLATE_H

#include "rule/cursor.h"

/* Where a template stands, which decides what it may hold. */
typedef enum dp_side { DP_LEFT, DP_RIGHT, DP_COND } dp_side;

/* Whether a word that begins like this is meant as a template. */
bool dp_template_begins(dp_str word);

dp_err dp_template_read(dp_template **out, dp_cursor *c, dp_str word, dp_side side);

/* Check what only both sides of a rewrite together can tell: references are bound,
 * `{**}` and `...` stand where they may. `word` is the right side, for the place. */
dp_err dp_template_pair(dp_cursor *c, const dp_template *left, const dp_template *right, dp_str word);

#endif
