/* SPDX-License-Identifier: Apache-2.0 */
#include "output/unique.h"

#include <stdlib.h>

#include "base/hash.h"
#include "output/runs.h"

enum { SHARDS = 256, FIRST_CAP = 256 /* slots */, AHEAD = 16 /* hashes; their slots are fetched meanwhile */ };

typedef struct shard {
    dp_hash128 *slot; /* [cap]; both halves 0: free */
    uint64_t    cap, used;
} shard;

struct dp_unique {
    shard       shard[SHARDS];
    uint64_t    limit, bytes; /* of the shards; limit 0: none */
    uint64_t    count;        /* keys */
    const char *folder;
    dp_runs     runs;
};

dp_err dp_unique_new(dp_unique **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_unique_free(dp_unique *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < SHARDS; i++)
        free(u->shard[i].slot);
    dp_runs_done(&u->runs);
    free(u);
}

void dp_unique_limit(dp_unique *u, uint64_t bytes, const char *folder)
{
    u->limit = bytes;
    u->folder = folder;
}

static shard *shard_of(dp_unique *u, dp_hash128 h)
{
    return &u->shard[h.hi >> 56];
}

/* Where `h` belongs: its share of 2^64 as a share of the table, so that growing keeps
 * the order of the slots and runs through memory once. */
static uint64_t place(const shard *s, dp_hash128 h)
{
    return (uint64_t)(((unsigned __int128)h.lo * s->cap) >> 64);
}

/* Put it there; false when it was there. There is room. */
static bool put(shard *s, dp_hash128 h)
{
    for (uint64_t i = place(s, h);; i = i + 1 < s->cap ? i + 1 : 0) {
        dp_hash128 *slot = &s->slot[i];
        if (dp_hash128_eq(*slot, h))
            return false;
        if (dp_hash128_is_none(*slot)) {
            *slot = h;
            s->used++;
            return true;
        }
    }
}

/* Double the table. Its memory is written at once: to read it first, page by page, costs
 * two faults a page. */
static dp_err grow(shard *s, uint64_t first)
{
    shard bigger = {.cap = s->cap ? s->cap * 2 : first};
    if (bigger.cap > SIZE_MAX / sizeof *bigger.slot || !(bigger.slot = malloc(bigger.cap * sizeof *bigger.slot)))
        return DP_ENOMEM;
    memset(bigger.slot, 0, bigger.cap * sizeof *bigger.slot);
    for (uint64_t i = 0; i < s->cap; i++) {
        if (s->slot[i].lo || s->slot[i].hi)
            put(&bigger, s->slot[i]);
    }
    free(s->slot);
    *s = bigger;
    return DP_OK;
}

/* The first size of a shard. The sizes are spread evenly (by their ratio, nearly) between
 * FIRST_CAP and twice as much, so that no two shards grow at the same number of keys. */
static uint64_t first_cap(const dp_unique *u, const shard *s)
{
    return FIRST_CAP + FIRST_CAP * (uint64_t)(s - u->shard) / SHARDS;
}

/* All hashes of the table as a run; it is empty then. The slots are gathered where they stand, shard by shard, so that
 * nothing is needed but one array of them. */
static dp_err write_run(dp_unique *u, dp_error *err)
{
    uint64_t n = 0, all = 0;
    for (size_t i = 0; i < SHARDS; i++)
        all += u->shard[i].used;
    dp_hash128 *v = malloc((all + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < SHARDS; i++) {
        shard *s = &u->shard[i];
        for (uint64_t k = 0; k < s->cap; k++) {
            if (!dp_hash128_is_none(s->slot[k]))
                v[n++] = s->slot[k];
        }
        free(s->slot);
        *s = (shard){0};
    }
    u->bytes = 0;
    dp_err code = dp_runs_add(&u->runs, v, n, u->folder, err);
    free(v);
    return code;
}

dp_err dp_unique_add(dp_unique *u, const dp_hash128 *h, size_t n, bool *fresh, dp_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            const shard *later = shard_of(u, h[i + AHEAD]);
            if (later->cap)
                __builtin_prefetch(&later->slot[place(later, h[i + AHEAD])], 1);
        }
        shard *s = shard_of(u, h[i]);
        if (s->used + s->used / 3 >= s->cap) {
            /* While they are sorted, the hashes take as much again as their slots. */
            if (u->limit && s->cap && 2 * (u->bytes + s->cap * sizeof *s->slot) > u->limit)
                DP_TRY(write_run(u, err));
            uint64_t before = s->cap;
            DP_TRY(grow(s, first_cap(u, s)));
            u->bytes += (s->cap - before) * sizeof *s->slot;
        }
        fresh[i] = put(s, h[i]) && !dp_runs_has(&u->runs, h[i]);
        u->count += fresh[i];
    }
    return DP_OK;
}

bool dp_unique_has(const dp_unique *u, dp_hash128 h)
{
    const shard *s = &u->shard[h.hi >> 56];
    uint64_t     i = place(s, h);
    for (; s->cap && !dp_hash128_is_none(s->slot[i]); i = i + 1 < s->cap ? i + 1 : 0) {
        if (dp_hash128_eq(s->slot[i], h))
            return true;
    }
    return dp_runs_has(&u->runs, h);
}

uint64_t dp_unique_count(const dp_unique *u)
{
    return u->count;
}

uint64_t dp_unique_bytes(const dp_unique *u)
{
    uint64_t n = sizeof *u;
    for (size_t i = 0; i < SHARDS; i++)
        n += u->shard[i].cap * sizeof(dp_hash128);
    return n;
}
