/* SPDX-License-Identifier: Apache-2.0 */
#include "input/bytes/window.h"

#include <stdlib.h>

#include "base/room.h"

enum { FIRST_CAP = 256 << 10 /* stays in the second cache */ };

void dp_window_init(dp_window *w, dp_stream *s)
{
    w->stream = s;
}

void dp_window_done(dp_window *w)
{
    dp_stream_close(w->stream);
    free(w->p);
    *w = (dp_window){0};
}

/* Make room for one read at least, and for `need` bytes in all. */
static dp_err make_room(dp_window *w, size_t need)
{
    if (w->at) {
        memmove(w->p, w->p + w->at, w->n - w->at);
        w->n -= w->at;
        w->at = 0;
    }
    if (w->n < w->cap && need <= w->cap)
        return DP_OK;
    size_t cap = w->cap ? w->cap * 2 : FIRST_CAP;
    while (cap < need)
        cap *= 2;
    if (!DP_RESIZE(w->p, cap))
        return DP_ENOMEM;
    w->cap = cap;
    return DP_OK;
}

/* One read behind what is there. */
static dp_err read_more(dp_window *w, size_t need, dp_error *err)
{
    size_t n;
    if (make_room(w, need) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_stream_read(w->stream, w->p + w->n, w->cap - w->n, &n, &w->why);
    w->n += n;
    w->read += n;
    w->ended = code != DP_OK || !n;
    if (code == DP_OK)
        return DP_OK;
    w->broken = code;
    if (code != DP_ESYNTAX && err)
        *err = w->why;
    return code == DP_ESYNTAX ? DP_OK : code;
}

dp_err dp_window_fill(dp_window *w, size_t need, dp_error *err)
{
    if (need > SIZE_MAX / 4)
        return dp_fail_as(err, DP_ENOMEM);
    while (w->n - w->at < need && !w->ended)
        DP_TRY(read_more(w, need, err));
    return DP_OK;
}

dp_err dp_window_fill_line(dp_window *w, dp_str *line, bool *more, dp_error *err)
{
    size_t looked = 0; /* bytes known to hold no LF */
    for (;;) {
        dp_str      v = dp_window_view(w);
        const char *end = v.n > looked ? memchr(v.p + looked, '\n', v.n - looked) : NULL;
        if (end) {
            w->at += (size_t)(end - v.p) + 1;
            *line = (dp_str){v.p, (size_t)(end - v.p) - (end > v.p && end[-1] == '\r')};
            *more = true;
            return DP_OK;
        }
        looked = v.n;
        if (w->ended)
            break;
        if (looked > DP_LONGEST_LINE)
            return dp_fail(err, DP_ELIMIT, DP_LINE_TOO_LONG);
        DP_TRY(read_more(w, 0, err));
    }
    *more = looked > 0 && w->broken == DP_OK;
    *line = *more ? dp_window_view(w) : DP_STR("");
    line->n -= *more && line->p[line->n - 1] == '\r';
    w->at = w->n;
    return DP_OK;
}

bool dp_window_resume(dp_window *w)
{
    if (w->broken != DP_ESYNTAX || !dp_stream_resume(w->stream))
        return false;
    w->at = w->n;
    w->ended = false;
    w->broken = DP_OK;
    return true;
}
