/* content/squeeze.h - text with every run of white space as one blank.
 *
 *     dp_squeeze s = {.out = &buf};
 *     dp_squeeze_add(&s, "  a \n"); dp_squeeze_add(&s, "b"); dp_squeeze_gap(&s);      "a b"
 *
 * White space is what Unicode calls so, and all control characters. The text has none at its
 * ends, whatever was added and in how many pieces. content/html.c and content/page.c write
 * with it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_SQUEEZE_H
#define DP_CONTENT_SQUEEZE_H

#include "base/buf.h"

typedef struct dp_squeeze {
    dp_buf *out;   /* empty at the start */
    bool    gap;   /* white space was seen behind what is in `out` */
} dp_squeeze;

/* Append valid UTF-8 that does not begin or end inside a character. */
void dp_squeeze_add(dp_squeeze *s, dp_str text);

/* What comes next is a word of its own. */
static inline void dp_squeeze_gap(dp_squeeze *s)
{
    s->gap = true;
}

#endif
