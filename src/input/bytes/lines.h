/* input/bytes/lines.h - files as big chunks of whole lines.
 *
 *     ...a.com/x\nb.com/y\nc.c | om/z\n...      a chunk ends at a line end; the rest
 *     └──────── chunk ──────┘   └─ next ─       begins the next one
 *
 * Reads input/bytes/stream.h. Workers take chunks one after another, each into its own
 * memory, and look at the lines without a lock.
 *
 * Invariants:
 *   - Every chunk ends with LF: a last line without one gets it.
 *   - A chunk holds lines of one file only, and at least one.
 *   - A line longer than a chunk makes the chunk grow; one of more than DP_LONGEST_LINE is an error.
 *   - No memory is taken once chunks and rest have grown.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_BYTES_LINES_H
#define DP_INPUT_BYTES_LINES_H

#include "base/err.h"
#include "base/str.h"
#include "input/bytes/stream.h"

enum { DP_CHUNK_SIZE = 1 << 20 };

typedef struct dp_chunk {
    char       *p; /* [cap], belongs to the chunk */
    size_t      n, cap;
    const char *path;       /* one of those given */
    uint64_t    first_line; /* from 1, in its file */
    uint64_t    bytes;      /* read from the stream for it: n less a LF that was added */
    uint64_t    done;       /* bytes of all files, before decompression, read up to here */
} dp_chunk;

typedef struct dp_lines dp_lines;

typedef struct dp_lines_options {
    const char *const *paths; /* [count], stay with the caller; "-" is standard input */
    size_t             count;
    size_t             chunk; /* bytes, 0: DP_CHUNK_SIZE */
    bool               eager; /* hand out what is there instead of filling the chunk */
    /* Asked of each file when it is opened: are these lines? Where they are not, the lines stop
     * before it. NULL: they all are. */
    dp_err (*look)(void *ctx, dp_stream *s, bool *are_lines, dp_error *err);
    void *ctx;
} dp_lines_options;

/* DP_ENOMEM. Files are opened as they are reached. */
dp_err dp_lines_open(dp_lines **out, const dp_lines_options *o, dp_error *err);

/* The next lines; c->n is 0 at the end of all files. `c` is zeroed before its first use.
 * Lines that were whole before a failure are given first. */
dp_err dp_lines_next(dp_lines *l, dp_chunk *c, dp_error *err);

/* The file before which the lines stopped, open, to be closed by the caller; `*path` is its. The lines go on
 * behind it. NULL: they ended. */
dp_stream *dp_lines_take(dp_lines *l, const char **path);

/* Bytes of all files, before decompression; 0 when some are no plain files. */
uint64_t dp_lines_total(const dp_lines *l);

void dp_lines_close(dp_lines *l);

/* Remove each CR that stands before a LF. */
void dp_chunk_strip_cr(dp_chunk *c);
void dp_chunk_done(dp_chunk *c);

/* How many LF there are. */
size_t dp_count_lines(const char *p, size_t n);

#endif
