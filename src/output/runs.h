/* output/runs.h - hashes that do not fit into memory: sorted runs in files that have no name.
 *
 *     hashes of output/unique.h, sorted ──► file, mapped      is h there? filter, about where, look
 *
 * A run is never changed. Hashes are spread evenly, so that the place of one follows from its value, give or take a few
 * pages; a filter of 10 bits a hash keeps most of those that are not there away from the file.
 *
 * Memory: 1.25 bytes a hash; the files are the system's to keep or to drop. They are gone with the process.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_RUNS_H
#define DP_OUTPUT_RUNS_H

#include "base/err.h"
#include "base/hash.h"
#include "output/unique.h"

typedef struct dp_run_file {
    const dp_hash128 *v; /* [n], sorted, mapped */
    uint64_t          n;
    uint64_t         *filter; /* [words] */
    uint64_t          words;
} dp_run_file;

/* A zeroed one is valid and empty. */
typedef struct dp_runs {
    dp_run_file *v; /* [n] */
    size_t       n, cap;
} dp_runs;

/* Sort `v` and write it as a run under `folder`. DP_EIO, DP_ENOMEM. */
dp_err dp_runs_add(dp_runs *r, dp_hash128 *v, uint64_t n, const char *folder, dp_error *err);

bool dp_runs_has(const dp_runs *r, dp_hash128 h);
void dp_runs_done(dp_runs *r);

#endif
