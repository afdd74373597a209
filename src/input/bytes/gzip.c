/* gzip.c - RFC 1952, and RFC 1950 and 1951 in HTTP bodies, through zlib; the only file that knows it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <zlib.h>

#include "input/bytes/codec.h"

typedef struct gzip_state {
    z_stream z;
    bool     between; /* a member has ended, none has begun since */
} gzip_state;

static void gzip_close(void *state)
{
    gzip_state *s = state;
    inflateEnd(&s->z);
    free(s);
}

/* One call of zlib. */
static int step(gzip_state *s, dp_flow *f)
{
    unsigned in = dp_flow_fit(f->in_n), out = dp_flow_fit(f->out_n);
    s->z.next_in = (z_const Bytef *)f->in;
    s->z.avail_in = in;
    s->z.next_out = (Bytef *)f->out;
    s->z.avail_out = out;
    int code = inflate(&s->z, Z_NO_FLUSH);
    dp_flow_move(f, in - s->z.avail_in, out - s->z.avail_out);
    return code;
}

static dp_err gzip_run(void *state, dp_flow *f)
{
    gzip_state *s = state;
    while (f->out_n) {
        if (s->between) {
            if (!f->in_n)
                return DP_OK;
            if (f->in[0] != '\x1f') {
                f->why = "garbage after the end";
                return DP_ESYNTAX;
            }
            s->between = false;
            if (inflateReset(&s->z) != Z_OK)
                return DP_ENOMEM;
        }
        switch (step(s, f)) {
        case Z_STREAM_END: s->between = true; break;
        case Z_OK: break;
        case Z_BUF_ERROR: /* it needs more input */
            if (!f->last)
                return DP_OK;
            f->why = "the data ends too early";
            f->used = s->z.total_in;
            return DP_ESYNTAX;
        case Z_MEM_ERROR: return DP_ENOMEM;
        case Z_NEED_DICT: f->why = "it needs a dictionary, which is not supported"; return DP_ESYNTAX;
        default:
            f->why = s->z.msg ? s->z.msg : "the data is damaged";
            f->used = s->z.total_in;
            return DP_ESYNTAX;
        }
    }
    return DP_OK;
}

/* `bits`: of the window, with 16 added for gzip's header, negative for none. */
static dp_err open_as(void **state, int bits)
{
    gzip_state *s = calloc(1, sizeof *s);
    if (!s)
        return DP_ENOMEM;
    if (inflateInit2(&s->z, bits) != Z_OK) {
        free(s);
        return DP_ENOMEM;
    }
    *state = s;
    return DP_OK;
}

static dp_err gzip_open(void **state)
{
    return open_as(state, 15 + 16);
}

static dp_err zlib_open(void **state)
{
    return open_as(state, 15);
}

static dp_err raw_open(void **state)
{
    return open_as(state, -15);
}

const dp_codec dp_gzip = {"gzip", {DP_MAGIC("\x1f\x8b")}, gzip_open, gzip_run, gzip_close};
const dp_codec dp_zlib = {"zlib", {DP_MAGIC("\x78")}, zlib_open, gzip_run, gzip_close};
const dp_codec dp_deflate = {"deflate", {DP_MAGIC("")}, raw_open, gzip_run, gzip_close};
