/* One site out of a corpus: URLs sorted, clusters numbered anew, columns gathered.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>

#include "site/corpus.h"

typedef struct view {
    const dp_corpus *c;
    const uint32_t  *url; /* [n] numbers in the corpus, in the order of the site */
    size_t           n;
    dp_arena        *a;
} view;

static int by_text(const void *a, const void *b, void *corpus)
{
    return dp_str_cmp(dp_corpus_url(corpus, *(const uint32_t *)a), dp_corpus_url(corpus, *(const uint32_t *)b));
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* The values of the site's URLs out of a column of `width` bytes; *failed when memory is out. */
static void *gather(const view *v, const void *column, size_t width, bool *failed)
{
    if (!column)
        return NULL;
    char *out = dp_arena_zero(v->a, v->n, width);
    if (!out) {
        *failed = true;
        return NULL;
    }
    for (size_t i = 0; i < v->n; i++)
        memcpy(out + i * width, (const char *)column + v->url[i] * width, width);
    return out;
}

static bool gather_columns(dp_site *s, const view *v)
{
    bool    failed = false;
    double *importance = gather(v, v->c->importance, sizeof *importance, &failed);
    for (size_t i = 0; importance && i < v->n; i++)
        importance[i] = isnan(importance[i]) ? -1 : importance[i];
    s->importance = importance;
    s->size_min = gather(v, v->c->size_min, sizeof *s->size_min, &failed);
    s->size_max = gather(v, v->c->size_max, sizeof *s->size_max, &failed);
    s->sketch = gather(v, v->c->sketch, sizeof *s->sketch, &failed);
    s->simhash = gather(v, v->c->simhash, sizeof *s->simhash, &failed);
    s->inlinks = gather(v, v->c->inlinks, sizeof *s->inlinks, &failed);
    s->hops = gather(v, v->c->hops, sizeof *s->hops, &failed);
    s->hits = gather(v, v->c->hits, sizeof *s->hits, &failed);
    s->by = gather(v, v->c->by, sizeof *s->by, &failed);
    dp_str *url = DP_NEWS(v->a, v->n, dp_str);
    for (size_t i = 0; url && i < v->n; i++)
        url[i] = dp_corpus_url(v->c, v->url[i]);
    s->url = url;
    return url && !failed;
}

/* ---- clusters ------------------------------------------------------------------------------------------- */

/* Number the clusters in the order of their first URL. */
static bool number_clusters(dp_site *s, const view *v)
{
    const dp_corpus *c = v->c;
    uint32_t        *cluster = DP_NEWS(v->a, v->n, uint32_t);
    dp_keyed        *of = malloc((2 * v->n + 1) * sizeof *of);
    size_t           n = 0;
    if (!cluster || !of) {
        free(of);
        return false;
    }
    for (size_t i = 0; i < v->n; i++) {
        cluster[i] = DP_NO_CLUSTER;
        if (c->label[v->url[i]] != DP_NO_CLUSTER)
            of[n++] = (dp_keyed){c->label[v->url[i]], (uint32_t)i};
    }
    dp_keyed_sort(of, of + n, n, UINT32_MAX);
    for (size_t i = 0, first = 0; i < n; i++) { /* each URL gets the first of its cluster */
        first = i && of[i].key == of[i - 1].key ? first : of[i].item;
        cluster[of[i].item] = (uint32_t)first;
    }
    free(of);
    uint32_t *number = malloc((v->n + 1) * sizeof *number);
    for (size_t i = 0; number && i < v->n; i++) {
        if (cluster[i] == DP_NO_CLUSTER)
            continue;
        if (cluster[i] == i)
            number[i] = s->nclusters++;
        cluster[i] = number[cluster[i]];
    }
    uint32_t *size = DP_NEWS(v->a, s->nclusters, uint32_t);
    uint8_t  *fold = DP_NEWS(v->a, s->nclusters, uint8_t), *is_soft = DP_NEWS(v->a, s->nclusters, uint8_t);
    bool      ok = number && size && fold && is_soft;
    for (size_t i = 0; ok && i < v->n; i++) {
        uint32_t label = c->label[v->url[i]];
        if (label == DP_NO_CLUSTER)
            continue;
        size[cluster[i]]++;
        fold[cluster[i]] = c->fold[label];
        is_soft[cluster[i]] = c->is_soft ? c->is_soft[label] : 0;
    }
    free(number);
    s->cluster = cluster;
    s->size = size;
    s->fold = fold;
    s->is_soft = is_soft;
    return ok;
}

/* ---- pairs -------------------------------------------------------------------------------------------------- */

static bool gather_clients(dp_site *s, const view *v)
{
    const dp_counted *all = &v->c->client;
    size_t            n = 0;
    if (!all->n)
        return true;
    uint32_t *at = DP_NEWS(v->a, v->n + 1, uint32_t);
    if (!at)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        at[i] = (uint32_t)n;
        for (size_t k = dp_counted_find(all, v->url[i]); k < all->n && dp_counted_first(&all->v[k]) == v->url[i]; k++)
            n++;
    }
    at[v->n] = (uint32_t)n;
    uint32_t *client = DP_NEWS(v->a, n, uint32_t);
    if (!client || n > UINT32_MAX)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        size_t k = dp_counted_find(all, v->url[i]);
        for (size_t j = at[i]; j < at[i + 1]; j++)
            client[j] = dp_counted_second(&all->v[k++]);
    }
    s->client_at = at;
    s->client = client;
    return true;
}

