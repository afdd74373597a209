/* plant/plant_pool.h - fresh URLs whose truth is known, and what an engine merges among them.
 *
 *     pool: URL, page, content, host   --engine-->   groups of equal key   -->   good and bad merges
 *
 * In a group of n URLs, p pages and c contents: n - p good merges, c - 1 bad ones, and p - c that are wrong by the
 * truth but lose nothing today (equal contents).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_POOL_H
#define DP_PLANT_POOL_H

#include "plant_stream.h"

typedef struct plant_sample {
    uint64_t at, page, content, host, order;
    uint16_t n;
    bool     fresh; /* of the fresh set, not of a pair */
} plant_sample;

typedef struct plant_pool {
    dp_buf        text;
    plant_sample *v;
    size_t        n, cap;
} plant_pool;

typedef struct plant_merges {
    uint64_t urls, pages, contents, groups;
    uint64_t good, bad, harmless;
    uint64_t covered; /* pages among the first URLs of the groups */
} plant_merges;

dp_err plant_pool_add(plant_pool *p, const plant_item *it, bool fresh);
void   plant_pool_done(plant_pool *p);

/* By host, so that plant_pool_host finds a host's samples: from `*first`, how many. */
void   plant_pool_sort(plant_pool *p);
size_t plant_pool_host(const plant_pool *p, uint64_t host, size_t *first);

/* What the engine merges among `n` samples from `first` on; only the fresh ones if `fresh`. DP_ENOMEM. */
dp_err plant_pool_judge(plant_merges *out, const plant_pool *p, size_t first, size_t n, bool fresh, const dp_engine *e,
                        dp_scratch *s);

/* Hash of the URL's key; 0 when memory is out. */
uint64_t plant_key(const dp_engine *e, dp_scratch *s, const char *url, size_t n);

#endif
