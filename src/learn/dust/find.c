/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/find.h"

#include "base/hash.h"

dp_err dp_dust_find_init(dp_dust_find *f, const dp_dust_site *s)
{
    *f = (dp_dust_find){.s = s};
    if (!dp_index_reserve(&f->index, s->n))
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++)
        dp_index_put(&f->index, dp_hash_str(s->v[i].url));
    return DP_OK;
}

void dp_dust_find_done(dp_dust_find *f)
{
    dp_index_done(&f->index);
    *f = (dp_dust_find){0};
}

dp_index_walk dp_dust_find_from(const dp_dust_find *f, dp_str url)
{
    dp_index_walk w = dp_index_from(&f->index, dp_hash_str(url));
    __builtin_prefetch(&w.slot[w.at]);
    return w;
}

bool dp_dust_find_page(const dp_dust_find *f, dp_str url, dp_index_walk from, uint32_t *page)
{
    while (dp_index_next(&from, page))
        if (dp_str_eq(f->s->v[*page].url, url))
            return true;
    return false;
}
