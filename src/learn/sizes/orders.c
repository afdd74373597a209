/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/orders.h"

#include <stdlib.h>

#include "learn/sizes/pair_places.h"
#include "learn/sizes/tell_pairs.h"
#include "site/usual.h"

enum { OTHER_ROWS = 256 }; /* bytes that a page may show of its own URL; beyond them it has other rows */

/* Of URLs of one list, from v[i] to v[end], whether sizes differ by that much. */
static bool differ(const dp_site *s, const dp_keyed *v, size_t i, size_t end)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (; i < end; i++) {
        uint32_t size = s->usual[v[i].item];
        if (size == DP_NO_SIZE)
            continue;
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return most > least && most - least > OTHER_ROWS;
}

static dp_err find_lists(const dp_site *s, dp_pair_places *p)
{
    for (size_t i = 0; i < s->n; i++) {
        bool ok;
        DP_TRY(dp_pair_places_look(p, i, &ok));
        p->place[i] = (dp_keyed){ok ? dp_pairs_hash(&p->frame) - dp_sorting_of(&p->frame) : 0, (uint32_t)i};
    }
    dp_keyed_sort(p->place, p->place + s->n, s->n, UINT64_MAX);
    return DP_OK;
}

uint8_t *dp_orders_tell(const dp_site *s)
{
    dp_pair_places p = {.site = s, .place = malloc((2 * s->n + 1) * sizeof *p.place)};
    uint8_t       *tells = calloc(s->n + 1, 1);
    bool           ok = p.place && tells && (s->spread || find_lists(s, &p) == DP_OK);
    for (size_t i = 0, j; ok && !s->spread && i < s->n; i = j) {
        j = dp_keyed_end(p.place, s->n, i);
        bool other = p.place[i].key && differ(s, p.place, i, j);
        for (size_t k = i; k < j; k++)
            tells[p.place[k].item] = other;
    }
    dp_pair_places_done(&p);
    if (!ok) {
        free(tells);
        tells = NULL;
    }
    return tells;
}
