/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/find.h"

#include <stdlib.h>

#include "base/hash.h"

static void add_page(dp_dust_find *f, size_t page, uint64_t hash)
{
    size_t k = hash & (f->nslot - 1);
    while (f->slot[k].page)
        k = (k + 1) & (f->nslot - 1);
    f->slot[k] = (dp_dust_slot){(uint32_t)page + 1, (uint32_t)(hash >> 32)};
}

dp_err dp_dust_find_init(dp_dust_find *f, const dp_dust_site *s)
{
    enum { BLOCK = 16 };
    size_t nslot = BLOCK;
    while (nslot / 2 < s->n)
        nslot *= 2;
    *f = (dp_dust_find){s, calloc(nslot, sizeof *f->slot), nslot};
    if (!f->slot)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i += BLOCK) {
        uint64_t hash[BLOCK];
        size_t   some = s->n - i < BLOCK ? s->n - i : BLOCK;
        for (size_t k = 0; k < some; k++)
            hash[k] = dp_dust_find_hash(f, s->v[i + k].url);
        for (size_t k = 0; k < some; k++)
            add_page(f, i + k, hash[k]);
    }
    return DP_OK;
}

void dp_dust_find_done(dp_dust_find *f)
{
    free(f->slot);
    *f = (dp_dust_find){0};
}

uint64_t dp_dust_find_hash(const dp_dust_find *f, dp_str url)
{
    uint64_t hash = dp_hash_str(url);
    __builtin_prefetch(&f->slot[hash & (f->nslot - 1)]);
    return hash;
}

bool dp_dust_find_page(const dp_dust_find *f, dp_str url, uint64_t hash, uint32_t *page)
{
    for (size_t k = hash & (f->nslot - 1); f->slot[k].page; k = (k + 1) & (f->nslot - 1)) {
        *page = f->slot[k].page - 1;
        if (f->slot[k].tag == (uint32_t)(hash >> 32) && dp_str_eq(f->s->v[*page].url, url))
            return true;
    }
    return false;
}
