/* store/state.h - the facts of earlier runs, in one file (LMDB), for `learn --state`.
 *
 *     FILE:  "meta"    what it is; which blocks count; what was counted when they were read
 *            "blocks"  number → zstd block of packed facts (store/pack.h)
 *            "inputs"  hash of all facts of a run → nothing
 *
 * A run adds its blocks in small transactions behind those that count, and at the end, in one more, makes them count:
 * it is in the file as a whole or not at all, also after kill -9. An input that is in the file already is not added
 * once more, so that a run that was killed after that point can be repeated.
 *
 * A state belongs to one process at a time, from open to close (flock on FILE): what a run adds depends on what was
 * there when it began. Who comes second waits; a lock goes with its process, however that ends.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_STATE_H
#define DP_STORE_STATE_H

#include "base/err.h"
#include "site/fact.h"

typedef struct dp_statefile dp_statefile;

typedef struct dp_state_how {
    const char *path;
    bool        fresh;       /* nothing that is in it counts any more, when it is committed */
    dp_err (*wait)(void *ctx); /* ten times a second while another run has it; not DP_OK: no longer. May be NULL */
    void       *ctx;
} dp_state_how;

/* DP_EIO, DP_ESYNTAX: no state, or one of another version; DP_ENOMEM; whatever `wait` says. */
dp_err dp_statefile_open(dp_statefile **out, const dp_state_how *how, dp_error *err);

/* Add a fact of this run, without who asked. */
dp_err dp_statefile_add(dp_statefile *s, const dp_fact *f, dp_error *err);

/* After the last: whether all this was added before; then it is forgotten. */
dp_err dp_statefile_known(dp_statefile *s, bool *known, dp_error *err);

/* All facts that counted before this run, in order. */
dp_err dp_statefile_each(dp_statefile *s, dp_err (*call)(void *ctx, const dp_fact *f), void *ctx, dp_error *err);

/* What was counted when they were read is added to `total`. */
void dp_statefile_count(const dp_statefile *s, uint64_t total[DP_FACT_COUNTS]);

/* Make what was added count; `total` is of all. */
dp_err dp_statefile_commit(dp_statefile *s, const uint64_t total[DP_FACT_COUNTS], dp_error *err);

/* What was not committed is as if it had never been. */
void dp_statefile_close(dp_statefile *s);

#endif
