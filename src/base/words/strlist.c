/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/strlist.h"

#include <stdlib.h>

#include "base/room.h"

bool dp_strlist_add(dp_strlist *l, dp_str s)
{
    if (!DP_ROOM(l->end, l->n, l->cap))
        return false;
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
