/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/maps.h"

#include <stdlib.h>

#include "apply/hash.h"

dp_err dp_maps_init(dp_maps *m)
{
    return dp_scratch_new(&m->scratch);
}

void dp_maps_done(dp_maps *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->v[i].key);
    free(m->v);
    dp_scratch_free(m->scratch);
    dp_buf_done(&m->urls);
    dp_buf_done(&m->out);
    *m = (dp_maps){0};
}

dp_err dp_maps_engine(dp_maps *m, const dp_engine *e)
{
    dp_map *bigger = realloc(m->v, (m->count + 1) * sizeof *bigger);
    if (!bigger)
        return DP_ENOMEM;
    m->v = bigger;
    m->v[m->count++] = (dp_map){.engine = e};
    return DP_OK;
}

/* At most DP_MAPS_BATCH texts. */
static dp_err batch_keys(dp_maps *m, const dp_engine *e, const char *text, const uint64_t *at, size_t n, uint64_t *key)
{
    for (size_t done = 0; done < n;) {
        size_t got = dp_apply_batch(e, m->scratch, DP_KEY, text, at + done, n - done, 0, m->out.p, m->out.cap, m->ends,
                                    NULL);
        if (got == (size_t)-1)
            return DP_ENOMEM;
        for (size_t i = 0; i < got; i++) {
            uint64_t from = i ? m->ends[i - 1] : 0;
            key[done + i] = dp_hash_str((dp_str){m->out.p + from, m->ends[i] - from});
        }
        done += got;
        if (got == 0 && !dp_buf_grow(&m->out, m->out.cap + 1))
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_maps_keys(dp_maps *m, const dp_engine *e, const char *text, const uint64_t *at, size_t n, uint64_t *key)
{
    if (!dp_buf_room(&m->out, 1 << 17))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i += DP_MAPS_BATCH)
        DP_TRY(batch_keys(m, e, text, at + i, n - i < DP_MAPS_BATCH ? n - i : DP_MAPS_BATCH, key + i));
    return DP_OK;
}

dp_err dp_maps_flush(dp_maps *m)
{
    for (size_t i = 0; i < m->count; i++) {
        dp_map *map = &m->v[i];
        while (map->cap < m->n + m->waiting) {
            if (!dp_grow(&map->key, &map->cap, sizeof *map->key))
                return DP_ENOMEM;
        }
        if (map->engine) {
            DP_TRY(dp_maps_keys(m, map->engine, m->urls.p, m->at, m->waiting, map->key + m->n));
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
    return m->waiting == DP_MAPS_BATCH ? dp_maps_flush(m) : DP_OK;
}

size_t dp_maps_members(dp_member *room, const uint64_t *key, const dp_truth *t, dp_subset subset, bool by_host)
{
    size_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t size = t->size[t->cluster[i]];
        if (size >= subset.least && size <= subset.most)
            room[n++] = (dp_member){key[i], by_host ? t->host[i] : 0, i};
    }
    dp_members_sort(room, n);
    return n;
}

uint64_t dp_maps_bytes(const dp_maps *m)
{
    uint64_t sum = m->urls.cap + m->out.cap;
    for (size_t i = 0; i < m->count; i++)
        sum += (uint64_t)m->v[i].cap * sizeof *m->v[i].key;
    return sum;
}
