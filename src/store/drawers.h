/* store/drawers.h - many rows of bytes, in memory as long as they fit, in compressed files past that.
 *
 *     put(7, bytes) ──►  drawer 7: [chunk][chunk][chu..      over the limit:  FOLDER/0007: zstd blocks
 *     read(7)       ◄──  chunk after chunk, as they were put
 *
 * What is put at once is never cut in two. store/facts.h keeps the facts of sites in them, site/group.h's presences go
 * through them to be brought together by cluster.
 *
 * Invariants:
 *   - The bytes of a drawer come back in the order in which they were put, whether they went to a file or not.
 *   - Nothing is written before the limit is passed. Files are those of the folder given (store/folder.h), which
 *     removes them.
 *   - A block that cannot be written (disk full) or that is not what was written is an error that names the file.
 *
 * Memory: `limit` and one chunk a drawer; a reader has one chunk and its compressed form.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_DRAWERS_H
#define DP_STORE_DRAWERS_H

#include "base/buf.h"
#include "base/err.h"
#include "store/folder.h"

enum { DP_CHUNK = 64 << 10 /* bytes, about */ };

typedef struct dp_drawers dp_drawers;

/* `n` drawers whose files are number `first` and up of `folder`, which must outlive them. DP_ENOMEM. */
dp_err dp_drawers_new(dp_drawers **out, size_t n, size_t limit, dp_folder *folder, size_t first);

/* The same from the files that an earlier run has closed. DP_EIO, DP_ENOMEM. */
dp_err dp_drawers_load(dp_drawers **out, size_t n, dp_folder *folder, size_t first, dp_error *err);

/* DP_EIO, DP_ENOMEM. */
dp_err dp_drawers_put(dp_drawers *d, size_t drawer, dp_str bytes, dp_error *err);

/* After the last put: where some are in files, all are, and the files are safe. */
dp_err dp_drawers_close(dp_drawers *d, dp_error *err);

bool     dp_drawers_spilled(const dp_drawers *d);
uint64_t dp_drawers_bytes(const dp_drawers *d, size_t drawer); /* as put */

/* Give the memory of a drawer back; what is in its file stays. */
void dp_drawers_empty(dp_drawers *d, size_t drawer);
void dp_drawers_free(dp_drawers *d);

/* Reads one drawer; several may read at the same time. A zeroed one is valid. */
typedef struct dp_drawer_reader {
    dp_drawers *d;
    size_t      drawer, chunk;
    uint64_t    at; /* in the file */
    bool        drain; /* chunks in memory are given back when they were read */
    dp_buf      raw, packed;
} dp_drawer_reader;

void dp_drawer_reader_open(dp_drawer_reader *r, dp_drawers *d, size_t drawer, bool drain);

/* The next bytes, until the next call; n == 0 at the end. DP_EIO, DP_ENOMEM. */
dp_err dp_drawer_reader_next(dp_drawer_reader *r, dp_str *bytes, dp_error *err);
void   dp_drawer_reader_done(dp_drawer_reader *r);

#endif
