/* bzip2.c - bzip2 through libbz2; the only file that knows it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <bzlib.h>
#include <stdlib.h>

#include "input/bytes/codec.h"

typedef struct bzip2_state {
    bz_stream z;
    bool      inside; /* of a stream: z is initialised */
    bool      again;  /* a stream came before */
} bzip2_state;

static dp_err bzip2_open(void **state)
{
    *state = calloc(1, sizeof(bzip2_state));
    return *state ? DP_OK : DP_ENOMEM;
}

static void bzip2_close(void *state)
{
    bzip2_state *s = state;
    if (s->inside)
        BZ2_bzDecompressEnd(&s->z);
    free(s);
}

/* One call of libbz2. */
static int step(bzip2_state *s, dp_flow *f)
{
    unsigned in = dp_flow_fit(f->in_n), out = dp_flow_fit(f->out_n);
    union {
        const char *c;
        char       *p;
    } from = {f->in}; /* libbz2 reads only, but says char * */
    s->z.next_in = from.p;
    s->z.avail_in = in;
    s->z.next_out = f->out;
    s->z.avail_out = out;
    int code = BZ2_bzDecompress(&s->z);
    dp_flow_move(f, in - s->z.avail_in, out - s->z.avail_out);
    return code;
}

static dp_err bzip2_run(void *state, dp_flow *f)
{
    bzip2_state *s = state;
    while (f->out_n) {
        if (!s->inside) {
            if (!f->in_n)
                return DP_OK;
            s->z = (bz_stream){0};
            if (BZ2_bzDecompressInit(&s->z, 0, 0) != BZ_OK)
                return DP_ENOMEM;
            s->inside = true;
        }
        size_t in_n = f->in_n, out_n = f->out_n;
        switch (step(s, f)) {
        case BZ_STREAM_END:
            BZ2_bzDecompressEnd(&s->z);
            s->inside = false;
            s->again = true;
            break;
        case BZ_OK:
            if (f->in_n != in_n || f->out_n != out_n)
                break;
            if (!f->last)
                return DP_OK;
            f->why = "the data ends too early";
            return DP_ESYNTAX;
        case BZ_MEM_ERROR: return DP_ENOMEM;
        case BZ_DATA_ERROR_MAGIC:
            f->why = s->again ? "garbage after the end" : "unknown header";
            return DP_ESYNTAX;
        default: f->why = "a checksum or code is wrong"; return DP_ESYNTAX;
        }
    }
    return DP_OK;
}

/* The block size as a digit, then the first block or, of nothing, the end. */
const dp_codec dp_bzip2 = {"bzip2",
                           {DP_MAGIC("BZh?\x31\x41\x59\x26\x53\x59"), DP_MAGIC("BZh?\x17\x72\x45\x38\x50\x90")},
                           bzip2_open,
                           bzip2_run,
                           bzip2_close};
