/* bench_method.c - one learner by itself, from clusters in memory to proposals.
 *
 *     bench_method METHOD NAME FILE [THREADS]     FILE: cluster TAB url; all its hosts as one site
 *
 * `build/plant --clusters FILE` makes such files. Only learning is measured; reading and sorting the site are not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include "base/buf.h"
#include "base/fold.h"
#include "learn/method/method.h"
#include "url/normalize.h"

typedef struct pages {
    dp_site_page *v;
    size_t        n, cap;
} pages;

static void add_page(pages *p, dp_site_page one)
{
    if (p->n == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 1024;
        p->v = realloc(p->v, p->cap * sizeof *p->v);
        if (!p->v)
            bench_die("memory");
    }
    p->v[p->n++] = one;
}

/* Lay the texts out in the order of the site, as `learn` does (site/corpus.h). */
static void lay_out(dp_site *s, dp_arena *a)
{
    size_t  bytes = 0;
    dp_str *url = DP_NEWS(a, s->n, dp_str);
    for (size_t i = 0; i < s->n; i++)
        bytes += s->url[i].n;
    char *text = dp_arena_alloc(a, bytes);
    if (!url || !text)
        bench_die("memory");
    for (size_t i = 0; i < s->n; text += url[i++].n) {
        memcpy(text, s->url[i].p, s->url[i].n);
        url[i] = (dp_str){text, s->url[i].n};
    }
    s->url = url;
}

static dp_site read_site(const char *path, dp_arena *a)
{
    size_t  n;
    char   *text = bench_read(path, &n);
    pages   p = {0};
    dp_buf  url = {0};
    dp_site s;
    for (char *at = text, *end = text + n; at < end;) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        char *tab = memchr(at, '\t', (size_t)(line_end - at));
        dp_buf_reset(&url);
        if (tab && *at != '#' && dp_normalize(&url, (dp_str){tab + 1, (size_t)(line_end - tab - 1)}))
            add_page(&p, (dp_site_page){dp_arena_str(a, dp_buf_view(&url)),
                                        dp_arena_str(a, (dp_str){at, (size_t)(tab - at)}), DP_BY_TEXT});
        at = line_end + 1;
    }
    if (dp_site_make(&s, DP_STR("bench"), p.v, p.n, a) != DP_OK)
        bench_die("memory");
    lay_out(&s, a);
    free(p.v);
    free(text);
    dp_buf_done(&url);
    return s;
}

static dp_proposals learn(const dp_method *m, const dp_site *s, dp_pool *pool, dp_arena *a)
{
    dp_proposals     out = {0};
    dp_learn_context ctx = {.min_precision = .9, .accept = DP_ACCEPT_PAPER, .folds = DP_ALL_FOLDS, .pool = pool};
    if (m->learn(&out, s, m->options_init, &ctx, a) != DP_OK)
        bench_die("learn");
    return out;
}

int main(int argc, char **argv)
{
    dp_arena         a = {0};
    const dp_method *m = argc >= 4 ? dp_method_find(dp_str_c(argv[1])) : NULL;
    if (m) {
        dp_pool     *pool = NULL;
        unsigned     threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
        dp_site      s = read_site(argv[3], &a);
        if (threads > 1 && dp_pool_new(&pool, threads) != DP_OK)
            bench_die("threads");
        bench_run    run = bench_start();
        dp_proposals p = learn(m, &s, pool, &a);
        bench_print(argv[2], s.n, &run);
        dp_proposals_done(&p);
        dp_pool_free(pool);
    } else {
        fprintf(stderr, "usage: bench_method METHOD NAME FILE [THREADS]\n");
        return 2;
    }
    dp_arena_done(&a);
    return 0;
}
