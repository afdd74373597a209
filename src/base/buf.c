/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/room.h"

bool dp_buf_grow(dp_buf *b, size_t more)
{
    if (b->failed)
        return false;
    size_t limit = b->max ? b->max : SIZE_MAX / 2;
    if (more > limit || b->n > limit - more) {
        b->failed = true;
        return false;
    }
    size_t need = b->n + more;
    if (need <= b->cap)
        return true;
    size_t cap = b->cap < 128 ? 128 : b->cap;
    while (cap < need)
        cap += cap / 2;
    if (b->max && cap > b->max)
        cap = b->max;
    b->failed = !DP_RESIZE(b->p, cap);
    b->cap = b->failed ? b->cap : cap;
    return !b->failed;
}

void dp_buf_printf(dp_buf *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    /* One byte more: vsnprintf always writes a NUL, which is then not counted. */
    if (n < 0)
        b->failed = true;
    else if (dp_buf_room(b, (size_t)n + 1)) {
        vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

void dp_buf_done(dp_buf *b)
{
    free(b->p);
    *b = (dp_buf){.max = b->max};
}