/* Where URL `number` of the corpus stands in the site, among `places` sorted by number. */
static const dp_keyed *find_place(const dp_keyed *places, size_t n, uint32_t number)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (places[mid].key < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && places[low].key == number ? &places[low] : NULL;
}

static int by_ends(const void *a, const void *b)
{
    const dp_arrow *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->by > y->by) - (x->by < y->by);
}

/* Append (or only count, where `out` is NULL) the arrows between URLs of the site. */
static size_t add_arrows(dp_arrow *out, const view *v, const dp_counted *all, const dp_keyed *places, dp_by by)
{
    size_t n = 0;
    for (size_t i = 0; all->n && i < v->n; i++) {
        for (size_t k = dp_counted_find(all, v->url[i]); k < all->n && dp_counted_first(&all->v[k]) == v->url[i]; k++) {
            const dp_keyed *to = find_place(places, v->n, dp_counted_second(&all->v[k]));
            if (to && out)
                out[n] = (dp_arrow){(uint32_t)i, to->item, (uint8_t)by};
            n += to != NULL;
        }
    }
    return n;
}

static bool gather_arrows(dp_site *s, const view *v)
{
    const dp_counted *redirect = &v->c->redirect, *canonical = &v->c->canonical;
    if (!redirect->n && !canonical->n)
        return true;
    dp_keyed *places = malloc((2 * v->n + 1) * sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < v->n; i++)
        places[i] = (dp_keyed){v->url[i], (uint32_t)i};
    dp_keyed_sort(places, places + v->n, v->n, UINT32_MAX);
    size_t n = add_arrows(NULL, v, redirect, places, DP_BY_REDIRECT);
    s->narrow = n + add_arrows(NULL, v, canonical, places, DP_BY_CANONICAL);
    dp_arrow *arrow = DP_NEWS(v->a, s->narrow, dp_arrow);
    if (arrow) {
        add_arrows(arrow, v, redirect, places, DP_BY_REDIRECT);
        add_arrows(arrow + n, v, canonical, places, DP_BY_CANONICAL);
        qsort(arrow, s->narrow, sizeof *arrow, by_ends);
    }
    free(places);
    s->arrow = arrow;
    return arrow != NULL;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

dp_err dp_corpus_site(dp_site *out, const dp_corpus *c, dp_str name, uint32_t *url, size_t n, dp_arena *a)
{
    dp_site s = {.name = name, .n = n};
    view    v = {c, url, n, a};
    qsort_r(url, n, sizeof *url, by_text, (void *)(uintptr_t)c);
    if (!gather_columns(&s, &v) || !number_clusters(&s, &v) || !gather_clients(&s, &v) || !gather_arrows(&s, &v))
        return DP_ENOMEM;
    *out = s;
    return DP_OK;
}
