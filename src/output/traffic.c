/* SPDX-License-Identifier: Apache-2.0 */
#include "output/traffic.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "judge/groups.h"
#include "output/crawler.h"

/* A different number for every pair, spread over all bits. */
static uint64_t hash_pair(uint32_t url, uint32_t crawler)
{
    return dp_hash_mix((uint64_t)crawler << 32 | url);
}

void dp_traffic_done(dp_traffic *t)
{
    dp_ordinals_done(&t->pair);
    free(t->v);
    *t = (dp_traffic){0};
}

dp_err dp_traffic_add(dp_traffic *t, const dp_hits *more, uint32_t *pair)
{
    bool fresh;
    if (!DP_ROOM(t->v, t->pair.n, t->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&t->pair, hash_pair(more->url, more->crawler), pair, &fresh));
    dp_hits *h = &t->v[*pair];
    if (fresh)
        *h = (dp_hits){.url = more->url, .crawler = more->crawler};
    h->hits += more->hits;
    h->bytes += more->bytes;
    return DP_OK;
}

/* Whether `a` is rather the page's own URL than `b`. */
static bool is_more(const dp_hits *a, const dp_hits *b)
{
    if (a->hits != b->hits)
        return a->hits > b->hits;
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->url < b->url;
}

dp_err dp_traffic_spent(dp_spent *out, bool *wasted, const dp_traffic *t, const uint64_t *page)
{
    size_t     n = t->pair.n;
    dp_member *m = malloc((n ? n : 1) * sizeof *m);
    if (!m)
        return DP_ENOMEM;
    memset(out, 0, dp_crawlers() * sizeof *out);
    for (uint32_t i = 0; i < n; i++)
        m[i] = (dp_member){page[t->v[i].url], t->v[i].crawler, i};
    dp_members_sort(m, n);
    for (size_t i = 0, j; i < n; i = j) {
        dp_spent *s = &out[m[i].tag];
        uint32_t  own = m[i].item;
        j = dp_group_end(m, n, i);
        for (size_t k = i; k < j; k++) {
            const dp_hits *h = &t->v[m[k].item];
            own = is_more(h, &t->v[own]) ? m[k].item : own;
            s->hits += h->hits;
            s->bytes += h->bytes;
            s->wasted += h->hits;
            s->wasted_bytes += h->bytes;
        }
        for (size_t k = i; k < j && wasted; k++)
            wasted[m[k].item] = m[k].item != own;
        s->wasted -= t->v[own].hits;
        s->wasted_bytes -= t->v[own].bytes;
        s->urls += j - i;
        s->pages++;
    }
    free(m);
    return DP_OK;
}
