/* SPDX-License-Identifier: Apache-2.0 */
#include "output/pagelist.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/room.h"
#include "base/secret.h"
#include "url/chars.h"

/* The number of a host, by its name in lower case. */
static bool number_host(dp_pagelist *l, dp_str host, uint32_t *number)
{
    dp_buf_reset(&l->name);
    for (size_t i = 0; i < host.n; i++)
        dp_buf_byte(&l->name, dp_lower(host.p[i]));
    if (l->name.failed)
        return false;
    if (dp_intern_find(&l->hosts, dp_buf_view(&l->name), number))
        return true;
    *number = (uint32_t)l->hosts.n;
    return dp_intern_add(&l->hosts, dp_buf_view(&l->name), *number);
}

/* Make room for one entry more, with a place for a time where one is known. */
static bool make_room(dp_pagelist *l, bool has_time)
{
    size_t cap = l->cap;
    if ((l->time && !DP_ROOM(l->time, l->urls.n, cap)) || !DP_ROOM(l->host, l->urls.n, l->cap))
        return false;
    return !has_time || l->time || (l->time = calloc(l->cap, sizeof *l->time));
}

static dp_err add(dp_pagelist *l, const dp_record *r, const dp_evidence *e, uint32_t host)
{
    size_t i = l->urls.n;
    DP_TRY(dp_clusters_add(&l->clusters, e));
    l->host[i] = host;
    if (l->time)
        l->time[i] = r->time;
    return dp_strlist_add(&l->urls, r->url) ? DP_OK : DP_ENOMEM;
}

dp_err dp_pagelist_add(dp_pagelist *l, const dp_record *r, const dp_evidence *e, dp_str host)
{
    uint32_t number;
    if (!make_room(l, dp_record_has(r, DP_FIELD_TIME)) || !number_host(l, host, &number))
        return DP_ENOMEM;
    return add(l, r, e, number);
}

dp_err dp_pagelist_add_labelled(dp_pagelist *l, const dp_record *r)
{
    const dp_evidence none = {0};
    if (!make_room(l, false) || !dp_strlist_add(&l->labels, r->cluster))
        return DP_ENOMEM;
    return add(l, r, &none, DP_NO_HOST);
}

/* Whether entry `a` is to be taken rather than `b`, which has the same URL. */
static bool is_better(const dp_pagelist *l, const dp_sameness *same, uint32_t a, uint32_t b)
{
    if (l->time && l->time[a] != l->time[b])
        return l->time[a] > l->time[b];
    uint64_t x = dp_clusters_content(&l->clusters, a, same), y = dp_clusters_content(&l->clusters, b, same);
    return x != y ? x < y : a < b;
}

/* Of a run of pages whose URLs have the same hash drop all but the best; says how many. */
static uint64_t drop_run(dp_pagelist *l, const dp_sameness *same, const dp_keyed *v, size_t n)
{
    uint64_t dropped = 0;
    uint32_t best = v[0].item;
    dp_str   url = dp_strlist_get(&l->urls, best);
    for (size_t i = 1; i < n; i++) {
        if (dp_str_eq(url, dp_strlist_get(&l->urls, v[i].item)) && is_better(l, same, v[i].item, best))
            best = v[i].item;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t other = v[i].item;
        if (other == best || !dp_str_eq(url, dp_strlist_get(&l->urls, other)))
            continue; /* two URLs of one hash */
        dp_clusters_drop_echo(&l->clusters, other, best);
        dropped++;
    }
    return dropped;
}

dp_err dp_pagelist_drop_repeated(dp_pagelist *l, const dp_sameness *same, uint64_t *dropped)
{
    *dropped = 0;
    size_t    n = 0;
    dp_keyed *v = malloc((2 * l->urls.n + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < l->urls.n; i++) {
        dp_str url = dp_strlist_get(&l->urls, i);
        if (l->host[i] != DP_NO_HOST)
            v[n++] = (dp_keyed){dp_secret_text(url), (uint32_t)i};
    }
    dp_keyed_group(v, v + n, n);
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(v, n, i);
        if (end - i > 1)
            *dropped += drop_run(l, same, v + i, end - i);
    }
    free(v);
    return DP_OK;
}

void dp_pagelist_done(dp_pagelist *l)
{
    dp_strlist_done(&l->urls);
    dp_strlist_done(&l->labels);
    dp_clusters_done(&l->clusters);
    free(l->host);
    free(l->time);
    dp_intern_done(&l->hosts);
    dp_buf_done(&l->name);
    *l = (dp_pagelist){0};
}
