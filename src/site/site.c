/* Sites out of pages: sort, make distinct, number clusters.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "site/site.h"

#include <stdlib.h>

#include "base/fold.h"

static const char *const by_names[DP_BYS] = {"list",     "size", "near",   "canonical",
                                             "redirect", "text", "digest", "fetch"};

const char *dp_by_name(dp_by by)
{
    return by_names[by];
}

bool dp_by_find(dp_by *by, dp_str name)
{
    for (int i = 0; i < DP_BYS; i++)
        if (dp_str_eq(name, dp_str_c(by_names[i]))) {
            *by = (dp_by)i;
            return true;
        }
    return false;
}

static int by_url(const void *a, const void *b)
{
    const dp_site_page *x = a, *y = b;
    int                 c = dp_str_cmp(x->url, y->url);
    if (!c)
        c = dp_str_cmp(x->cluster, y->cluster);
    return c ? c : (x->by < y->by) - (x->by > y->by);
}

/* Of pages [i, j) with one URL, the one whose cluster most of them name; they are sorted by cluster. */
static size_t majority(const dp_site_page *v, size_t i, size_t j)
{
    size_t best = i, most = 0;
    for (size_t k = i, e; k < j; k = e) {
        for (e = k + 1; e < j && dp_str_eq(v[e].cluster, v[k].cluster); e++) {}
        if (v[k].cluster.n && e - k > most) {
            most = e - k;
            best = k;
        }
    }
    return best;
}

typedef struct cluster_of {
    dp_str   id;
    uint32_t url;
} cluster_of;

static int by_id(const void *a, const void *b)
{
    const cluster_of *x = a, *y = b;
    int               c = dp_str_cmp(x->id, y->id);
    return c ? c : (x->url > y->url) - (x->url < y->url);
}

/* Number the clusters in the order of their first URL. */
static dp_err number_clusters(dp_site *s, const dp_site_page *v, uint32_t *cluster, dp_arena *a)
{
    cluster_of *c = malloc((s->n + 1) * sizeof *c);
    uint32_t   *first = malloc((s->n + 1) * sizeof *first);
    dp_err      code = c && first ? DP_OK : DP_ENOMEM;
    size_t      n = 0;
    if (code)
        goto done;
    for (size_t i = 0; i < s->n; i++)
        if (v[i].cluster.n)
            c[n++] = (cluster_of){v[i].cluster, (uint32_t)i};
    qsort(c, n, sizeof *c, by_id);
    for (size_t i = 0; i < n; i++)
        first[c[i].url] = i && dp_str_eq(c[i].id, c[i - 1].id) ? first[c[i - 1].url] : c[i].url;
    for (size_t i = 0; i < s->n; i++)
        cluster[i] = !v[i].cluster.n ? DP_NO_CLUSTER : first[i] == i ? s->nclusters++ : cluster[first[i]];
    uint32_t *size = DP_NEWS(a, s->nclusters, uint32_t);
    uint8_t  *fold = DP_NEWS(a, s->nclusters, uint8_t), *is_soft = DP_NEWS(a, s->nclusters, uint8_t);
    if (!size || !fold || !is_soft) {
        code = DP_ENOMEM;
        goto done;
    }
    for (size_t i = 0; i < s->n; i++)
        if (cluster[i] != DP_NO_CLUSTER) {
            size[cluster[i]]++;
            fold[cluster[i]] = (uint8_t)dp_fold_of(v[i].cluster);
        }
    s->size = size;
    s->fold = fold;
    s->is_soft = is_soft;
done:
    free(c);
    free(first);
    return code;
}

dp_err dp_site_make(dp_site *out, dp_str name, const dp_site_page *page, size_t n, dp_arena *a)
{
    if (n >= UINT32_MAX)
        return DP_ELIMIT;
    dp_site       s = {.name = name};
    dp_site_page *v = malloc((n + 1) * sizeof *v);
    dp_str       *url = DP_NEWS(a, n, dp_str);
    uint32_t     *cluster = DP_NEWS(a, n, uint32_t);
    uint8_t      *by = DP_NEWS(a, n, uint8_t);
    dp_err        code = v && url && cluster && by ? DP_OK : DP_ENOMEM;
    if (code)
        goto done;
    if (n)
        memcpy(v, page, n * sizeof *v);
    qsort(v, n, sizeof *v, by_url);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && dp_str_eq(v[j].url, v[i].url); j++) {}
        v[s.n] = v[majority(v, i, j)];
        url[s.n] = v[s.n].url;
        by[s.n] = (uint8_t)v[s.n].by;
        s.n++;
    }
    s.url = url;
    s.cluster = cluster;
    s.by = by;
    code = number_clusters(&s, v, cluster, a);
    if (code == DP_OK)
        *out = s;
done:
    free(v);
    return code;
}
