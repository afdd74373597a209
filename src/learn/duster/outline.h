/* learn/duster/outline.h - an instance as a list of marks, more or less general: what pages may have in common.
 *
 *     /news/7/print?s=a1  =>  /news/7?s=*           of s, several values were seen, of print only one
 *
 *     plain         SEG hole(news)  SEG hole(7)  SEG print  PAIR s hole(a1)   =>  SEG #1  SEG #2  PAIR s *
 *     by section    SEG news        SEG hole(7)  SEG print  ...
 *     elastic       GLOB                         SEG print  PAIR s hole(a1) OPEN  =>  GLOB  PAIR s * OPEN
 *
 * Literals are part of an outline; what stands in a hole is not, and says only what is written there: a literal when it
 * is the same on all pages, else a capture. What varies inside a page is a literal (DP_DUSTER_AS_TEXT), a hole for each
 * word (AS_WORDS) or one for the whole segment (AS_PARTS). Values of parameters are whole in both.
 *
 * Three questions with two or three answers each are the levels; all of them are tried. Level x is more general
 * than y when no answer is more special.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_OUTLINE_H
#define DP_LEARN_DUSTER_OUTLINE_H

#include "learn/duster/instance.h"

typedef enum dp_duster_variants { DP_DUSTER_AS_PARTS, DP_DUSTER_AS_WORDS, DP_DUSTER_AS_TEXT } dp_duster_variants;

typedef struct dp_duster_level {
    bool               is_exact;   /* all segments and pairs are written; else only those near what changes */
    bool               is_section; /* the first segment is a literal */
    dp_duster_variants variants;
} dp_duster_level;

enum { DP_DUSTER_LEVELS = 12 };

/* Level number `i`; those that are more general come first. */
dp_duster_level dp_duster_level_of(uint32_t i);
bool            dp_duster_is_wider(uint32_t i, uint32_t than);

typedef enum dp_duster_op {
    DP_DUSTER_FROM_SCHEME, /* text; only where scheme or host change */
    DP_DUSTER_FROM_HOST,
    DP_DUSTER_TO_SCHEME,
    DP_DUSTER_TO_HOST,
    DP_DUSTER_TO,      /* the right side begins */
    DP_DUSTER_SEG,     /* a segment begins */
    DP_DUSTER_GLOB,    /* {**} */
    DP_DUSTER_PAIR,    /* text: its name; number: which of that name, from 1 */
    DP_DUSTER_BARE,    /* the same without '=' */
    DP_DUSTER_PRESENT, /* text: a name; whatever its value */
    DP_DUSTER_CLOSED,  /* the query has no other pairs */
    DP_DUSTER_OPEN,    /* it may */
    DP_DUSTER_LITERAL, /* text */
    DP_DUSTER_HOLE,    /* text: what stands there; fixed inside a page */
    DP_DUSTER_CHOICE,  /* the same, and varies inside a page */
    DP_DUSTER_REF,     /* number: of the hole whose text is written */
    DP_DUSTER_FIRST,   /* text: the first of those that vary */
    DP_DUSTER_STAR     /* whatever stood there */
} dp_duster_op;

typedef struct dp_duster_mark {
    uint8_t  op; /* dp_duster_op */
    uint32_t number;
    dp_str   text;
} dp_duster_mark;

enum { DP_DUSTER_MARKS = 6 * DP_DUSTER_TOKENS };

typedef struct dp_duster_outline {
    uint32_t       n;
    uint64_t       hash; /* of all but texts of holes */
    dp_duster_mark v[DP_DUSTER_MARKS];
} dp_duster_outline;

/* False when the instance has none at that level: a slot of the canonical form is not one of the URL. */
bool dp_duster_outline_make(dp_duster_outline *out, const dp_duster_instance *i, uint32_t level);

/* Whether they are equal, but for the texts in holes. */
bool dp_duster_outline_same(const dp_duster_outline *x, const dp_duster_outline *y);

#endif
