/* input/bytes/window.h - a piece of a stream held in memory, from which formats take lines and blocks.
 *
 *     ... used | at ........ n | room          fill: move what is not used to the front,
 *              └─ not used ─┘                  read more behind it, grow when that is not enough
 *
 * Reads input/bytes/stream.h; input/reader.c gives each file one, and its format reads from it.
 *
 * Invariants:
 *   - Views of the window stay good until the next call.
 *   - No memory is taken once it has grown to the longest line or block.
 *   - When the stream breaks, `broken` says why, and what came before is given first. A last
 *     line that was cut by the break is not given; one that merely has no LF is.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_BYTES_WINDOW_H
#define DP_INPUT_BYTES_WINDOW_H

#include "base/err.h"
#include "base/str.h"
#include "input/bytes/stream.h"

typedef struct dp_window {
    dp_stream *stream; /* the window's */
    char      *p;      /* [cap] */
    size_t     at, n, cap;
    uint64_t   read;   /* bytes of all streams so far */
    bool       ended;  /* the stream has no more */
    dp_err     broken; /* DP_OK, or what the stream failed with at its end */
    dp_error   why;
} dp_window;

/* Take the stream. The window must be zeroed. */
void dp_window_init(dp_window *w, dp_stream *s);
void dp_window_done(dp_window *w);

/* Read until `need` bytes are there or the stream ends. DP_EIO, DP_ENOMEM. */
dp_err dp_window_fill(dp_window *w, size_t need, dp_error *err);

/* The next line, without LF and a CR before it; *more false at the end. DP_EIO, DP_ENOMEM, DP_ELIMIT: it is longer than
 * DP_LONGEST_LINE. */
dp_err dp_window_fill_line(dp_window *w, dp_str *line, bool *more, dp_error *err);

static inline dp_err dp_window_line(dp_window *w, dp_str *line, bool *more, dp_error *err)
{
    if (w->at == w->n)
        return dp_window_fill_line(w, line, more, err);
    const char *from = w->p + w->at, *end = memchr(from, '\n', w->n - w->at);
    if (!end)
        return dp_window_fill_line(w, line, more, err);
    w->at += (size_t)(end - from) + 1;
    *line = (dp_str){from, (size_t)(end - from) - (end > from && end[-1] == '\r')};
    *more = true;
    return DP_OK;
}

/* What is there and not used. */
static inline dp_str dp_window_view(const dp_window *w)
{
    return w->p ? (dp_str){w->p + w->at, w->n - w->at} : DP_STR("");
}

static inline void dp_window_use(dp_window *w, size_t n)
{
    w->at += n;
}

/* After a break: drop what is there and go on behind it, where the stream can. */
bool dp_window_resume(dp_window *w);

#endif
