/* Rodrigues et al. 2013 and 2015 as a row of the table of learners.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/fold.h"
#include "base/keyed.h"
#include "base/order.h"
#include "base/room.h"
#include "learn/duster/trial.h"

/* ---- options --------------------------------------------------------------------------------- */

static const dp_duster_options defaults = DP_DUSTER_OPTIONS_INIT;

#define FIELD(name) offsetof(dp_duster_options, name)

static const dp_option_row rows[] = {
    {.name = "align-urls", .arg = "K", .help = "align at most K URLs of a page; default 10",
     .type = DP_OPTION_UINT32, .offset = FIELD(align_urls), .min = 2, .max = DP_DUSTER_URLS},
    {.name = "max-set", .arg = "N", .help = "more than N texts at one place become their type; default 5",
     .type = DP_OPTION_UINT32, .offset = FIELD(max_set), .min = 1, .max = DP_DUSTER_SET},
    {.name = "min-pages", .arg = "N", .help = "pages that a rule must merge URLs of; default 5",
     .type = DP_OPTION_UINT32, .offset = FIELD(min_support), .min = 1, .max = UINT32_MAX},
    {.name = "max-wrong", .arg = "X", .help = "share of them that it may merge with other pages; default .05",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(max_fpr), .max = 1},
};

/* ---- a site at work -------------------------------------------------------------------------- */

typedef struct work {
    const dp_site           *site;
    const dp_duster_options *o;
    const dp_learn_context  *ctx;
    dp_arena                 arena;    /* of the site */
    uint32_t                *url, *at; /* URLs of cluster i: url[at[i]] to url[at[i + 1] - 1] */
    dp_duster_instances     *of;       /* [nclusters] */
    dp_duster_maker         *maker;    /* [threads] */
    dp_arena                *room;     /* [threads] of the instances */
    unsigned                 threads;
    dp_duster_lesson         lesson;
} work;

/* ---- pages ----------------------------------------------------------------------------------- */

static dp_err list_pages(work *w)
{
    const dp_site *s = w->site;
    w->url = DP_NEWS(&w->arena, s->n, uint32_t);
    w->at = DP_NEWS(&w->arena, s->nclusters + 2u, uint32_t);
    w->of = DP_NEWS(&w->arena, s->nclusters, dp_duster_instances);
    if (!w->url || !w->at || !w->of)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->cluster[i] != DP_NO_CLUSTER)
            w->at[s->cluster[i] + 2]++;
    for (uint32_t i = 0; i < s->nclusters; i++)
        w->at[i + 2] += w->at[i + 1];
    for (uint32_t i = 0; i < s->n; i++)
        if (s->cluster[i] != DP_NO_CLUSTER)
            w->url[w->at[s->cluster[i] + 1]++] = i;
    return DP_OK;
}

