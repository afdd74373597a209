/* SPDX-License-Identifier: Apache-2.0 */
#include "site/part.h"

#include <stdlib.h>

typedef struct gathering {
    const dp_site *from;
    const uint8_t *in;
    dp_site       *to;
    dp_arena      *a;
} gathering;

/* A column of `size` bytes a URL. NULL: memory is out. */
static void *gather_column(const gathering *g, const void *from, size_t size)
{
    char *to = dp_arena_alloc(g->a, (g->to->n + 1) * size), *next = to;
    for (size_t u = 0; to && u < g->from->n; u++) {
        if (!g->in[u])
            continue;
        memcpy(next, (const char *)from + u * size, size);
        next += size;
    }
    return to;
}

#define GATHER(g, name)                                                                                       \
    (!(g)->from->name || ((g)->to->name = gather_column(g, (g)->from->name, sizeof *(g)->from->name)) != NULL)

/* Those that some record has. */
static dp_err gather_columns(const gathering *g)
{
    return GATHER(g, url) && GATHER(g, by) && GATHER(g, size_min) && GATHER(g, size_max) && GATHER(g, sketch) &&
                   GATHER(g, simhash) && GATHER(g, importance) && GATHER(g, inlinks) && GATHER(g, hops) &&
                   GATHER(g, hits) && GATHER(g, resource) && GATHER(g, is_named)
               ? DP_OK
               : DP_ENOMEM;
}

static dp_err gather_clusters(const gathering *g)
{
    const dp_site *s = g->from;
    dp_site       *out = g->to;
    uint32_t      *cluster = DP_NEWS(g->a, out->n + 1, uint32_t), *size = DP_NEWS(g->a, out->n + 1, uint32_t);
    uint8_t       *fold = DP_NEWS(g->a, out->n + 1, uint8_t), *soft = DP_NEWS(g->a, out->n + 1, uint8_t);
    uint32_t      *number = malloc(((size_t)s->nclusters + 1) * sizeof *number);
    if (!cluster || !size || !fold || !soft || !number) {
        free(number);
        return DP_ENOMEM;
    }
    memset(number, 0xff, ((size_t)s->nclusters + 1) * sizeof *number);
    for (size_t u = 0, n = 0; u < s->n; u++) {
        uint32_t c = s->cluster[u];
        if (!g->in[u])
            continue;
        if (c != DP_NO_CLUSTER && number[c] == UINT32_MAX) {
            size[out->nclusters] = s->size[c];
            fold[out->nclusters] = s->fold[c];
            soft[out->nclusters] = s->is_soft[c];
            number[c] = out->nclusters++;
        }
        cluster[n++] = c == DP_NO_CLUSTER ? c : number[c];
    }
    free(number);
    out->cluster = cluster;
    out->size = size;
    out->fold = fold;
    out->is_soft = soft;
    return DP_OK;
}

static dp_err gather_clients(const gathering *g)
{
    const dp_site *s = g->from;
    dp_site       *out = g->to;
    if (!s->client_at)
        return DP_OK;
    uint32_t *at = DP_NEWS(g->a, out->n + 1, uint32_t), n = 0;
    uint32_t *client = DP_NEWS(g->a, s->client_at[s->n] + 1, uint32_t);
    if (!at || !client)
        return DP_ENOMEM;
    at[0] = 0;
    for (size_t u = 0, to = 0; u < s->n; u++) {
        if (!g->in[u])
            continue;
        for (uint32_t i = s->client_at[u]; i < s->client_at[u + 1]; i++)
            client[n++] = s->client[i];
        at[++to] = n;
    }
    out->client_at = at;
    out->client = client;
    return DP_OK;
}

/* The arrows between URLs that are in. */
static dp_err gather_arrows(const gathering *g)
{
    const dp_site *s = g->from;
    dp_site       *out = g->to;
    if (!s->narrow)
        return DP_OK;
    dp_arrow *arrow = DP_NEWS(g->a, s->narrow, dp_arrow);
    uint32_t *place = malloc((s->n + 1) * sizeof *place), n = 0;
    if (!arrow || !place) {
        free(place);
        return DP_ENOMEM;
    }
    for (size_t u = 0; u < s->n; u++) {
        place[u] = n;
        n += g->in[u] != 0;
    }
    for (size_t i = 0; i < s->narrow; i++) {
        const dp_arrow *x = &s->arrow[i];
        if (g->in[x->from] && g->in[x->to])
            arrow[out->narrow++] = (dp_arrow){place[x->from], place[x->to], x->by};
    }
    free(place);
    out->arrow = arrow;
    return DP_OK;
}

dp_err dp_site_part(dp_site *out, const dp_site *s, const uint8_t *in, dp_arena *a)
{
    gathering g = {s, in, out, a};
    *out = (dp_site){.name = s->name};
    for (size_t u = 0; u < s->n; u++)
        out->n += in[u] != 0;
    DP_TRY(gather_columns(&g));
    DP_TRY(gather_clusters(&g));
    DP_TRY(gather_clients(&g));
    return gather_arrows(&g);
}

dp_err dp_site_without(dp_site *out, const dp_site *s, uint32_t folds, dp_arena *a)
{
    uint8_t *in = malloc(s->n + 1);
    if (!in)
        return DP_ENOMEM;
    for (size_t u = 0; u < s->n; u++)
        in[u] = s->cluster[u] == DP_NO_CLUSTER || !(folds >> s->fold[s->cluster[u]] & 1);
    dp_err code = dp_site_part(out, s, in, a);
    free(in);
    return code;
}
