/* SPDX-License-Identifier: Apache-2.0 */
#include "live/queue.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/room.h"

typedef struct row {
    uint32_t *v; /* [n], the next one last */
    size_t    n, cap;
    int64_t   due;      /* milliseconds; not before */
    int64_t   interval; /* between the beginnings of two */
    bool      busy;
} row;

struct dp_queue {
    int64_t   interval;
    size_t    parallel, out, waiting;
    dp_intern hosts;
    row      *row; /* [hosts.n] */
    size_t    cap;
};

dp_err dp_queue_new(dp_queue **out, double rate, size_t parallel)
{
    dp_queue *q = calloc(1, sizeof *q);
    if (!q)
        return DP_ENOMEM;
    q->interval = rate > 0 ? (int64_t)(1000 / rate + .999) : 1000;
    q->parallel = parallel ? parallel : 1;
    *out = q;
    return DP_OK;
}

void dp_queue_free(dp_queue *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->hosts.n; i++)
        free(q->row[i].v);
    free(q->row);
    dp_intern_done(&q->hosts);
    free(q);
}

/* The row of a host, which is made when there is none; NULL when memory is out. */
static row *row_of(dp_queue *q, dp_str host)
{
    uint32_t i;
    if (dp_intern_find(&q->hosts, host, &i))
        return &q->row[i];
    i = (uint32_t)q->hosts.n;
    if (!DP_ROOM(q->row, i, q->cap))
        return NULL;
    if (!dp_intern_add(&q->hosts, host, i))
        return NULL;
    q->row[i] = (row){.interval = q->interval, .due = INT64_MIN};
    return &q->row[i];
}

static dp_err add(dp_queue *q, dp_str host, uint32_t item, bool first)
{
    row *r = row_of(q, host);
    if (!r)
        return DP_ENOMEM;
    if (!DP_ROOM(r->v, r->n, r->cap))
        return DP_ENOMEM;
    if (!first)
        memmove(r->v + 1, r->v, r->n * sizeof *r->v);
    r->v[first ? r->n : 0] = item;
    r->n++;
    q->waiting++;
    return DP_OK;
}

dp_err dp_queue_add(dp_queue *q, dp_str host, uint32_t item)
{
    return add(q, host, item, false);
}

dp_err dp_queue_add_first(dp_queue *q, dp_str host, uint32_t item)
{
    return add(q, host, item, true);
}

dp_err dp_queue_delay(dp_queue *q, dp_str host, double seconds)
{
    row *r = row_of(q, host);
    if (!r)
        return DP_ENOMEM;
    int64_t interval = (int64_t)(seconds * 1000);
    if (interval > r->interval) {
        if (r->due != INT64_MIN)
            r->due += interval - r->interval; /* it holds from the request on that told us of it */
        r->interval = interval;
    }
    return DP_OK;
}

bool dp_queue_next(dp_queue *q, int64_t now, uint32_t *item)
{
    row *best = NULL;
    for (size_t i = 0; i < q->hosts.n && q->out < q->parallel; i++) {
        row *r = &q->row[i];
        if (r->n && !r->busy && r->due <= now && (!best || r->due < best->due))
            best = r;
    }
    if (!best)
        return false;
    *item = best->v[--best->n];
    best->busy = true;
    best->due = now + best->interval;
    q->waiting--;
    q->out++;
    return true;
}

void dp_queue_done(dp_queue *q, dp_str host, int64_t now, int64_t pause)
{
    row *r = row_of(q, host);
    if (!r || !r->busy)
        return;
    r->busy = false;
    q->out--;
    if (r->due < now + pause)
        r->due = now + pause;
}

int64_t dp_queue_wait(const dp_queue *q, int64_t now)
{
    int64_t least = -1;
    for (size_t i = 0; i < q->hosts.n && q->out < q->parallel; i++) {
        const row *r = &q->row[i];
        if (!r->n || r->busy)
            continue;
        int64_t wait = r->due > now ? r->due - now : 0;
        if (least < 0 || wait < least)
            least = wait;
    }
    return least;
}

size_t dp_queue_size(const dp_queue *q)
{
    return q->waiting;
}
