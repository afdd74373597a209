/* A column of URLs to a column of keys, in the layout that Apache Arrow gives strings, or as lines.
 *
 *     offsets  0   14        31            text  http://a.com/1http://a.com/2?x
 *                                                └─ offsets[0] ─┘└─ to offsets[2] ─┘
 *
 * The text of the URLs is read where it lies. Offsets are taken in pieces that fit into a cache and
 * given to dp_apply_batch; the keys' text grows as they come.
 *
 * Invariants:
 *   - The offsets of the keys are as wide as those of the URLs, and begin with 0.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "apply/engine.h"
#include "base/buf.h"

enum { PIECE = 1024 };

struct dp_batch {
    dp_buf text;
    char  *offsets; /* [count + 1] of 4 or 8 bytes; NULL: lines */
};

/* The column that is read. */
typedef struct column {
    const char *text;
    size_t      size;
    const char *offsets;
    unsigned    width; /* bytes of an offset */
} column;

static uint64_t offset_at(const column *c, size_t i)
{
    int32_t  narrow;
    uint64_t wide;
    if (c->width == 8) {
        memcpy(&wide, c->offsets + i * 8, 8);
        return wide;
    }
    memcpy(&narrow, c->offsets + i * 4, 4);
    return (uint64_t)(int64_t)narrow; /* what is negative is beyond every text */
}

static dp_err put_offset(dp_batch *b, unsigned width, size_t i, uint64_t value)
{
    int32_t narrow = (int32_t)value;
    if (width == 8)
        memcpy(b->offsets + i * 8, &value, 8);
    else
        memcpy(b->offsets + i * 4, &narrow, 4);
    return width == 4 && value > INT32_MAX ? DP_ELIMIT : DP_OK;
}

/* Offsets of the `n` URLs from `first` on; they must lie in the text, one behind the other. */
static dp_err read_piece(uint64_t *at, const column *c, size_t first, size_t n)
{
    for (size_t i = 0; i <= n; i++) {
        at[i] = offset_at(c, first + i);
        if (at[i] > c->size || (i && at[i] < at[i - 1]))
            return DP_EINVALID;
    }
    return DP_OK;
}

static dp_err apply_all(dp_batch *b, const dp_engine *e, dp_scratch *s, dp_form form, const column *c, size_t count)
{
    uint64_t at[PIECE + 1], ends[PIECE];
    for (size_t i = 0, n, done; i < count; i += done) {
        n = count - i < PIECE ? count - i : PIECE;
        DP_TRY(read_piece(at, c, i, n));
        done = dp_apply_batch(e, s, form, c->text, at, n, 0, b->text.p + b->text.n, b->text.cap - b->text.n, ends,
                              NULL);
        if (done == (size_t)-1)
            return DP_ENOMEM;
        for (size_t k = 0; k < done; k++)
            DP_TRY(put_offset(b, c->width, i + k + 1, b->text.n + ends[k]));
        b->text.n += done ? ends[done - 1] : 0;
        /* Keys may be longer than URLs, so there may be no room even for what looks short. */
        if (done < n && !dp_buf_grow(&b->text, b->text.cap - b->text.n + at[n] - at[done] + PIECE))
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_batch_apply(dp_batch **out, const dp_engine *e, dp_scratch *s, dp_form form, const char *text, size_t size,
                      const void *offsets, unsigned width, size_t count)
{
    column c = {text ? text : "", size, offsets, width};
    if (width != 4 && width != 8)
        return DP_EINVALID;
    if (count >= SIZE_MAX / 8)
        return DP_ELIMIT;
    dp_batch *b = calloc(1, sizeof *b);
    dp_err    code = DP_ENOMEM;
    if (b)
        b->offsets = malloc((count + 1) * width);
    if (b && b->offsets) {
        uint64_t from = count ? offset_at(&c, 0) : 0, to = count ? offset_at(&c, count) : 0;
        code = put_offset(b, width, 0, 0);
        if (count && (to > size || from > to))
            code = DP_EINVALID;
        else if (!dp_buf_room(&b->text, to - from + PIECE))
            code = DP_ENOMEM;
        if (code == DP_OK)
            code = apply_all(b, e, s, form, &c, count);
    }
    if (code == DP_OK)
        *out = b;
    else
        dp_batch_free(b);
    return code;
}

/* Where the next lines begin, PIECE of them at most, and where the last ends; `*n` says how many. A line feed that is
 * not there stands behind the text. */
static void cut_lines(uint64_t *at, size_t *n, const char *text, size_t size, uint64_t from)
{
    at[0] = from;
    for (*n = 0; *n < PIECE && at[*n] <= size; ++*n) {
        const char *p = text + at[*n], *end = at[*n] < size ? memchr(p, '\n', size - at[*n]) : NULL;
        at[*n + 1] = (end ? (uint64_t)(end - text) : size) + 1;
    }
}

static dp_err apply_lines(dp_batch *b, const dp_engine *e, dp_scratch *s, dp_form form, const char *text, size_t size)
{
    uint64_t at[PIECE + 1], ends[PIECE];
    for (uint64_t from = 0; from <= size;) {
        size_t n, done;
        cut_lines(at, &n, text, size, from);
        done = dp_apply_batch(e, s, form, text, at, n, 1, b->text.p + b->text.n, b->text.cap - b->text.n, ends, NULL);
        if (done == (size_t)-1)
            return DP_ENOMEM;
        b->text.n += done ? ends[done - 1] + 1 : 0;
        from = at[done];
        if (done < n && !dp_buf_grow(&b->text, b->text.cap - b->text.n + at[n] - at[done] + PIECE))
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_batch_lines(dp_batch **out, const dp_engine *e, dp_scratch *s, dp_form form, const char *text, size_t size)
{
    dp_batch *b = calloc(1, sizeof *b);
    dp_err    code = b && dp_buf_room(&b->text, size + PIECE) ? DP_OK : DP_ENOMEM;
    if (code == DP_OK)
        code = apply_lines(b, e, s, form, text ? text : "", size);
    if (code == DP_OK)
        *out = b;
    else
        dp_batch_free(b);
    return code;
}

void dp_batch_free(dp_batch *b)
{
    if (!b)
        return;
    dp_buf_done(&b->text);
    free(b->offsets);
    free(b);
}

const char *dp_batch_text(const dp_batch *b, size_t *n)
{
    *n = b->text.n;
    return b->text.p;
}

const void *dp_batch_offsets(const dp_batch *b)
{
    return b->offsets;
}