static int by_key(const void *l, const void *r)
{
    const dp_keyed *x = l, *y = r;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static int by_number(const void *l, const void *r)
{
    uint32_t x = *(const uint32_t *)l, y = *(const uint32_t *)r;
    return (x > y) - (x < y);
}

/* Up to K URLs of a page, those with the least hashes, in their order. */
static dp_err choose_urls(uint32_t *out, uint32_t *n, const work *w, uint32_t cluster)
{
    const uint32_t *url = w->url + w->at[cluster];
    uint32_t        all = w->at[cluster + 1] - w->at[cluster], K = w->o->align_urls;
    *n = all < K ? all : K;
    if (all <= K) {
        memcpy(out, url, all * sizeof *out);
        return DP_OK;
    }
    dp_keyed *v = malloc(all * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < all; i++)
        v[i] = (dp_keyed){dp_hash_seeded(w->site->url[url[i]].p, w->site->url[url[i]].n, w->ctx->seed), url[i]};
    qsort(v, all, sizeof *v, by_key);
    for (uint32_t i = 0; i < K; i++)
        out[i] = v[i].item;
    qsort(out, K, sizeof *out, by_number);
    free(v);
    return DP_OK;
}

static dp_err align_page(void *self, size_t i, unsigned worker)
{
    work    *w = self;
    uint32_t url[DP_DUSTER_URLS], n;
    if (w->at[i + 1] - w->at[i] < 2 || w->site->is_soft[i])
        return DP_OK;
    DP_TRY(choose_urls(url, &n, w, (uint32_t)i));
    return dp_duster_instances_make(&w->of[i], &w->maker[worker], w->site, url, n, &w->room[worker]);
}

static dp_err align_pages(work *w)
{
    uint32_t n = 0;
    w->threads = dp_pool_threads(w->ctx->pool);
    w->maker = calloc(w->threads, sizeof *w->maker);
    w->room = calloc(w->threads, sizeof *w->room);
    if (!w->maker || !w->room)
        return DP_ENOMEM;
    for (unsigned i = 0; i < w->threads; i++)
        DP_TRY(dp_duster_maker_init(&w->maker[i]));
    DP_TRY(dp_pool_run(w->ctx->pool, w->site->nclusters, align_page, w));
    for (uint32_t i = 0; i < w->site->nclusters; i++)
        n += w->of[i].n;
    if (!(w->lesson.v = dp_arena_alloc(&w->arena, (n + 1u) * sizeof *w->lesson.v)))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < w->site->nclusters; i++)
        for (uint32_t k = 0; k < w->of[i].n; k++)
            w->lesson.v[w->lesson.n++] = &w->of[i].v[k];
    return DP_OK;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* All hosts of instances, as a host line has them. */
static dp_err list_hosts(work *w)
{
    dp_duster_lesson *l = &w->lesson;
    dp_buf            b = {0};
    dp_str           *host = malloc((l->n + 1u) * sizeof *host);
    if (!host)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < l->n; i++)
        host[i] = l->v[i]->left.host;
    qsort(host, l->n, sizeof *host, dp_by_bytes);
    for (uint32_t i = 0; i < l->n; i++) {
        if (i && dp_str_eq(host[i], host[i - 1]))
            continue;
        dp_buf_c(&b, i ? ", " : "");
        dp_buf_str(&b, host[i]);
    }
    l->hosts = dp_arena_str(&w->arena, dp_buf_view(&b));
    dp_err e = b.failed || !l->hosts.p ? DP_ENOMEM : DP_OK;
    dp_buf_done(&b);
    free(host);
    return e;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Learn from the pages in `teach`, and ask those in `test`. A rule that the judge will refuse must not stand for its
 * special cases, so then it has to be as precise as he wants it. */
static dp_err learn_from(dp_duster_candidates *out, work *w, uint32_t teach, uint32_t test)
{
    bool           by_judge = w->ctx->accept == DP_ACCEPT_JUDGE;
    double         judge = 1 - w->ctx->min_precision;
    dp_duster_test t = {.folds = test, .min_support = w->o->min_support, .pool = w->ctx->pool,
                        .max_fpr = by_judge && judge < w->o->max_fpr ? judge : w->o->max_fpr};
    w->lesson.folds = teach;
    DP_TRY(dp_duster_candidates_make(out, &w->lesson, &w->arena));
    return dp_duster_try(out, &w->lesson, &t);
}

static int by_votes(const void *l, const void *r)
{
    const dp_duster_candidate *x = l, *y = r;
    if (x->votes - x->wrong != y->votes - y->wrong)
        return x->votes - x->wrong > y->votes - y->wrong ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    int c = dp_str_cmp(x->text, y->text);
    return c ? c : dp_str_cmp(x->hosts, y->hosts);
}

static dp_err propose(dp_proposals *out, const work *w, dp_duster_candidates *c, dp_arena *a)
{
    if (c->n)
        qsort(c->v, c->n, sizeof *c->v, by_votes);
    for (uint32_t i = 0; i < c->n; i++) {
        const dp_duster_candidate *v = &c->v[i];
        if (!v->votes)
            continue;
        dp_proposal p = {.hosts = dp_arena_str(a, v->hosts), .text = dp_arena_str(a, v->text),
                         .n = v->votes - v->wrong, .neg = v->wrong, .by = v->by, .state = DP_ACTIVE,
                         .p = (double)(v->votes - v->wrong) / (double)v->votes,
                         .passes = dp_duster_is_good(v, w->o->min_support, w->o->max_fpr)};
        if (!p.hosts.p || !p.text.p)
            return DP_ENOMEM;
        DP_TRY(dp_proposals_add(out, &p));
    }
    return DP_OK;
}

/* The judge holds pages back himself, in the folds that are not ours. */
static dp_err for_judge(dp_proposals *out, work *w, uint32_t folds, dp_arena *a)
{
    dp_duster_candidates c = {0};
    dp_err               e = learn_from(&c, w, folds, folds);
    if (e == DP_OK)
        e = propose(out, w, &c, a);
    dp_duster_candidates_done(&c);
    return e;
}

/* ---- the paper's validation ------------------------------------------------------------------ */

static int by_text(const void *l, const void *r)
{
    const dp_duster_candidate *x = l, *y = r;
    int                        c = dp_str_cmp(x->text, y->text);
    return c ? c : dp_str_cmp(x->hosts, y->hosts);
}

/* Add the candidates of `more`; one that is there already gets its votes, too. */
static dp_err unite(dp_duster_candidates *to, const dp_duster_candidates *more)
{
    uint32_t n = 0;
    if (!DP_ROOM_FOR(to->v, to->n + more->n, to->cap))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < more->n; i++)
        to->v[to->n++] = more->v[i];
    if (to->n)
        qsort(to->v, to->n, sizeof *to->v, by_text);
    for (uint32_t i = 0; i < to->n; i++) {
        if (!n || by_text(&to->v[n - 1], &to->v[i])) {
            to->v[n++] = to->v[i];
            continue;
        }
        dp_duster_candidate *same = &to->v[n - 1];
        same->votes += to->v[i].votes;
        same->wrong += to->v[i].wrong;
        same->by |= to->v[i].by;
        same->level = to->v[i].level < same->level ? to->v[i].level : same->level;
    }
    to->n = n;
    return DP_OK;
}

