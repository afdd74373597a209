/* One site out of a corpus: URLs sorted, clusters numbered anew, columns gathered.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/words/strsort.h"
#include "site/corpus.h"
#include "site/usual.h"

enum { AHEAD = 8 /* texts that are fetched before they are copied */ };

typedef struct view {
    dp_corpus *c;
    uint32_t  *url; /* [n] numbers in the corpus, in the order of the site */
    size_t     n;
    dp_arena  *a;
    bool       failed; /* memory is out */
} view;

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Whether a URL of the site has something in a column of `width` bytes; nothing is made of the byte `unknown`. */
static bool is_known(const view *v, const char *column, size_t width, int unknown)
{
    for (size_t i = 0; i < v->n; i++) {
        for (size_t k = 0; k < width; k++) {
            if ((unsigned char)column[v->url[i] * width + k] != unknown)
                return true;
        }
    }
    return false;
}

/* The values of the site's URLs out of a column, which is given back; NULL when there are none. */
static void *gather(view *v, void *pointer, size_t width, int unknown)
{
    void **column = pointer;
    char  *out = NULL;
    if (*column && is_known(v, *column, width, unknown)) {
        out = dp_arena_zero(v->a, v->n, width);
        v->failed |= !out;
        for (size_t i = 0; out && i < v->n; i++)
            memcpy(out + i * width, (const char *)*column + v->url[i] * width, width);
    }
    free(*column);
    *column = NULL;
    return out;
}

/* Hits say something when a URL has more than one. */
static bool is_hit_twice(const view *v)
{
    for (size_t i = 0; i < v->n; i++) {
        if (v->c->hits[v->url[i]] > 1)
            return true;
    }
    return false;
}

/* URLs that no record is of: others lead to them. Where all are of one domain nobody asks. */
static bool gather_named(dp_site *s, const view *v)
{
    const dp_corpus *c = v->c;
    bool             any = false;
    uint8_t         *is_named = c->ndomain > 1 ? DP_NEWS(v->a, v->n, uint8_t) : NULL;
    for (size_t i = 0; is_named && i < v->n; i++) {
        size_t arrow = dp_counted_find(&c->redirect, v->url[i]);
        bool   redirects = arrow < c->redirect.n && dp_counted_first(&c->redirect.v[arrow]) == v->url[i];
        is_named[i] = !c->hits[v->url[i]] && !redirects;
        any |= is_named[i];
    }
    s->is_named = any ? is_named : NULL;
    return is_named || c->ndomain <= 1;
}

static bool gather_columns(dp_site *s, view *v)
{
    dp_corpus *c = v->c;
    double    *importance = gather(v, &c->importance, sizeof *importance, 0xFF);
    for (size_t i = 0; importance && i < v->n; i++)
        importance[i] = isnan(importance[i]) ? -1 : importance[i];
    s->importance = importance;
    s->size_min = gather(v, &c->size_min, sizeof *s->size_min, 0xFF);
    s->size_max = gather(v, &c->size_max, sizeof *s->size_max, 0xFF);
    s->sketch = gather(v, &c->sketch, sizeof *s->sketch, 0);
    s->simhash = gather(v, &c->simhash, sizeof *s->simhash, 0);
    s->inlinks = gather(v, &c->inlinks, sizeof *s->inlinks, 0xFF);
    s->hops = gather(v, &c->hops, sizeof *s->hops, 0xFF);
    s->newest = c->newest;
    s->linked = gather(v, &c->linked, sizeof *s->linked, 0);
    s->resource = gather(v, &c->resource, sizeof *s->resource, 0);
    s->hits = is_hit_twice(v) ? gather(v, &c->hits, sizeof *s->hits, 0) : NULL;
    uint8_t *by = DP_NEWS(v->a, v->n, uint8_t);
    for (size_t i = 0; by && i < v->n; i++)
        by[i] = c->by[v->url[i]];
    s->by = by;
    free(c->by);
    c->by = NULL;
    return by && !v->failed;
}

