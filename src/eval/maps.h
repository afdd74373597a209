/* eval/maps.h - the keys of all URLs under several maps at once.
 *
 *     URL in stage-0 form ─► batch of 8,192 ─► engine 0, 1, ..., all threads ─► key[map][URL], hashes
 *
 * A map is an engine, or stage 0 itself (engine NULL). Only hashes stay: 8 bytes a URL and map. Keys do not depend on
 * the number of threads.
 * eval/evaluate.c fills it in input order; judge/groups.h counts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_MAPS_H
#define DP_EVAL_MAPS_H

#include "base/buf.h"
#include "eval/truth.h"
#include "judge/groups.h"

enum { DP_MAPS_BATCH = 8192, DP_MAPS_SLICE = 1024 /* URLs a task */ };

typedef struct dp_map {
    const dp_engine *engine; /* NULL: stage 0 */
    uint64_t        *key;    /* [n of dp_maps] */
    uint32_t         cap;
    uint64_t         limit;  /* URLs that ran into the limit of firings: their key is stage 0 */
} dp_map;

/* What one thread needs. */
typedef struct dp_map_lane {
    dp_scratch *scratch;
    dp_buf      out;
    uint64_t    ends[DP_MAPS_SLICE];
    uint8_t     flags[DP_MAPS_SLICE];
    uint64_t    limit;
} dp_map_lane;

typedef struct dp_maps {
    dp_map      *v; /* [count] */
    size_t       count;
    uint32_t     n; /* URLs whose keys are there */
    dp_pool     *pool;
    dp_map_lane *lane; /* [lanes] */
    unsigned     lanes;
    dp_buf       urls; /* that wait, end to end */
    uint64_t     at[DP_MAPS_BATCH + 1];
    size_t       waiting;
    uint64_t     limit; /* as in dp_map, of the last dp_maps_keys */
} dp_maps;

/* With all threads of `pool`, which may be NULL and must outlive it. DP_ENOMEM; dp_maps_done takes what was made. `*m`
 * must be zeroed. */
dp_err dp_maps_init(dp_maps *m, dp_pool *pool);
void   dp_maps_done(dp_maps *m);

/* Add a map before the first URL; it is number count - 1. */
dp_err dp_maps_engine(dp_maps *m, const dp_engine *e);

/* Add a URL, in stage-0 form, to those that wait: fewer than DP_MAPS_BATCH. DP_ENOMEM. */
dp_err dp_maps_add(dp_maps *m, dp_str url);

/* Work off what waits. DP_ENOMEM. */
dp_err dp_maps_flush(dp_maps *m);

/* Keys of `n` texts that lie end to end under one engine, into key[n]. DP_ENOMEM. */
dp_err dp_maps_keys(dp_maps *m, const dp_engine *e, const char *text, const uint64_t *at, size_t n, uint64_t *key);

/* Members of all URLs, with their hosts as tags if `by_host`, sorted, into room[t->n]. */
void dp_maps_members(const dp_maps *m, dp_member *room, const uint64_t *key, const dp_truth *t, bool by_host);

uint64_t dp_maps_bytes(const dp_maps *m);

#endif
