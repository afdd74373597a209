/* input/bytes/codec.h - the compressed formats that streams read, as a table.
 *
 *     compressed bytes ── dp_codec.run ──► bytes        gzip.c  zstd.c  bzip2.c
 *
 * input/bytes/stream.h picks one by the first bytes of a file and drives it. To add one:
 * a file with a dp_codec, its declaration here and a row in dp_codecs[] (stream.c).
 *
 * Invariants:
 *   - run() stops only when the room or the input is used up, or something is wrong;
 *     what it decoded before it saw something wrong is in the room.
 *   - Several members (gzip), frames (zstd) or streams (bzip2) one after another read
 *     as one; anything else after the end is an error.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_BYTES_CODEC_H
#define DP_INPUT_BYTES_CODEC_H

#include <limits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

typedef struct dp_flow {
    const char *in;   /* compressed bytes not used yet; run() moves it */
    size_t      in_n;
    char       *out;  /* room not used yet; run() moves it */
    size_t      out_n;
    bool        last; /* nothing comes after `in` */
    const char *why;  /* what is wrong, when run() gives DP_ESYNTAX; a constant */
    size_t      used; /* then, of gzip: bytes before `in` that the broken member had */
} dp_flow;

/* As much of `n` bytes as a library takes at once that counts in unsigned. */
static inline unsigned dp_flow_fit(size_t n)
{
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

/* A library has read `in` bytes and written `out`. */
static inline void dp_flow_move(dp_flow *f, size_t in, size_t out)
{
    f->in += in;
    f->in_n -= in;
    f->out += out;
    f->out_n -= out;
}

typedef struct dp_codec {
    const char *name;
    dp_str      magic[2]; /* the first bytes, one or the other; '?' stands for any byte */
    dp_err (*open)(void **state);
    /* Decode. DP_OK with `last`, no input and no output: all is read and was complete. */
    dp_err (*run)(void *state, dp_flow *flow);
    void (*close)(void *state);
} dp_codec;

#define DP_MAGIC(literal) {"" literal, sizeof(literal) - 1}

extern const dp_codec dp_gzip, dp_zstd, dp_bzip2;

/* Not for files: what HTTP calls deflate, with zlib's header and without. */
extern const dp_codec dp_zlib, dp_deflate;

/* Append all that `in` decodes to, up to `max` bytes in `out`. DP_ESYNTAX when something is
 * wrong; what came before is in `out`. DP_ENOMEM. */
dp_err dp_codec_decode(const dp_codec *c, dp_buf *out, dp_str in, size_t max);

#endif
