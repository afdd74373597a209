/* learn/phrase/verb.h - the parts of phrase.c: verbs for template pairs, and whether a pair falls.
 *
 * For the files phrase*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_PHRASE_VERB_H
#define DP_LEARN_PHRASE_VERB_H

#include "learn/phrase/phrase.h"

/* A copy whose patterns may be changed. */
dp_err dp_phrase_copy(dp_template *out, const dp_template *t, dp_arena *a);

/* Turn captures that `t` does not compare into stars. */
void dp_phrase_star(dp_template *t);

/* The drop, erase or set that says left => right; `*found` is false when there is none. */
dp_err dp_phrase_verb(dp_rule *out, bool *found, const dp_template *left, const dp_template *right, dp_arena *a);

/* See phrase.h. */
dp_err dp_phrase_falls(bool *out, const dp_template *left, const dp_template *right, dp_str hosts, dp_arena *a);

#endif
