/* apply/firstcut.h - where a pattern cuts a text: the first cut in which everything holds (docs/rule-format.md 8.5).
 *
 *     {s:slug}-{n:int}.html      red-oak-chair-12.html      red-oak-chair | 12
 *
 * Of all cuts the one with the shortest first capture, then the shortest second, and so on. Asked by apply/match.c
 * where the leftmost place of each literal need not be it (DP_ITEM_CUTS). A table from right to left: for each capture
 * and each place, where the shortest one that begins there ends so that the rest fits, too. Linear in text x captures.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_FIRSTCUT_H
#define DP_APPLY_FIRSTCUT_H

#include "apply/image.h"

typedef struct dp_firstcut {
    const dp_im_rule *body;
    const dp_im_item *item; /* [n] of the pattern, two captures or more */
    uint32_t          n;
    dp_str            text;
    bool              condition; /* a plain capture may hold erased text */
    uint32_t         *table;     /* room for as many captures as there are, text.n places each */
} dp_firstcut;

/* Write the end of each capture to `end`, at most DP_MAX_CUT of them; false when there is no such cut. */
bool dp_firstcut_find(const dp_firstcut *c, uint32_t end[DP_MAX_CUT]);

#endif
