/* base/buf.h - growing output.
 *
 *     dp_buf b = {.max = 1 << 20};
 *     dp_buf_str(&b, url); dp_buf_byte(&b, '\n');
 *     if (b.failed) ...                      failure is sticky: append freely, check once
 *     dp_buf_done(&b);
 *
 * Invariants:
 *   - A zeroed dp_buf is valid and empty; max 0 means no limit.
 *   - After a failure `n` no longer grows and the bytes written so far stay.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_BUF_H
#define DP_BASE_BUF_H

#include "base/str.h"

typedef struct dp_buf {
    char  *p;
    size_t n, cap;
    size_t max; /* bytes, 0: none */
    bool   failed;
} dp_buf;

/* Make room for `more` bytes; false (and failed) when that cannot be. */
bool dp_buf_grow(dp_buf *b, size_t more);

static inline bool dp_buf_room(dp_buf *b, size_t more)
{
    return (!b->failed && more <= b->cap - b->n) || dp_buf_grow(b, more);
}

static inline void dp_buf_byte(dp_buf *b, char c)
{
    if (dp_buf_room(b, 1))
        b->p[b->n++] = c;
}

static inline void dp_buf_add(dp_buf *b, const char *p, size_t n)
{
    if (n && dp_buf_room(b, n)) {
        memcpy(b->p + b->n, p, n);
        b->n += n;
    }
}

static inline void dp_buf_str(dp_buf *b, dp_str s)
{
    dp_buf_add(b, s.p, s.n);
}

static inline void dp_buf_c(dp_buf *b, const char *z)
{
    dp_buf_add(b, z, strlen(z));
}

void dp_buf_printf(dp_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline dp_str dp_buf_view(const dp_buf *b)
{
    return (dp_str){b->p, b->n};
}

/* Empty it, keep the memory. */
static inline void dp_buf_reset(dp_buf *b)
{
    b->n = 0;
    b->failed = false;
}

void dp_buf_done(dp_buf *b);

#endif
