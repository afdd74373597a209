/* learn/duster/text.h - an outline, and what stands in its holes on several pages, in the language of the rule file.
 *
 *     SEG hole{news, blog}  SEG print  =>  SEG #1            /{a}/print => /{a}
 *     GLOB PAIR s choice{a1, b2, ...} OPEN  =>  GLOB PAIR s * OPEN     erase ?s
 *
 * A hole with one text is that literal, a hole with others a capture. A choice of up to `max_set` texts is a list of
 * them, one of more texts a capture of their type: int, word, or any.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_TEXT_H
#define DP_LEARN_DUSTER_TEXT_H

#include "learn/duster/outline.h"
#include "learn/phrase/phrase.h"

/* The texts of one hole. */
typedef struct dp_duster_filling {
    uint32_t n; /* different ones, up to one more than fit into a set */
    bool     all_int, all_word;
    dp_str   v[DP_DUSTER_SET + 1]; /* [n] */
} dp_duster_filling;

/* An outline of one instance or more. */
typedef struct dp_duster_union {
    dp_duster_outline outline; /* of the first */
    uint32_t          max_set;
    dp_duster_filling of[DP_DUSTER_MARKS]; /* of each mark that is a hole */
} dp_duster_union;

void dp_duster_union_init(dp_duster_union *u, const dp_duster_outline *first, uint32_t max_set);

/* Add what stands in the holes of another one that is the same. */
void dp_duster_union_add(dp_duster_union *u, const dp_duster_outline *o);

/* Say it under the host line `hosts`. out->why tells why it has no text. DP_ENOMEM. */
dp_err dp_duster_say(dp_phrase *out, const dp_duster_union *u, dp_str hosts, dp_arena *a);

#endif
