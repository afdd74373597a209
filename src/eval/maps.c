/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/maps.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

dp_err dp_maps_init(dp_maps *m, dp_pool *pool)
{
    unsigned threads = dp_pool_threads(pool);
    if (!(m->lane = calloc(threads, sizeof *m->lane)))
        return DP_ENOMEM;
    for (; m->lanes < threads; m->lanes++)
        DP_TRY(dp_scratch_new(&m->lane[m->lanes].scratch));
    m->pool = pool;
    return DP_OK;
}

void dp_maps_done(dp_maps *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->v[i].key);
    for (unsigned i = 0; i < m->lanes; i++) {
        dp_scratch_free(m->lane[i].scratch);
        dp_buf_done(&m->lane[i].out);
    }
    free(m->v);
    free(m->lane);
    dp_buf_done(&m->urls);
    *m = (dp_maps){0};
}

dp_err dp_maps_engine(dp_maps *m, const dp_engine *e)
{
    if (!DP_RESIZE(m->v, m->count + 1))
        return DP_ENOMEM;
    m->v[m->count++] = (dp_map){.engine = e};
    return DP_OK;
}

/* Texts that become keys. */
typedef struct job {
    dp_maps         *m;
    const dp_engine *e;
    const char      *text;
    const uint64_t  *at; /* [n + 1] */
    size_t           n;
    uint64_t        *key; /* [n] */
} job;

static dp_err slice_keys(void *ctx, size_t number, unsigned worker)
{
    const job      *j = ctx;
    dp_map_lane    *l = &j->m->lane[worker];
    size_t          first = number * DP_MAPS_SLICE, n = j->n - first < DP_MAPS_SLICE ? j->n - first : DP_MAPS_SLICE;
    const uint64_t *at = j->at + first;
    if (!dp_buf_room(&l->out, 1 << 17))
        return DP_ENOMEM;
    for (size_t done = 0; done < n;) {
        size_t got = dp_apply_batch(j->e, l->scratch, DP_KEY, j->text, at + done, n - done, 0, l->out.p, l->out.cap,
                                    l->ends, l->flags);
        if (got == (size_t)-1)
            return DP_ENOMEM;
        for (size_t i = 0; i < got; i++) {
            uint64_t from = i ? l->ends[i - 1] : 0;
            j->key[first + done + i] = dp_hash_str((dp_str){l->out.p + from, l->ends[i] - from});
            l->limit += (l->flags[i] & DP_HIT_LIMIT) != 0;
        }
        done += got;
        if (got == 0 && !dp_buf_grow(&l->out, l->out.cap + 1))
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_maps_keys(dp_maps *m, const dp_engine *e, const char *text, const uint64_t *at, size_t n, uint64_t *key)
{
    job j = {m, e, text, at, n, key};
    for (unsigned i = 0; i < m->lanes; i++)
        m->lane[i].limit = 0;
    DP_TRY(dp_pool_run(m->pool, (n + DP_MAPS_SLICE - 1) / DP_MAPS_SLICE, slice_keys, &j));
    m->limit = 0;
    for (unsigned i = 0; i < m->lanes; i++)
        m->limit += m->lane[i].limit;
    return DP_OK;
}

dp_err dp_maps_flush(dp_maps *m)
{
    for (size_t i = 0; i < m->count; i++) {
        dp_map *map = &m->v[i];
        if (!DP_ROOM_FOR(map->key, m->n + m->waiting, map->cap))
            return DP_ENOMEM;
        if (map->engine) {
            DP_TRY(dp_maps_keys(m, map->engine, m->urls.p, m->at, m->waiting, map->key + m->n));
            map->limit += m->limit;
            continue;
        }
        for (size_t k = 0; k < m->waiting; k++)
            map->key[m->n + k] = dp_hash_str((dp_str){m->urls.p + m->at[k], m->at[k + 1] - m->at[k]});
    }
    m->n += (uint32_t)m->waiting;
    m->waiting = 0;
    dp_buf_reset(&m->urls);
    return DP_OK;
}

dp_err dp_maps_add(dp_maps *m, dp_str url)
{
    dp_buf_str(&m->urls, url);
    if (m->urls.failed)
        return DP_ENOMEM;
    m->at[0] = 0;
    m->at[++m->waiting] = m->urls.n;
    return DP_OK;
}

void dp_maps_members(const dp_maps *m, dp_member *room, const uint64_t *key, const dp_truth *t, bool by_host)
{
    for (uint32_t i = 0; i < t->n; i++)
        room[i] = (dp_member){key[i], by_host ? t->host[i] : 0, i};
    dp_members_sort_on(m->pool, room, t->n);
}

uint64_t dp_maps_bytes(const dp_maps *m)
{
    uint64_t sum = m->urls.cap;
    for (unsigned i = 0; i < m->lanes; i++)
        sum += m->lane[i].out.cap;
    for (size_t i = 0; i < m->count; i++)
        sum += (uint64_t)m->v[i].cap * sizeof *m->v[i].key;
    return sum;
}