/* URLs that are gone, and were never there: by their texts, which are copied. */
static bool gather_gone(dp_site *s, view *v)
{
    const dp_corpus *c = v->c;
    uint32_t        *order = malloc((c->gone_url.n + 1) * sizeof *order);
    dp_str          *gone = DP_NEWS(v->a, c->gone_url.n, dp_str);
    bool             ok = order && gone;
    for (uint32_t i = 0; ok && i < c->gone_url.n; i++)
        order[i] = i;
    ok = ok && dp_strlist_sort(&c->gone_url, order, c->gone_url.n);
    for (size_t i = 0, k = 0; ok && i < c->gone_url.n; i++) {
        dp_str url = dp_strlist_get(&c->gone_url, order[i]);
        while (k < v->n && dp_str_cmp(dp_corpus_url(c, v->url[k]), url) < 0)
            k++;
        if (k < v->n && dp_str_eq(dp_corpus_url(c, v->url[k]), url))
            continue;
        gone[s->ngone] = dp_arena_str(v->a, url);
        ok = gone[s->ngone++].p != NULL;
    }
    free(order);
    s->gone = gone;
    return ok;
}

/* What else it says of each page. Where that is another thing at each fetch, it tells nothing. */
static bool gather_tags(dp_site *s, view *v)
{
    dp_counted *all = &v->c->tags;
    uint64_t    further = 0, same = 0;
    uint32_t   *tag = DP_NEWS(v->a, v->n, uint32_t);
    if (!tag || !dp_counted_merge(all))
        return false;
    for (size_t i = 0; i < v->n; i++) {
        uint32_t most = 0, sum = 0;
        for (size_t k = dp_counted_find(all, v->url[i]); k < all->n && dp_counted_first(&all->v[k]) == v->url[i]; k++) {
            sum += all->v[k].item;
            if (all->v[k].item > most) {
                most = all->v[k].item;
                tag[i] = dp_counted_second(&all->v[k]);
            }
        }
        further += sum ? sum - 1 : 0;
        same += most ? most - 1 : 0;
    }
    s->tag = 10 * same >= 8 * further ? tag : NULL;
    return true;
}

/* What a log says of pages of which nothing else is known. */
static bool gather_log(dp_site *s, view *v)
{
    dp_corpus *c = v->c;
    if (c->tags.n && !gather_tags(s, v))
        return false;
    if (c->sizes.n) {
        uint32_t *usual = DP_NEWS(v->a, v->n, uint32_t);
        if (!usual || !dp_counted_merge(&c->sizes) || !dp_usual_find(usual, &s->spread, &c->sizes, v->url, v->n))
            return false;
        s->usual = usual;
    }
    return !c->sizes.n || !c->gone.n || gather_gone(s, v);
}

/* Texts lie in no order: most take one line or two of memory. */
static void prefetch(dp_str text)
{
    __builtin_prefetch(text.p);
    __builtin_prefetch(text.p + text.n);
}

/* The texts of the site's URLs, laid out in their order: whoever goes through a large site goes through memory. They
 * take the place of the corpus's. */
static bool gather_texts(dp_site *s, view *v)
{
    dp_corpus *c = v->c;
    dp_str    *url = DP_NEWS(v->a, v->n, dp_str);
    dp_buf     text = {0};
    size_t     bytes = 0;
    for (size_t i = 0; i < v->n; i++)
        bytes += dp_corpus_url(c, v->url[i]).n;
    if (!url || !dp_buf_room(&text, bytes + 1))
        return false;
    for (size_t i = 0; i < v->n; i++) {
        if (i + AHEAD < v->n)
            prefetch(dp_corpus_url(c, v->url[i + AHEAD]));
        dp_str from = dp_corpus_url(c, v->url[i]);
        url[i] = (dp_str){text.p + text.n, from.n};
        dp_buf_str(&text, from);
    }
    dp_strlist_done(&c->url);
    c->url.text = text;
    s->url = url;
    return true;
}

/* ---- clusters ------------------------------------------------------------------------------------------- */

