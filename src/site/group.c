/* SPDX-License-Identifier: Apache-2.0 */
#include "site/group.h"

#include <stdlib.h>

#include "url/host.h"

typedef struct grouping {
    const dp_corpus *c;
    uint32_t        *domain; /* [hosts] number */
    dp_str          *name;   /* [domains] */
    uint32_t        *urls;   /* [domains] how many it has */
    uint32_t         n;      /* domains */
    dp_sets          sets;   /* of domains */
} grouping;

static bool find_domains(grouping *g, bool by_host)
{
    const dp_corpus *c = g->c;
    size_t           hosts = c->host_name.n;
    dp_intern        known = {0};
    bool             ok = true;
    g->domain = malloc((hosts + 1) * sizeof *g->domain);
    g->name = malloc((hosts + 1) * sizeof *g->name);
    g->urls = calloc(hosts + 1, sizeof *g->urls);
    if (!g->domain || !g->name || !g->urls)
        return false;
    for (size_t h = 0; h < hosts && ok; h++) {
        dp_str host = dp_strlist_get(&c->host_name, h), name = by_host ? host : dp_host_domain(host);
        if (!dp_intern_find(&known, name, &g->domain[h])) {
            ok = dp_intern_add(&known, name, g->n);
            g->domain[h] = g->n;
            g->name[g->n++] = name;
        }
    }
    dp_intern_done(&known);
    for (size_t i = 0; i < c->n && ok; i++)
        g->urls[g->domain[c->host[i]]]++;
    return ok && dp_sets_init(&g->sets, g->n) == DP_OK;
}

/* Whether so many URLs of a domain may be in a cluster that links it. */
static bool is_few(const grouping *g, uint32_t domain, uint32_t urls)
{
    return urls == 1 || (uint64_t)urls * 100 <= (uint64_t)g->urls[domain] * DP_LINK_PERCENT;
}

/* Add the pairs of domains that a cluster, whose domains are v[0] to v[n - 1], lies on. */
static bool add_links(const grouping *g, dp_counted *links, const dp_keyed *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            uint32_t a = dp_counted_second(&v[i]), b = dp_counted_second(&v[j]);
            if (is_few(g, a, v[i].item) && is_few(g, b, v[j].item) && !dp_counted_add(links, a, b))
                return false;
        }
    }
    return true;
}

static bool link_domains(grouping *g)
{
    const dp_corpus *c = g->c;
    dp_counted       on = {0}, links = {0}; /* cluster and domain; two domains */
    bool             ok = true;
    for (size_t i = 0; i < c->n && ok; i++)
        ok = c->label[i] == DP_NO_CLUSTER || dp_counted_add(&on, c->label[i], g->domain[c->host[i]]);
    ok = ok && dp_counted_merge(&on);
    for (size_t i = 0, j; ok && i < on.n; i = j) {
        for (j = i + 1; j < on.n && dp_counted_first(&on.v[j]) == dp_counted_first(&on.v[i]); j++) {}
        if (j - i >= 2 && j - i <= DP_LINK_SITES)
            ok = add_links(g, &links, on.v + i, j - i);
    }
    ok = ok && dp_counted_merge(&links);
    for (size_t i = 0; ok && i < links.n; i++) {
        if (links.v[i].item >= DP_LINKS)
            dp_sets_join(&g->sets, dp_counted_first(&links.v[i]), dp_counted_second(&links.v[i]));
    }
    dp_counted_done(&on);
    dp_counted_done(&links);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const dp_group *x = a, *y = b;
    return dp_str_cmp(x->name, y->name);
}

/* Sites in the order of their names, then the URLs of each, as in a counting sort. */
static bool list_sites(grouping *g, dp_sitelist *out)
{
    const dp_corpus *c = g->c;
    size_t          *at = calloc((size_t)g->n + 1, sizeof *at); /* by root: where its next URL goes */
    out->v = calloc((size_t)g->n + 1, sizeof *out->v);
    out->url = malloc((c->n + 1) * sizeof *out->url);
    if (!at || !out->v || !out->url) {
        free(at);
        return false;
    }
    for (uint32_t d = 0; d < g->n; d++) {
        uint32_t root = dp_sets_root(&g->sets, d); /* the least number of the set comes first */
        if (root == d) {
            at[d] = out->n;
            out->v[out->n++] = (dp_group){g->name[d], d, 0};
        }
        dp_group *s = &out->v[at[root]];
        s->n += g->urls[d];
        if (dp_str_cmp(g->name[d], s->name) < 0)
            s->name = g->name[d];
    }
    qsort(out->v, out->n, sizeof *out->v, by_name);
    for (size_t i = 0, from = 0; i < out->n; i++) {
        at[out->v[i].from] = from;
        out->v[i].from = from;
        from += out->v[i].n;
    }
    for (size_t i = 0; i < c->n; i++)
        out->url[at[dp_sets_root(&g->sets, g->domain[c->host[i]])]++] = (uint32_t)i;
    free(at);
    return true;
}

dp_err dp_sitelist_make(dp_sitelist *out, const dp_corpus *c, dp_grouping how)
{
    grouping g = {.c = c};
    *out = (dp_sitelist){0};
    bool ok = find_domains(&g, how == DP_GROUP_HOST) && (how != DP_GROUP_LINKED || g.n < 2 || link_domains(&g)) &&
              list_sites(&g, out);
    free(g.domain);
    free(g.name);
    free(g.urls);
    dp_sets_done(&g.sets);
    if (!ok)
        dp_sitelist_done(out);
    return ok ? DP_OK : DP_ENOMEM;
}

void dp_sitelist_done(dp_sitelist *l)
{
    free(l->v);
    free(l->url);
    *l = (dp_sitelist){0};
}
