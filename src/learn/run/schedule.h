/* learn/run/schedule.h - go through all sites of a plan, with as many at a time as threads and memory allow.
 *
 *     plan ─┬─ sites that take much memory, one after another, all threads inside
 *           ├─ those of more than their share, side by side: they divide the threads
 *           └─ buckets of all others, one a thread                     ─► corpus, labelled ─► each
 *
 * Its share is what a thread would have of all facts: whoever waited for a larger one would have nothing to do. Sites
 * beside each other are worth more than threads inside one, where there is enough memory.
 *
 * Of a site with more facts than `sample` the corpus holds as many, drawn as learn/sample/sample_site.h does; after
 * `each`, `again` may go through all of them.
 *
 * `each` must not depend on the order of its calls.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_SCHEDULE_H
#define DP_LEARN_RUN_SCHEDULE_H

#include "base/pool.h"
#include "learn/run/site_result.h"
#include "learn/run/plan.h"
#include "site/corpus.h"

/* The sites that are learned together: those of a bucket, or one that is large. */
typedef struct dp_partition {
    dp_site_results found; /* what `each` put there */
} dp_partition;

/* All facts of one site. */
typedef struct dp_source {
    const struct dp_schedule *v;
    dp_buckets               *from;
    dp_site_of                pick;
    uint32_t                  site;
    uint64_t                  facts, bytes;
    const dp_site_sample     *sample; /* what of them is in the corpus; NULL: all */
} dp_source;

/* Go through them; with `last` they are not needed any more, and may be given back meanwhile. DP_EIO, DP_ENOMEM. */
dp_err dp_source_each(const dp_source *s, bool last, dp_fact_call *call, void *ctx, dp_error *err);

/* An empty corpus for them. */
dp_corpus dp_source_corpus(const dp_source *s);

typedef struct dp_schedule {
    dp_plan    *plan;
    dp_facts   *facts;
    dp_buckets *moved;     /* of linked domains; NULL: there are none */
    dp_pool    *pool;
    uint64_t    memory;    /* bytes for all that goes on at a time */
    bool        refuse;    /* a site that needs more is an error; else it is tried, alone */
    size_t      url_bytes; /* that `each` takes per URL, beside its text */
    uint64_t    sample;    /* facts of a site that are taken at most; 0: all */
    dp_by       named;     /* of dp_corpus */
    const char *tmp;       /* folder for slots that do not fit into their share; NULL: /tmp */
    uint32_t    soft;      /* sites of the plan, from the first on, whose soft errors are looked for */
    const bool *last;      /* [DP_BUCKETS] facts there are given back as they are read; NULL: nowhere */

    /* `pool` are the threads that it may have; NULL: its own alone. The corpus of a site that is ready is NULL; another
     * one may be taken over, and an empty one left. */
    dp_err (*each)(void *ctx, uint32_t site, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err);
    dp_err (*again)(void *ctx, const dp_source *all, dp_partition *p, dp_error *err); /* NULL: nobody wants to */
    dp_err (*ended)(void *ctx, dp_partition *p, dp_error *err); /* in turn; NULL: nothing is to be done */
    dp_err (*tell)(void *ctx, uint64_t done, uint64_t total);   /* in turn; NULL: nobody asks */
    void *ctx;
} dp_schedule;

/* DP_ENOMEM, DP_EIO, DP_ELIMIT: a site does not fit. */
dp_err dp_schedule_run(dp_schedule *v, dp_error *err);

#endif
