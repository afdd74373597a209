/* store/buckets.h - many rows of bytes, in memory as long as they fit, in compressed files past that.
 *
 *     put(7, bytes) ──►  bucket 7: [chunk][chunk][chu..      over the limit:  FOLDER/0007: zstd blocks
 *     read(7)       ◄──  chunk after chunk, as they were put
 *
 * What is put at once is never cut in two. store/facts.h keeps the facts of sites in them, site/group.h's presences go
 * through them to be brought together by cluster.
 *
 * Invariants:
 *   - The bytes of a bucket come back in the order in which they were put, whether they went to a file or not.
 *   - Nothing is written before the limit is passed. Files are those of the folder given (store/folder.h), which
 *     removes them.
 *   - A block that cannot be written (disk full) or that is not what was written is an error that names the file.
 *
 * Memory: `limit` and one chunk a bucket; a reader has one chunk and its compressed form.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_BUCKETS_H
#define DP_STORE_BUCKETS_H

#include "base/buf.h"
#include "base/err.h"
#include "store/folder.h"

enum { DP_CHUNK = 64 << 10 /* bytes, about */ };

typedef struct dp_buckets dp_buckets;

/* `n` buckets whose files are number `first` and up of `folder`, which must outlive them. DP_ENOMEM. */
dp_err dp_buckets_new(dp_buckets **out, size_t n, size_t limit, dp_folder *folder, size_t first);

/* The same from the files that an earlier run has closed. DP_EIO, DP_ENOMEM. */
dp_err dp_buckets_load(dp_buckets **out, size_t n, dp_folder *folder, size_t first, dp_error *err);

/* DP_EIO, DP_ENOMEM. */
dp_err dp_buckets_put(dp_buckets *d, size_t bucket, dp_str bytes, dp_error *err);

/* After the last put: where some are in files, all are, and the files are safe. */
dp_err dp_buckets_close(dp_buckets *d, dp_error *err);

bool     dp_buckets_spilled(const dp_buckets *d);
uint64_t dp_buckets_bytes(const dp_buckets *d, size_t bucket); /* as put */

/* Give the memory of a bucket back; what is in its file stays. */
void dp_buckets_empty(dp_buckets *d, size_t bucket);
void dp_buckets_free(dp_buckets *d);

/* Reads one bucket; several may read at the same time. A zeroed one is valid. */
typedef struct dp_bucket_reader {
    dp_buckets *d;
    size_t      bucket, chunk;
    uint64_t    at; /* in the file */
    bool        drain; /* chunks in memory are given back when they were read */
    dp_buf      raw, packed;
} dp_bucket_reader;

void dp_bucket_reader_open(dp_bucket_reader *r, dp_buckets *d, size_t bucket, bool drain);

/* The next bytes, until the next call; n == 0 at the end. DP_EIO, DP_ENOMEM. */
dp_err dp_bucket_reader_next(dp_bucket_reader *r, dp_str *bytes, dp_error *err);
void   dp_bucket_reader_done(dp_bucket_reader *r);

#endif
