/* base/words/strlist.h - many strings in little memory.
 *
 *     text:  a.com/xb.com/y       end:  7 14       string 1 is text[7..14)
 *
 * Eight bytes a string beside its text, no allocation for each. A zeroed dp_strlist is valid
 * and empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_STRLIST_H
#define DP_BASE_WORDS_STRLIST_H

#include "base/buf.h"

typedef struct dp_strlist {
    dp_buf    text;
    uint64_t *end; /* [n] */
    size_t    n, cap;
} dp_strlist;

/* Append a copy; false, with nothing appended, when memory is out. */
bool dp_strlist_add(dp_strlist *l, dp_str s);

/* String `i`, until the next is added. */
static inline dp_str dp_strlist_get(const dp_strlist *l, size_t i)
{
    uint64_t begin = i ? l->end[i - 1] : 0;
    return (dp_str){l->text.p + begin, (size_t)(l->end[i] - begin)};
}

void dp_strlist_done(dp_strlist *l);

#endif
