/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/pair_places.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "site/usual.h"

enum { MOST_PAIRS = 40 }; /* of a URL that are looked at */

uint64_t dp_pair_hash(const dp_frame *f, const dp_pair *pair)
{
    return dp_hash_mix(dp_hash_str(dp_frame_cut(f, pair->at, pair->end)));
}

uint64_t dp_pairs_hash(const dp_frame *f)
{
    uint64_t h = dp_hash_str(dp_frame_cut(f, 0, f->npair ? f->pair[0].at - 1 : f->n));
    for (uint32_t i = 0; i < f->npair; i++)
        h += dp_pair_hash(f, &f->pair[i]);
    return h;
}

dp_err dp_pair_places_look(dp_pair_places *p, size_t i, bool *ok)
{
    dp_frame_result got = dp_frame_read(&p->frame, p->site->url[i]);
    *ok = got == DP_FRAME_OK && p->frame.npair <= MOST_PAIRS;
    return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
}

dp_err dp_pair_places_read(dp_pair_places *p, size_t i, bool *ok)
{
    DP_TRY(dp_pair_places_look(p, i, ok));
    *ok = *ok && p->frame.npair;
    return DP_OK;
}

dp_err dp_pair_places_init(dp_pair_places *p, const dp_site *s)
{
    *p = (dp_pair_places){.site = s, .place = calloc(2 * s->n + 1, sizeof *p->place)};
    if (!p->place)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++) {
        bool ok;
        DP_TRY(dp_pair_places_look(p, i, &ok));
        p->place[i] = (dp_keyed){ok ? dp_pairs_hash(&p->frame) : 0, (uint32_t)i};
    }
    dp_keyed_sort(p->place, p->place + s->n, s->n, UINT64_MAX);
    return DP_OK;
}

uint32_t dp_pair_places_find(const dp_pair_places *p, const uint32_t *usual, uint64_t hash)
{
    size_t i;
    DP_BISECT(i, p->site->n, p->place[i].key < hash);
    for (; i < p->site->n && p->place[i].key == hash; i++) {
        if (usual[p->place[i].item] != DP_NO_SIZE)
            return p->place[i].item;
    }
    return UINT32_MAX;
}

uint32_t dp_shown_length(dp_str value)
{
    uint32_t n = 0;
    for (size_t i = 0; i < value.n; i++, n++)
        i += value.p[i] == '%' ? 2 : 0;
    return n;
}

void dp_pair_places_done(dp_pair_places *p)
{
    free(p->place);
    dp_frame_done(&p->frame);
    *p = (dp_pair_places){0};
}
