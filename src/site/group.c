/* SPDX-License-Identifier: Apache-2.0 */
#include "site/group.h"

#include <stdlib.h>

/* ---- presences ---------------------------------------------------------------------------------------------- */

static int by_call(const void *a, const void *b)
{
    const dp_caller *x = a, *y = b;
    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    if (x->url != y->url)
        return x->url < y->url ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* The callers, each once, by who calls: their number. NULL: memory is out. */
static dp_caller *list_callers(const dp_corpus *c, size_t *n)
{
    dp_caller *v = malloc((c->ncaller + 1u) * sizeof *v);
    *n = 0;
    if (v && c->ncaller) {
        memcpy(v, c->caller, c->ncaller * sizeof *v);
        qsort(v, c->ncaller, sizeof *v, by_call);
    }
    for (uint32_t i = 0; v && i < c->ncaller; i++) {
        if (!*n || by_call(&v[i], &v[*n - 1]) != 0)
            v[(*n)++] = v[i];
    }
    return v;
}

/* Clusters to which other domains lead: each of their URLs counts once a cluster that it leads to. */
static bool add_callers(const dp_corpus *c, dp_counted *out, const dp_caller *v, size_t n, const dp_intern *domains)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        uint32_t domain;
        if (c->label[v[i].url] != DP_NO_CLUSTER &&
            dp_intern_find(domains, c->calling.v[v[i].domain].key, &domain))
            ok = dp_counted_add(out, c->label[v[i].url], domain);
    }
    return ok && dp_counted_merge(out);
}

/* URLs of which nothing is known but that others lead to them: a cluster of theirs. */
static size_t add_unknown(dp_presence *out, const dp_corpus *c, const dp_caller *v, size_t n, uint32_t own,
                          const dp_intern *domains)
{
    size_t k = 0;
    for (size_t i = 0, j; i < n; i = j) {
        uint32_t domain, url = v[i].url;
        for (j = i; j < n && v[j].domain == v[i].domain && v[j].url == url; j++) {}
        if (c->label[url] != DP_NO_CLUSTER || !dp_intern_find(domains, c->calling.v[v[i].domain].key, &domain))
            continue;
        uint64_t id = dp_corpus_url_id(dp_corpus_url(c, url));
        out[k++] = (dp_presence){id, own, 1};
        out[k++] = (dp_presence){id, domain, (uint32_t)(j - i)};
    }
    return k;
}

dp_err dp_presences_find(dp_presence **out, size_t *n, const dp_corpus *c, uint32_t domain, const dp_intern *domains)
{
    dp_counted called = {0};
    size_t     clusters = c->clusters.n, k = 0, callers;
    uint32_t  *urls = calloc(clusters + 1, sizeof *urls);
    dp_caller *v = list_callers(c, &callers);
    bool       ok = urls && v && add_callers(c, &called, v, callers, domains);
    *out = ok ? malloc((clusters + called.n + 2 * callers + 1) * sizeof **out) : NULL;
    ok = *out != NULL;
    for (uint32_t i = 0; ok && i < c->n; i++) {
        if (c->label[i] != DP_NO_CLUSTER && dp_corpus_owns(c, i))
            urls[c->label[i]]++;
    }
    for (uint32_t i = 0; ok && i < clusters; i++) {
        if (urls[i])
            (*out)[k++] = (dp_presence){c->clusters.hash[i], domain, urls[i]};
    }
    for (size_t i = 0; ok && i < called.n; i++)
        (*out)[k++] = (dp_presence){c->clusters.hash[dp_counted_first(&called.v[i])],
                                    dp_counted_second(&called.v[i]), called.v[i].item};
    if (ok)
        k += add_unknown(*out + k, c, v, callers, domain, domains);
    *n = k;
    free(urls);
    free(v);
    dp_counted_done(&called);
    return ok ? DP_OK : DP_ENOMEM;
}

/* ---- links ---------------------------------------------------------------------------------------------------- */

static int by_cluster(const void *a, const void *b)
{
    const dp_presence *x = a, *y = b;
    if (x->cluster != y->cluster)
        return x->cluster < y->cluster ? -1 : 1;
    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    return (x->urls < y->urls) - (x->urls > y->urls); /* the same told by two: more first */
}

/* Whether so many URLs of a domain may be in a cluster that links it. */
static bool is_few(const dp_links *l, const dp_presence *p)
{
    return p->urls == 1 || (uint64_t)p->urls * 100 <= (uint64_t)l->urls[p->domain] * DP_LINK_PERCENT;
}

/* The pairs of domains of one cluster, each domain once. */
static bool add_pairs(dp_links *l, const dp_presence *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (is_few(l, &v[i]) && is_few(l, &v[j]) && !dp_counted_add(&l->pair, v[i].domain, v[j].domain))
                return false;
        }
    }
    return true;
}

dp_err dp_links_add(dp_links *l, dp_presence *v, size_t n)
{
    if (n)
        qsort(v, n, sizeof *v, by_cluster);
    for (size_t i = 0, j; i < n; i = j) {
        size_t k = i + 1; /* domains up to here */
        for (j = i + 1; j < n && v[j].cluster == v[i].cluster; j++) {
            if (v[j].domain != v[k - 1].domain)
                v[k++] = v[j];
        }
        if (k - i >= 2 && k - i <= DP_LINK_SITES && !add_pairs(l, v + i, k - i))
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_links_join(dp_links *l, dp_sets *domains, const dp_ownership *owners, const dp_intern *name)
{
    if (!dp_counted_merge(&l->pair))
        return DP_ENOMEM;
    for (size_t i = 0; i < l->pair.n; i++) {
        uint32_t x = dp_counted_first(&l->pair.v[i]), y = dp_counted_second(&l->pair.v[i]);
        bool     may = !owners || dp_str_eq(dp_ownership_lead(owners, name->v[x].key),
                                            dp_ownership_lead(owners, name->v[y].key));
        if (may && l->pair.v[i].item >= DP_LINKS)
            dp_sets_join(domains, x, y);
    }
    return DP_OK;
}

void dp_links_done(dp_links *l)
{
    dp_counted_done(&l->pair);
    *l = (dp_links){0};
}
