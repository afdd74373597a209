/* support/draw.h - what world_rules.c, world_url.c and world_bytes.c draw from, and write with.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_DRAW_H
#define DP_SUPPORT_DRAW_H

#include "support/world.h"

typedef struct text {
    char     *p;
    size_t    n, cap;
    dp_arena *a;
} text;

void   add_str(text *t, dp_str s);
void   add(text *t, const char *z);
void   add_char(text *t, char c);
void   addf(text *t, const char *format, ...) __attribute__((format(printf, 2, 3))); /* at most 511 bytes */
dp_str view(const text *t);

/* True in `percent` of 100 draws. */
bool   chance(dp_rng *g, unsigned percent);
size_t below(dp_rng *g, size_t n);

#define PICK(g, table) ((table)[below((g), DP_COUNT(table))])

/* Words of the tiny vocabularies; mostly plain ones. */
const char *draw_host_name(dp_rng *g);
const char *draw_word(dp_rng *g);       /* a segment; may be empty */
const char *draw_plain_word(dp_rng *g);
const char *draw_odd_word(dp_rng *g);
const char *draw_name(dp_rng *g);       /* of a parameter */
const char *draw_odd_name(dp_rng *g);   /* may be empty */
const char *draw_value(dp_rng *g);      /* may be empty */
const char *draw_plain_value(dp_rng *g);
const char *draw_odd_value(dp_rng *g);

#endif
