/* learn/visit.h - go through all sites of a plan, with as many at a time as threads and memory allow.
 *
 *     plan ─┬─ sites that take much memory, one after another, all threads inside
 *           ├─ those of more than their share, side by side: they divide the threads
 *           └─ drawers of all others, one a thread                     ─► corpus, labelled ─► visitor
 *
 * Its share is what a thread would have of all facts: whoever waited for a larger one would have nothing to do. Sites
 * beside each other are worth more than threads inside one, where there is enough memory.
 *
 * Of a site with more facts than `sample` the corpus holds as many, drawn as learn/draw.h does; after the visit,
 * `again` may go through all of them.
 *
 * A visitor must not depend on the order of the visits.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_VISIT_H
#define DP_LEARN_VISIT_H

#include "base/pool.h"
#include "learn/fragment.h"
#include "learn/plan.h"
#include "site/corpus.h"

/* The sites that are visited together: those of a drawer, or one that is large. */
typedef struct dp_partition {
    dp_fragments found; /* what the visitor put there */
} dp_partition;

/* All facts of one site. */
typedef struct dp_source {
    const struct dp_visit *v;
    dp_drawers            *from;
    const uint32_t        *pick;
    uint32_t               site;
    uint64_t               facts, bytes;
    const dp_draw         *draw; /* what was visited of them; NULL: all */
} dp_source;

/* Go through them; with `last` they are not needed any more, and may be given back meanwhile. DP_EIO, DP_ENOMEM. */
dp_err dp_source_each(const dp_source *s, bool last, dp_fact_call *call, void *ctx, dp_error *err);

/* An empty corpus for them. */
dp_corpus dp_source_corpus(const dp_source *s);

typedef struct dp_visit {
    dp_plan    *plan;
    dp_facts   *facts;
    dp_drawers *moved;      /* of linked domains; NULL: there are none */
    dp_pool    *pool;
    uint64_t    memory;     /* bytes for all that goes on at a time */
    bool        refuse;     /* a site that needs more is an error; else it is tried, alone */
    size_t      url_bytes;  /* that a visit takes a URL, beside its text */
    uint64_t    sample;     /* facts of a site that are visited at most; 0: all */
    dp_by       named;      /* of dp_corpus */
    uint32_t    soft;       /* sites of the plan, from the first on, whose soft errors are looked for */
    const bool *last;       /* [DP_DRAWERS] facts there are given back as they are read; NULL: nowhere */

    /* `pool` are the threads that it may have; NULL: its own alone. The corpus of a site that is ready is NULL; another
     * one may be taken over, and an empty one left. */
    dp_err (*visit)(void *ctx, uint32_t site, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err);
    dp_err (*again)(void *ctx, const dp_source *all, dp_partition *p, dp_error *err); /* NULL: nobody wants to */
    dp_err (*ended)(void *ctx, dp_partition *p, dp_error *err); /* in turn; NULL: nothing is to be done */
    dp_err (*tell)(void *ctx, uint64_t done, uint64_t total);   /* in turn; NULL: nobody asks */
    void *ctx;
} dp_visit;

/* DP_ENOMEM, DP_EIO, DP_ELIMIT: a site does not fit. */
dp_err dp_visit_all(dp_visit *v, dp_error *err);

#endif
