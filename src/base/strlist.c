/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strlist.h"

#include <stdlib.h>

bool dp_strlist_add(dp_strlist *l, dp_str s)
{
    if (l->n == l->cap) {
        size_t    cap = l->cap ? l->cap + l->cap / 2 : 1024;
        uint64_t *end = cap <= SIZE_MAX / sizeof *end ? realloc(l->end, cap * sizeof *end) : NULL;
        if (!end)
            return false;
        l->end = end;
        l->cap = cap;
    }
    /* Never NULL, so that an empty string has a place, too. */
    if (!dp_buf_room(&l->text, s.n + !l->text.p)) {
        l->text.failed = false;
        return false;
    }
    dp_buf_str(&l->text, s);
    l->end[l->n++] = l->text.n;
    return true;
}

void dp_strlist_done(dp_strlist *l)
{
    dp_buf_done(&l->text);
    free(l->end);
    *l = (dp_strlist){0};
}
