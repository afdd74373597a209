/* base/pool.h - threads that share one piece of work.
 *
 *     dp_pool_run(pool, n, task, ctx)      task(ctx, i, worker) for i in 0 .. n-1, in any order, on all threads
 *
 * Tasks are handed out one by one in the order of their numbers. What a task writes must depend on its number alone
 * and not on the worker or on when it runs: then results are the same for any number of threads. `worker` (0 to
 * threads - 1) names scratch memory that no other task uses at the same time.
 * A task may call dp_pool_run itself: it then runs on that thread alone, unless that is another pool.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_POOL_H
#define DP_BASE_POOL_H

#include "base/err.h"

typedef struct dp_pool dp_pool;

/* `threads` of them, 0: one per core (base/machine.h). DP_ENOMEM; DP_EIO when no thread can be started. */
dp_err   dp_pool_new(dp_pool **out, unsigned threads);
void     dp_pool_free(dp_pool *p);
unsigned dp_pool_threads(const dp_pool *p); /* 1 for NULL */

typedef dp_err dp_task(void *ctx, size_t i, unsigned worker);

/* Run them all; after a failure no new ones are begun, and the error of the least number that failed is
 * returned. `p` may be NULL: the caller's thread does it. */
dp_err dp_pool_run(dp_pool *p, size_t n, dp_task *task, void *ctx);

#endif