/* Each half of the folds teaches what the other half is asked about. */
static dp_err as_paper(dp_proposals *out, work *w, uint32_t folds, dp_arena *a)
{
    const uint32_t       half = DP_ALL_FOLDS / 3 & folds; /* every second fold */
    dp_duster_candidates one = {0}, other = {0};
    dp_err               e = learn_from(&one, w, half, folds & ~half);
    if (e == DP_OK)
        e = learn_from(&other, w, folds & ~half, half);
    if (e == DP_OK)
        e = unite(&one, &other);
    if (e == DP_OK)
        e = propose(out, w, &one, a);
    dp_duster_candidates_done(&one);
    dp_duster_candidates_done(&other);
    return e;
}

/* ---- whole ----------------------------------------------------------------------------------- */

static dp_err run(dp_proposals *out, const uint32_t *folds, size_t runs, work *w, dp_arena *a)
{
    DP_TRY(list_pages(w));
    DP_TRY(align_pages(w));
    DP_TRY(list_hosts(w));
    for (size_t i = 0; i < runs && w->lesson.n; i++)
        DP_TRY(w->ctx->accept == DP_ACCEPT_PAPER ? as_paper(&out[i], w, folds[i], a)
                                                 : for_judge(&out[i], w, folds[i], a));
    return DP_OK;
}

static dp_err learn_each(dp_proposals *out, const uint32_t *folds, size_t runs, const dp_site *s, const void *options,
                         const dp_learn_context *ctx, dp_arena *a)
{
    const dp_duster_options *o = options;
    work                     w = {.site = s, .o = o, .ctx = ctx, .lesson = {.site = s, .max_set = o->max_set}};
    dp_err                   e = run(out, folds, runs, &w, a);
    for (unsigned i = 0; w.maker && i < w.threads; i++)
        dp_duster_maker_done(&w.maker[i]);
    for (unsigned i = 0; w.room && i < w.threads; i++)
        dp_arena_done(&w.room[i]);
    free(w.maker);
    free(w.room);
    dp_arena_done(&w.arena);
    return e;
}

static dp_err learn_once(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx,
                         dp_arena *a)
{
    return learn_each(out, &ctx->folds, 1, s, options, ctx, a);
}

const dp_method dp_method_duster = {
    .name = "duster",
    .summary = "templates from the aligned URLs of a page (Rodrigues 2013)",
    .needs_clusters = true,
    .url_bytes = 1500,
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn_once,
    .learn_each = learn_each,
};
