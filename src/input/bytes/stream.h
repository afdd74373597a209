/* input/bytes/stream.h - the bytes of a file or of standard input, decompressed.
 *
 *     path or "-" ── read() ──► gzip, zstd, bzip2 by content, else plain ──► bytes
 *
 * input/bytes/lines.h cuts the bytes into lines, input/bytes/window.h into lines and blocks.
 *
 * Invariants:
 *   - Bytes that were read before something went wrong are given first; the failure
 *     comes with the next call, and with every one after it.
 *   - A read gives what there is and waits only when there is nothing, so lines typed
 *     into a pipe are seen at once.
 *   - Plain bytes go straight into the caller's memory.
 *   - Looking at the first bytes changes nothing of what is read.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_BYTES_STREAM_H
#define DP_INPUT_BYTES_STREAM_H

#include "base/err.h"
#include "base/str.h"

typedef struct dp_stream dp_stream;

/* Bytes of a line, at most: a few megabytes of gzip can hold a line of gigabytes. */
enum { DP_LONGEST_LINE = 16 << 20 };
#define DP_LINE_TOO_LONG "this line is longer than 16 MiB; is it a file of lines, and --format right?"

/* DP_EIO when there is no such file, it is a directory or cannot be read; DP_ENOMEM. */
dp_err dp_stream_open(dp_stream **out, const char *path, dp_error *err);

/* How messages call it. */
const char *dp_stream_name(const dp_stream *s);

/* Put 1 to `cap` bytes into `to` and their number into `*n`; 0 at the end of the file.
 * DP_EIO, DP_ESYNTAX when compressed data is broken or ends too early, DP_ENOMEM. */
dp_err dp_stream_read(dp_stream *s, char *to, size_t cap, size_t *n, dp_error *err);

/* The first bytes, before any are read: `want` of them, fewer when the file is shorter or breaks
 * (which the read that comes to it tells). With `eager` it waits for one line only. They live
 * until the next read; to ask again gives the same. DP_EIO, DP_ESYNTAX when there are none at all, DP_ENOMEM. */
dp_err dp_stream_peek(dp_stream *s, size_t want, bool eager, dp_str *head, dp_error *err);

/* For who finds no sense in the first bytes: whether they are what was packed. Of bzip2 a block comes out before it is
 * known to be whole. Some bytes are read and lost. DP_EIO, DP_ESYNTAX when compressed data is broken, DP_ENOMEM. */
dp_err dp_stream_check(dp_stream *s, dp_error *err);

/* After DP_ESYNTAX, where the file is gzip: go on at the next member. False when there is none. */
bool dp_stream_resume(dp_stream *s);

/* Bytes of the file (before decompression) read so far. */
uint64_t dp_stream_done(const dp_stream *s);

void dp_stream_close(dp_stream *s);

#endif
