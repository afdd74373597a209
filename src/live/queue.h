/* live/queue.h - who is asked when: one row a host, a request at a time, no more than so many a second.
 *
 *     a.com    7 12 40          next(now) ──► an item whose host is free and due; it is busy until done()
 *     b.com    8
 *     c.com    (busy)
 *
 * Numbers in, numbers out: the clock comes from the caller and nothing is sent here. A host is its name, whatever the
 * port and the scheme: it is one machine to us.
 *
 * Invariants:
 *   - Two items of a host go out at least 1/rate seconds apart, or its own delay when that is longer, the second after
 *     the first is done.
 *   - At most `parallel` items are out at a time; of the hosts that are due the one is next that was due first.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_QUEUE_H
#define DP_LIVE_QUEUE_H

#include "base/err.h"
#include "base/str.h"

typedef struct dp_queue dp_queue;

/* Items a second a host; hosts at a time. DP_ENOMEM. */
dp_err dp_queue_new(dp_queue **out, double rate, size_t parallel);
void   dp_queue_free(dp_queue *q);

/* Put `item` at the end, or (again) at the beginning of the row of `host`. DP_ENOMEM. */
dp_err dp_queue_add(dp_queue *q, dp_str host, uint32_t item);
dp_err dp_queue_add_first(dp_queue *q, dp_str host, uint32_t item);

/* Seconds that the host wants between two requests. DP_ENOMEM. */
dp_err dp_queue_delay(dp_queue *q, dp_str host, double seconds);

/* An item that may go out at time `now` (milliseconds); false: none. */
bool dp_queue_next(dp_queue *q, int64_t now, uint32_t *item);

/* The item of `host` that was out is done; the host rests for `pause` milliseconds from now on. */
void dp_queue_done(dp_queue *q, dp_str host, int64_t now, int64_t pause);

/* Milliseconds from `now` until an item can go out; -1 when none waits for time alone. */
int64_t dp_queue_wait(const dp_queue *q, int64_t now);

/* Items that wait. */
size_t dp_queue_size(const dp_queue *q);

#endif
