/* plant_pool.c - keep URLs with their truth; group them by key.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/order.h"
#include "plant_pool.h"

#include <stdlib.h>
#include <xxhash.h>

dp_err plant_pool_add(plant_pool *p, const plant_item *it, bool fresh)
{
    if (p->n == p->cap) {
        size_t        cap = p->cap ? 2 * p->cap : 1024;
        plant_sample *v = realloc(p->v, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        p->v = v;
        p->cap = cap;
    }
    p->v[p->n] = (plant_sample){.at = p->text.n, .n = it->n, .page = it->page, .content = it->content, .host = it->host,
                                .order = p->n, .fresh = fresh};
    p->n++;
    dp_buf_add(&p->text, it->url, it->n);
    return p->text.failed ? DP_ENOMEM : DP_OK;
}

void plant_pool_done(plant_pool *p)
{
    dp_buf_done(&p->text);
    free(p->v);
}

static int order_of(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_host(const void *a, const void *b)
{
    const plant_sample *x = a, *y = b;
    int                 c = order_of(x->host, y->host);
    return c ? c : order_of(x->order, y->order);
}

void plant_pool_sort(plant_pool *p)
{
    if (p->n)
        qsort(p->v, p->n, sizeof *p->v, by_host);
}

static size_t lower_bound(const plant_pool *p, uint64_t host)
{
    size_t i;
    DP_BISECT(i, p->n, p->v[i].host < host);
    return i;
}

size_t plant_pool_host(const plant_pool *p, uint64_t host, size_t *first)
{
    *first = lower_bound(p, host);
    return lower_bound(p, host + 1) - *first;
}

uint64_t plant_key(const dp_engine *e, dp_scratch *s, const char *url, size_t n)
{
    size_t      kn;
    const char *key = dp_apply_view(e, s, DP_KEY, url, n, &kn);
    return key ? XXH3_64bits(key, kn) | 1 : 0;
}

/* ---- groups --------------------------------------------------------------------------------------------- */

typedef struct member {
    uint64_t key, content, page, url, order;
} member;

static int by_key(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int           c = order_of(x->key, y->key);
    c = c ? c : order_of(x->content, y->content);
    c = c ? c : order_of(x->page, y->page);
    return c ? c : order_of(x->url, y->url);
}

static int by_number(const void *a, const void *b)
{
    return order_of(*(const uint64_t *)a, *(const uint64_t *)b);
}

static uint64_t distinct(uint64_t *v, size_t n)
{
    uint64_t count = 0;
    if (n)
        qsort(v, n, sizeof *v, by_number);
    for (size_t i = 0; i < n; i++)
        count += i == 0 || v[i] != v[i - 1];
    return count;
}

/* Members sorted by key, content, page, URL; `page` has room for n numbers. */
static void count_groups(plant_merges *out, const member *m, size_t n, uint64_t *page)
{
    size_t crawled = 0;
    for (size_t i = 0, j; i < n; i = j) {
        uint64_t urls = 0, pages = 0, contents = 0, first = i;
        for (j = i; j < n && m[j].key == m[i].key; j++) {
            bool content = j == i || m[j].content != m[j - 1].content;
            bool other = content || m[j].page != m[j - 1].page;
            contents += content;
            pages += other;
            urls += other || m[j].url != m[j - 1].url;
            first = m[j].order < m[first].order ? j : first;
        }
        out->urls += urls;
        out->groups++;
        out->good += urls - pages;
        out->bad += contents - 1;
        out->harmless += pages - contents;
        page[crawled++] = m[first].page;
    }
    out->covered = distinct(page, crawled);
    for (size_t i = 0; i < n; i++)
        page[i] = m[i].page;
    out->pages = distinct(page, n);
    for (size_t i = 0; i < n; i++)
        page[i] = m[i].content;
    out->contents = distinct(page, n);
}

dp_err plant_pool_judge(plant_merges *out, const plant_pool *p, size_t first, size_t n, bool fresh, const dp_engine *e,
                        dp_scratch *s)
{
    member   *m = malloc((n + 1) * sizeof *m);
    uint64_t *page = malloc((n + 1) * sizeof *page);
    dp_err    code = m && page ? DP_OK : DP_ENOMEM;
    size_t    k = 0;
    *out = (plant_merges){0};
    for (size_t i = first; i < first + n && code == DP_OK; i++) {
        const plant_sample *v = &p->v[i];
        const char         *url = p->text.p + v->at;
        if (fresh && !v->fresh)
            continue;
        m[k] = (member){plant_key(e, s, url, v->n), v->content, v->page, XXH3_64bits(url, v->n), v->order};
        code = m[k++].key ? DP_OK : DP_ENOMEM;
    }
    if (code == DP_OK) {
        if (k)
            qsort(m, k, sizeof *m, by_key);
        count_groups(out, m, k, page);
    }
    free(m);
    free(page);
    return code;
}
