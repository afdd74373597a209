/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/crawl.h"

#include <stdlib.h>

#include "eval/metrics.h"

bool dp_crawl_find(const dp_crawl_score *s, const char *name, double *value)
{
    const dp_metric all[] = {
        {"rest", (double)s->rest},
        {"fetched", (double)s->fetched},
        {"needed", (double)s->needed},
        {"avoidable", (double)dp_crawl_avoidable(s)},
        {"avoided", (double)dp_crawl_avoided(s)},
        {"saved_of_avoidable", dp_crawl_saved(s)},
        {"lost", (double)s->lost},
        {"bad_merges", (double)s->bad},
    };
    return dp_metric_find(all, DP_COUNT(all), name, value);
}

dp_err dp_crawl_order(dp_crawl *c, const uint64_t *at, uint64_t cut, double share)
{
    dp_member *m = malloc((c->n + 1u) * sizeof *m);
    c->order = malloc((c->n + 1u) * sizeof *c->order);
    if (!m || !c->order) {
        free(m);
        return DP_ENOMEM;
    }
    for (uint32_t i = 0; i < c->n; i++)
        m[i] = (dp_member){at[i], 0, i};
    dp_members_sort(m, c->n);
    c->past = cut == UINT64_MAX ? (uint32_t)(share * c->n) : 0;
    for (uint32_t i = 0; i < c->n; i++) {
        c->order[i] = m[i].item;
        if (cut != UINT64_MAX)
            c->past += m[i].key < cut;
    }
    free(m);
    return DP_OK;
}

void dp_crawl_done(dp_crawl *c)
{
    free(c->order);
    *c = (dp_crawl){0};
}

/* What is known of a page: bits of dp_stamps.marked. */
enum { SHOWN = 1 /* by the past */, FETCHED = 2 /* in the rest */, COUNTED = 4 };

typedef struct crawler {
    const dp_crawl *c;
    dp_crawl_score *all, *by_host;
    dp_stamps       pages;
} crawler;

static uint32_t page_of(const crawler *w, uint32_t place)
{
    return w->c->cluster[w->c->order[place]];
}

#define COUNT(w, place, field)                                                   \
    do {                                                                         \
        (w)->all->field++;                                                       \
        if ((w)->by_host)                                                        \
            (w)->by_host[(w)->c->host[(w)->c->order[place]]].field++;            \
    } while (0)

/* URLs of one key, in the order of the crawl: those of the past were fetched, else the first is. */
static void crawl_key(crawler *w, const dp_member *m, size_t n)
{
    bool seen = m[0].item < w->c->past;
    dp_stamps_next(&w->pages);
    for (size_t i = 0; i < n; i++) {
        uint32_t place = m[i].item, page = page_of(w, place);
        if (place < w->c->past) {
            dp_stamps_add(&w->pages, page);
        } else if (i == 0 && !seen) {
            dp_stamps_add(&w->pages, page);
            w->pages.marked[page] |= FETCHED;
            COUNT(w, place, fetched);
        } else if (w->pages.of[page] != w->pages.now) {
            COUNT(w, place, bad);
        }
    }
}

static void count_pages(crawler *w)
{
    const dp_crawl *c = w->c;
    for (uint32_t i = 0; i < c->past; i++)
        w->pages.marked[page_of(w, i)] |= SHOWN;
    for (uint32_t i = c->past; i < c->n; i++) {
        uint8_t *page = &w->pages.marked[page_of(w, i)];
        COUNT(w, i, rest);
        if (!(*page & (SHOWN | COUNTED))) {
            COUNT(w, i, needed);
            if (!(*page & FETCHED))
                COUNT(w, i, lost);
        }
        *page |= COUNTED;
    }
}

dp_err dp_crawl_run(dp_crawl_score *out, dp_crawl_score *by_host, const dp_crawl *c, const uint64_t *key,
                    dp_pool *pool)
{
    crawler    w = {.c = c, .all = out, .by_host = by_host};
    dp_member *m = malloc((c->n + 1u) * sizeof *m);
    dp_err     code = m ? dp_stamps_init(&w.pages, c->clusters) : DP_ENOMEM;
    size_t     n = code == DP_OK ? c->n : 0;
    *out = (dp_crawl_score){0};
    for (uint32_t i = 0; i < n; i++)
        m[i] = (dp_member){key[c->order[i]], 0, i};
    if (n)
        dp_members_sort_on(pool, m, n);
    for (size_t i = 0, j; i < n; i = j) {
        j = dp_group_end(m, n, i);
        crawl_key(&w, m + i, j - i);
    }
    if (n)
        count_pages(&w);
    dp_stamps_done(&w.pages);
    free(m);
    return code;
}
