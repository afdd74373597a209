/* learn/run/read_files.h - facts out of files, several files at a time.
 *
 *     file 0 ─ a thread: reader, site/fact ─► blocks of facts
 *     file 1 ─ a thread                     ─► blocks   ─► the caller, file after file ─► take
 *     file 2   waits for a thread
 *
 * Facts, counts, bad lines and the first error come as from one thread that reads one file after another. With one file
 * or one thread there is no other.
 *
 * Memory: 1 MB a thread, and what its reader takes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_READ_FILES_H
#define DP_LEARN_RUN_READ_FILES_H

#include "input/reader.h"
#include "site/fact.h"

typedef struct dp_read_files {
    dp_reader_options how;
    unsigned          threads;
    double            first; /* the share of the records to read; files are read twice for it; 0 and 1: all */
    dp_err (*take)(void *ctx, const dp_fact *f);                /* on the caller's thread */
    dp_err (*tell)(void *ctx, uint64_t done, uint64_t total);   /* the same: bytes, now and then; 0: not known */
    void             *ctx;
    uint64_t          total[DP_FACT_COUNTS]; /* what was counted */
    uint64_t          bad;                   /* lines that could not be read, ... */
    dp_error         *why;                   /* [most] ... and the first of them */
    size_t            nwhy, most;
} dp_read_files;

/* Read them all. What dp_reader_open and dp_reader_next may say, and what `take` and `tell` say. */
dp_err dp_read_files_run(dp_read_files *in, const char *const *paths, size_t count, dp_error *err);

#endif