/* Number the clusters in the order of their first URL. */
static bool number_clusters(dp_site *s, const view *v)
{
    const dp_corpus *c = v->c;
    uint32_t        *cluster = DP_NEWS(v->a, v->n, uint32_t);
    uint32_t        *number = malloc((c->clusters.n + 1u) * sizeof *number); /* of a label of the corpus */
    if (number)
        memset(number, 0xFF, (c->clusters.n + 1u) * sizeof *number);
    for (size_t i = 0; cluster && number && i < v->n; i++) {
        uint32_t label = c->label[v->url[i]];
        cluster[i] = DP_NO_CLUSTER;
        if (label == DP_NO_CLUSTER)
            continue;
        if (number[label] == UINT32_MAX)
            number[label] = s->nclusters++;
        cluster[i] = number[label];
    }
    uint32_t *size = DP_NEWS(v->a, s->nclusters, uint32_t);
    uint8_t  *fold = DP_NEWS(v->a, s->nclusters, uint8_t), *is_soft = DP_NEWS(v->a, s->nclusters, uint8_t);
    bool      ok = cluster && number && size && fold && is_soft;
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
    size_t i;
    DP_BISECT(i, n, places[i].key < number);
    return i < n && places[i].key == number ? &places[i] : NULL;
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

/* Redirects of which a log does not say where they lead. Two clients, or a path that one would expect, prove it, where
 * no client has gone elsewhere. */
static bool gather_sent(dp_site *s, const view *v, const dp_keyed *places)
{
    const dp_counted *all = &v->c->followed;
    dp_arrow         *sent = DP_NEWS(v->a, all->n, dp_arrow);
    for (size_t i = 0; sent && i < v->n; i++) {
        size_t at = dp_counted_find(all, v->url[i]);
        bool   any = at < all->n && dp_counted_first(&all->v[at]) == v->url[i];
        bool   only = any && (at + 1 == all->n || dp_counted_first(&all->v[at + 1]) != v->url[i]);
        if (!only)
            continue;
        uint32_t        target = dp_counted_second(&all->v[at]);
        const dp_keyed *to = find_place(places, v->n, target);
        dp_str          from = dp_corpus_url(v->c, v->url[i]);
        if (to && (all->v[at].item > 1 || dp_follow_is_likely(from, dp_corpus_url(v->c, target))))
            sent[s->nsent++] = (dp_arrow){(uint32_t)i, to->item, DP_BY_REDIRECT};
    }
    s->sent = sent;
    return sent != NULL;
}

static bool gather_arrows(dp_site *s, const view *v)
{
    const dp_counted *redirect = &v->c->redirect, *canonical = &v->c->canonical;
    if (!redirect->n && !canonical->n && !v->c->followed.n)
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
    bool      ok = arrow && (!v->c->followed.n || gather_sent(s, v, places));
    if (ok) {
        add_arrows(arrow, v, redirect, places, DP_BY_REDIRECT);
        add_arrows(arrow + n, v, canonical, places, DP_BY_CANONICAL);
        qsort(arrow, s->narrow, sizeof *arrow, by_ends);
    }
    free(places);
    s->arrow = arrow;
    return ok;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static bool list_own(view *v)
{
    const dp_corpus *c = v->c;
    v->url = malloc((c->nown + 1) * sizeof *v->url);
    for (uint32_t i = 0; v->url && i < c->n; i++) {
        if (dp_corpus_owns(c, i))
            v->url[v->n++] = i;
    }
    return v->url && dp_strlist_sort(&c->url, v->url, v->n);
}

/* All but the counts and the texts. */
static void give_back(dp_corpus *c)
{
    dp_corpus left = {.n = c->n, .nown = c->nown, .ndomain = c->ndomain, .contradicting = c->contradicting,
                      .soft = c->soft, .spellings = c->spellings};
    left.url.text = c->url.text;
    c->url.text = (dp_buf){0};
    dp_corpus_done(c);
    *c = left;
}

dp_err dp_corpus_site(dp_site *out, dp_corpus *c, dp_str name, dp_arena *a)
{
    dp_site s = {.name = name, .n = c->nown};
    view    v = {.c = c, .a = a};
    bool    ok = list_own(&v) && number_clusters(&s, &v) && gather_clients(&s, &v) && gather_arrows(&s, &v) &&
              gather_named(&s, &v) && gather_log(&s, &v) && gather_columns(&s, &v) && gather_texts(&s, &v);
    free(v.url);
    if (ok) {
        give_back(c);
        *out = s;
    }
    return ok ? DP_OK : DP_ENOMEM;
}
