/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/method/effects.h"

#include <stdlib.h>

#include "base/ordinal.h"
#include "base/room.h"

static bool find(dp_effects *d, dp_str hosts, dp_str text, uint32_t *at)
{
    dp_buf_reset(&d->key);
    dp_buf_str(&d->key, hosts);
    dp_buf_byte(&d->key, '\n');
    dp_buf_str(&d->key, text);
    return !d->key.failed && dp_intern_find(&d->known, dp_buf_view(&d->key), at);
}

dp_err dp_effects_add(dp_effects *d, dp_str hosts, dp_str text, const dp_member *v, size_t n)
{
    uint32_t at;
    if (find(d, hosts, text, &at))
        return DP_OK;
    if (d->key.failed || !DP_ROOM(d->v, d->n, d->cap))
        return DP_ENOMEM;
    if (!dp_intern_add(&d->known, dp_buf_view(&d->key), d->n))
        return DP_ENOMEM;
    d->v[d->n++] = (dp_effect){v, n};
    return DP_OK;
}

dp_err dp_effects_keep(dp_effects *d, void *page)
{
    if (!DP_ROOM(d->page, d->npage, d->page_cap))
        return DP_ENOMEM;
    d->page[d->npage++] = page;
    return DP_OK;
}

const dp_effect *dp_effects_find(dp_effects *d, const dp_proposal *p)
{
    uint32_t at;
    return find(d, p->hosts, p->text, &at) ? &d->v[at] : NULL;
}

void dp_effects_done(dp_effects *d)
{
    for (uint32_t i = 0; i < d->npage; i++)
        free(d->page[i]);
    free(d->page);
    free(d->v);
    dp_intern_done(&d->known);
    dp_buf_done(&d->key);
    *d = (dp_effects){0};
}
