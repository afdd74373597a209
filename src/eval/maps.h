/* eval/maps.h - the keys of all URLs under several maps at once.
 *
 *     URL in stage-0 form ──► batch of 1,024 ──► engine 0, 1, ... ──► key[map][URL], 64-bit hashes
 *
 * A map is an engine, or stage 0 itself (engine NULL). Only hashes stay: 8 bytes a URL and map.
 * eval/evaluate.c fills it in input order; judge/groups.h counts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_MAPS_H
#define DP_EVAL_MAPS_H

#include "base/buf.h"
#include "eval/truth.h"
#include "judge/groups.h"

enum { DP_MAPS_BATCH = 1024 };

typedef struct dp_map {
    const dp_engine *engine; /* NULL: stage 0 */
    uint64_t        *key;    /* [n of dp_maps] */
    uint32_t         cap;
} dp_map;

typedef struct dp_maps {
    dp_map     *v; /* [count] */
    size_t      count;
    uint32_t    n; /* URLs whose keys are there */
    dp_scratch *scratch;
    dp_buf      urls, out;
    uint64_t    at[DP_MAPS_BATCH + 1], ends[DP_MAPS_BATCH];
    size_t      waiting;
} dp_maps;

/* DP_ENOMEM; dp_maps_done takes what was made. `*m` must be zeroed. */
dp_err dp_maps_init(dp_maps *m);
void   dp_maps_done(dp_maps *m);

/* Add a map before the first URL; it is number count - 1. */
dp_err dp_maps_engine(dp_maps *m, const dp_engine *e);

/* Add a URL, in stage-0 form. DP_ENOMEM. */
dp_err dp_maps_add(dp_maps *m, dp_str url);

/* Work off what waits. */
dp_err dp_maps_flush(dp_maps *m);

/* Keys of `n` texts that lie end to end under one engine, into key[n]. DP_ENOMEM. */
dp_err dp_maps_keys(dp_maps *m, const dp_engine *e, const char *text, const uint64_t *at, size_t n, uint64_t *key);

/* Which URLs count. */
typedef struct dp_subset {
    uint32_t least, most; /* URLs in their cluster */
} dp_subset;

#define DP_ALL_URLS ((dp_subset){1, UINT32_MAX})

/* Members of the URLs in `subset`, with their hosts as tags if `by_host`, sorted, into room[t->n];
 * returns how many. */
size_t dp_maps_members(dp_member *room, const uint64_t *key, const dp_truth *t, dp_subset subset, bool by_host);

uint64_t dp_maps_bytes(const dp_maps *m);

#endif
