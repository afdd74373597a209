/* zstd.c - RFC 8878 through libzstd; the only file that knows it.
 *
 * Windows above 128 MiB (zstd --long) are refused, as zstd itself does unless told.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <zstd.h>

#include "input/bytes/codec.h"

typedef struct zstd_state {
    ZSTD_DStream *z;
    bool          inside; /* of a frame */
} zstd_state;

static dp_err zstd_open(void **state)
{
    zstd_state *s = calloc(1, sizeof *s);
    if (s && !(s->z = ZSTD_createDStream())) {
        free(s);
        s = NULL;
    }
    *state = s;
    return s ? DP_OK : DP_ENOMEM;
}

static void zstd_close(void *state)
{
    zstd_state *s = state;
    ZSTD_freeDStream(s->z);
    free(s);
}

static dp_err zstd_run(void *state, dp_flow *f)
{
    zstd_state *s = state;
    while (f->out_n) {
        ZSTD_inBuffer  in = {f->in, f->in_n, 0};
        ZSTD_outBuffer out = {f->out, f->out_n, 0};
        if (!f->in_n && !s->inside)
            return DP_OK;
        size_t code = ZSTD_decompressStream(s->z, &out, &in);
        dp_flow_move(f, in.pos, out.pos);
        if (ZSTD_isError(code)) {
            f->why = ZSTD_getErrorName(code);
            return DP_ESYNTAX;
        }
        s->inside = code != 0;
        if (!in.pos && !out.pos) {
            if (!f->last || !s->inside)
                return DP_OK;
            f->why = "the data ends too early";
            return DP_ESYNTAX;
        }
    }
    return DP_OK;
}

/* A frame, or the skippable frame that pzstd puts before each. */
const dp_codec dp_zstd = {
    "zstd", {DP_MAGIC("\x28\xb5\x2f\xfd"), DP_MAGIC("\x50\x2a\x4d\x18")}, zstd_open, zstd_run, zstd_close};
