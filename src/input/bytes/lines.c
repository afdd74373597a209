/* SPDX-License-Identifier: Apache-2.0 */
#include "input/bytes/lines.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/room.h"

struct dp_lines {
    dp_lines_options o;
    dp_stream       *stream; /* of paths[at]; NULL: not opened yet */
    size_t           at;
    uint64_t         line; /* of the first byte of the next chunk */
    uint64_t         done; /* of the files before */
    uint64_t         total;
    bool             stopped; /* before the file that is open */
    dp_buf           rest; /* begin of a line whose end was not in the chunk */
};

/* The size of all files together, 0 when one is not a regular file. */
static uint64_t total_size(const dp_lines_options *o)
{
    uint64_t    sum = 0;
    struct stat st;
    for (size_t i = 0; i < o->count; i++) {
        bool is_stdin = strcmp(o->paths[i], "-") == 0;
        if ((is_stdin ? fstat(0, &st) : stat(o->paths[i], &st)) != 0 || !S_ISREG(st.st_mode))
            return 0;
        sum += (uint64_t)st.st_size;
    }
    return sum;
}

dp_err dp_lines_open(dp_lines **out, const dp_lines_options *o, dp_error *err)
{
    dp_lines *l = calloc(1, sizeof *l);
    if (!l)
        return dp_no_memory(err);
    l->o = *o;
    if (!l->o.chunk)
        l->o.chunk = DP_CHUNK_SIZE;
    l->line = 1;
    l->total = total_size(o);
    *out = l;
    return DP_OK;
}

uint64_t dp_lines_total(const dp_lines *l)
{
    return l->total;
}

void dp_lines_close(dp_lines *l)
{
    if (!l)
        return;
    dp_stream_close(l->stream);
    dp_buf_done(&l->rest);
    free(l);
}

static dp_err grow(dp_chunk *c, size_t cap)
{
    if (cap <= c->cap)
        return DP_OK;
    if (!DP_RESIZE(c->p, cap))
        return DP_ENOMEM;
    c->cap = cap;
    return DP_OK;
}

/* Put the lines up to the last LF into the chunk, the rest aside. A file that is at its
 * end has no rest. */
static dp_err cut(dp_lines *l, dp_chunk *c, size_t whole)
{
    dp_buf_add(&l->rest, c->p + whole, c->n - whole);
    if (l->rest.failed)
        return DP_ENOMEM;
    c->n = whole;
    c->bytes = whole;
    c->path = l->o.paths[l->at];
    c->first_line = l->line;
    c->done = l->done + dp_stream_done(l->stream);
    l->line += dp_count_lines(c->p, c->n);
    return DP_OK;
}

static void next_file(dp_lines *l)
{
    l->done += dp_stream_done(l->stream);
    dp_stream_close(l->stream);
    l->stream = NULL;
    l->line = 1;
    l->at++;
}

/* Fill the chunk from the open file; c->n stays 0 when the file is at its end. */
static dp_err fill(dp_lines *l, dp_chunk *c, dp_error *err)
{
    size_t whole = 0; /* bytes up to the last LF */
    c->n = 0;
    /* One byte is kept free for the LF that the file may not end with. */
    size_t first = l->o.chunk > l->rest.n ? l->o.chunk : l->rest.n * 2;
    if (grow(c, first + 1) != DP_OK)
        return dp_fail_at(err, DP_ENOMEM, dp_path_name(l->o.paths[l->at]), l->line, 0, "out of memory");
    if (l->rest.n)
        memcpy(c->p, l->rest.p, l->rest.n);
    c->n = l->rest.n;
    dp_buf_reset(&l->rest);
    while (!whole || (!l->o.eager && c->n < l->o.chunk)) {
        size_t n;
        if (!whole && c->n > DP_LONGEST_LINE)
            return dp_fail_at(err, DP_ELIMIT, dp_path_name(l->o.paths[l->at]), l->line, 0, DP_LINE_TOO_LONG);
        if (c->n + 1 >= c->cap && grow(c, c->cap + c->cap / 2) != DP_OK)
            return dp_fail_at(err, DP_ENOMEM, dp_path_name(l->o.paths[l->at]), l->line, 0, "out of memory");
        /* A chunk that has grown for a long line is filled only as far as any other. */
        size_t room = c->cap - 1 - c->n;
        if (c->n < l->o.chunk && room > l->o.chunk - c->n)
            room = l->o.chunk - c->n;
        dp_err code = dp_stream_read(l->stream, c->p + c->n, room, &n, err);
        if (code != DP_OK && !whole)
            return code;
        if (code != DP_OK)
            break;
        if (!n) {
            bool add = c->n > whole;
            if (add)
                c->p[c->n++] = '\n';
            if (cut(l, c, c->n) != DP_OK)
                return DP_ENOMEM;
            c->bytes -= add;
            return DP_OK;
        }
        const char *end = memrchr(c->p + c->n, '\n', n);
        if (end)
            whole = (size_t)(end - c->p) + 1;
        c->n += n;
    }
    return cut(l, c, whole);
}

static dp_err open_file(dp_lines *l, dp_error *err)
{
    bool are_lines = true;
    DP_TRY(dp_stream_open(&l->stream, l->o.paths[l->at], err));
    if (l->o.look)
        DP_TRY(l->o.look(l->o.ctx, l->stream, &are_lines, err));
    l->stopped = !are_lines;
    return DP_OK;
}

dp_stream *dp_lines_take(dp_lines *l, const char **path)
{
    dp_stream *s = l->stream;
    if (!l->stopped)
        return NULL;
    *path = l->o.paths[l->at++];
    l->stream = NULL;
    l->stopped = false;
    return s;
}

dp_err dp_lines_next(dp_lines *l, dp_chunk *c, dp_error *err)
{
    for (c->n = 0; l->at < l->o.count; next_file(l)) {
        if (!l->stream)
            DP_TRY(open_file(l, err));
        if (l->stopped)
            return DP_OK;
        DP_TRY(fill(l, c, err));
        if (c->n)
            return DP_OK;
    }
    return DP_OK;
}

/* Counted in bytes and in blocks of a known size, which compilers turn into vector code. */
enum { BLOCK = 240 };

size_t dp_count_lines(const char *p, size_t n)
{
    size_t count = 0;
    for (; n >= BLOCK; p += BLOCK, n -= BLOCK) {
        uint8_t some = 0;
        for (size_t i = 0; i < BLOCK; i++)
            some = (uint8_t)(some + (p[i] == '\n'));
        count += some;
    }
    for (size_t i = 0; i < n; i++)
        count += p[i] == '\n';
    return count;
}

void dp_chunk_strip_cr(dp_chunk *c)
{
    char *from = memchr(c->p, '\r', c->n), *end = c->p + c->n;
    if (!from)
        return;
    char *to = from;
    while (from < end) {
        /* `from` is at a CR: keep it unless LF follows, then take all up to the next. */
        if (from + 1 < end && from[1] == '\n')
            from++;
        else
            *to++ = *from++;
        char  *next = from < end ? memchr(from, '\r', (size_t)(end - from)) : NULL;
        size_t n = (size_t)((next ? next : end) - from);
        memmove(to, from, n);
        to += n;
        from += n;
    }
    c->n = (size_t)(to - c->p);
}

void dp_chunk_done(dp_chunk *c)
{
    free(c->p);
    *c = (dp_chunk){0};
}
