/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/schedule.h"

#include <inttypes.h>
#include <stdlib.h>

#include "learn/run/budget.h"
#include "learn/sample/sample_site.h"
#include "learn/run/ready_site.h"

typedef struct schedule_run {
    dp_schedule    *v;
    dp_error       *err;
    dp_budget       budget;
    pthread_mutex_t lock;                              /* of what is done in turn */
    uint64_t        done;                              /* sites */
    uint32_t       *pick;                              /* site_of for those that are read now */
    dp_buckets     *from;
    uint64_t        need[DP_BUCKETS], sum[DP_BUCKETS]; /* bytes; 0: nothing to read there */
    uint32_t        order[DP_BUCKETS];                 /* those with the most first */
    uint32_t       *beside;                            /* large sites that are seen side by side */
    size_t          nbeside;
    uint64_t        facts;                             /* of them */
} schedule_run;

static dp_site_of picked(const schedule_run *t)
{
    return (dp_site_of){t->pick, (uint32_t)t->v->facts->name.n};
}

static bool is_sampled(const dp_schedule *v, const dp_plan_site *s)
{
    return v->sample && s->facts > v->sample;
}

/* Bytes that a site takes, about. */
static uint64_t need_of(const dp_schedule *v, const dp_plan_site *s)
{
    if (is_sampled(v, s))
        return (uint64_t)((double)s->bytes / (double)s->facts * (double)v->sample) + v->sample * v->url_bytes;
    return s->bytes + s->facts * v->url_bytes;
}

static bool is_last(const dp_schedule *v, size_t bucket)
{
    return v->last && v->last[bucket];
}

/* ---- one site ----------------------------------------------------------------------------------------------- */

typedef struct filling {
    dp_corpus       corpus;
    dp_site_sample *sample; /* NULL: all facts are taken */
} filling;

static dp_err take(void *ctx, const dp_fact *f)
{
    filling *fill = ctx;
    return !fill->sample || dp_site_sample_takes(fill->sample, f->url) ? dp_corpus_take(&fill->corpus, f) : DP_OK;
}

static dp_corpus empty_corpus(const dp_schedule *v, const dp_plan_site *s)
{
    return (dp_corpus){.named = v->named, .domain = v->plan->domain + s->from, .ndomain = s->ndomain,
                       .by_host = v->facts->by_host,
                       .content.fetches.rows = {.limit = dp_share_of(v->memory, DP_SHARE_SLOTS), .folder = v->tmp}};
}

/* Hand a site over, with its corpus. */
static dp_err hand_over(schedule_run *t, uint32_t site, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err)
{
    dp_schedule *v = t->v;
    DP_TRY(v->each(v->ctx, site, c, pool, p, err));
    pthread_mutex_lock(&t->lock);
    dp_err code = v->tell ? v->tell(v->ctx, ++t->done, v->plan->n) : DP_OK;
    pthread_mutex_unlock(&t->lock);
    return code;
}

/* Whether a site fits into the memory, for which the corpus has all URLs. */
static dp_err check_fits(const dp_schedule *v, uint32_t site, const dp_corpus *c, dp_error *err)
{
    const dp_plan_site *s = &v->plan->v[site];
    uint64_t            need = c->url.text.n + c->n * (uint64_t)v->url_bytes;
    if (!v->refuse || need <= v->memory)
        return DP_OK;
    return dp_fail(err, DP_ELIMIT, "the site %.*s has %" PRIu64 " records and needs about %" PRIu64
                   " MB of memory, more than the %" PRIu64 " MB that it may take: raise --memory", DP_FMT(s->name),
                   s->facts, need >> 20, v->memory >> 20);
}

/* Label a corpus that holds all facts of a site, and hand it over. */
static dp_err see(schedule_run *t, uint32_t site, filling *f, dp_pool *pool, dp_partition *p, dp_error *err)
{
    dp_schedule *v = t->v;
    DP_TRY(check_fits(v, site, &f->corpus, err));
    f->corpus.no_soft = site >= v->soft;
    DP_TRY(dp_corpus_label(&f->corpus));
    return hand_over(t, site, &f->corpus, pool, p, err);
}

/* End a partition; the first error is the one that is told. */
static dp_err end(schedule_run *t, dp_partition *p, dp_err code, const dp_error *why)
{
    dp_error mine = {0};
    pthread_mutex_lock(&t->lock);
    if (code == DP_OK && t->v->ended) {
        code = t->v->ended(t->v->ctx, p, &mine);
        why = &mine;
    }
    if (code != DP_OK && t->err && !t->err->message[0])
        *t->err = *why;
    pthread_mutex_unlock(&t->lock);
    dp_site_results_done(&p->found);
    return code;
}

/* ---- a large site -------------------------------------------------------------------------------------------- */

dp_err dp_source_each(const dp_source *s, bool last, dp_fact_call *call, void *ctx, dp_error *err)
{
    const dp_plan_site *site = &s->v->plan->v[s->site];
    bool                alone = site->bytes == dp_buckets_bytes(s->from, site->bucket);
    bool                drain = last && alone && is_last(s->v, site->bucket);
    DP_TRY(dp_by_site_stream(s->from, site->bucket, s->pick, s->site, drain, call, ctx, err));
    if (drain)
        dp_buckets_empty(s->from, site->bucket);
    return DP_OK;
}

dp_corpus dp_source_corpus(const dp_source *s)
{
    return empty_corpus(s->v, &s->v->plan->v[s->site]);
}

static dp_err show(void *ctx, const dp_fact *f)
{
    return dp_site_sample_see(ctx, f);
}

/* Find out which facts of a site are taken. */
static dp_err sample(dp_site_sample **out, const dp_source *all, dp_error *err)
{
    dp_err code = (*out = dp_site_sample_make(all->facts, all->v->sample)) ? DP_OK : DP_ENOMEM;
    while (code == DP_OK && (*out)->step != DP_SITE_SAMPLE_TAKE) {
        code = dp_source_each(all, false, show, *out, err);
        if (code == DP_OK)
            code = dp_site_sample_turn(*out);
    }
    return code;
}

static dp_err see_large(schedule_run *t, uint32_t site, dp_pool *pool)
{
    const dp_plan_site *s = &t->v->plan->v[site];
    dp_source           all = {t->v, t->from, picked(t), site, s->facts, s->bytes, NULL};
    filling             f = {.corpus = empty_corpus(t->v, s)};
    dp_partition        p = {0};
    dp_error            err = {0};
    bool                sampled = is_sampled(t->v, s);
    dp_err              code = sampled ? sample(&f.sample, &all, &err) : DP_OK;
    if (code == DP_OK && !sampled)
        code = dp_corpus_expect(&f.corpus, s->facts);
    if (code == DP_OK)
        code = dp_source_each(&all, !sampled, take, &f, &err);
    all.sample = f.sample;
    if (code == DP_OK)
        code = see(t, site, &f, pool, &p, &err);
    dp_corpus_done(&f.corpus);
    if (code == DP_OK && sampled && !all.sample->all && t->v->again)
        code = t->v->again(t->v->ctx, &all, &p, &err);
    dp_site_sample_free(f.sample);
    return end(t, &p, code, &err);
}

/* One thread has no use for large ones first: where it ends with them, the memory of all others is given back. */
static void put_largest_last(const schedule_run *t, uint32_t *v, size_t n)
{
    for (size_t i = 0; dp_pool_threads(t->v->pool) == 1 && i < n / 2; i++) {
        uint32_t first = v[i];
        v[i] = v[n - 1 - i];
        v[n - 1 - i] = first;
    }
}

/* ---- sites that are ready ---------------------------------------------------------------------------------------- */

static dp_err see_ready(schedule_run *t, uint32_t site, dp_pool *pool)
{
    dp_partition p = {0};
    dp_error     err = {0};
    dp_err       code = check_fits(t->v, site, &t->v->plan->v[site].ready->corpus, &err);
    if (code == DP_OK)
        code = hand_over(t, site, NULL, pool, &p, &err);
    return end(t, &p, code, &err);
}

static dp_err see_ready_beside(void *ctx, size_t i, unsigned worker)
{
    schedule_run *t = ctx;
    uint64_t      taken = dp_budget_take(&t->budget, need_of(t->v, &t->v->plan->v[t->beside[i]]));
    (void)worker;
    dp_err code = see_ready(t, t->beside[i], NULL);
    dp_budget_give(&t->budget, taken);
    return code;
}

static int by_size(const void *a, const void *b, void *ctx)
{
    const dp_plan_site *v = ctx, *x = &v[*(const uint32_t *)a], *y = &v[*(const uint32_t *)b];
    return x->facts != y->facts ? (x->facts < y->facts ? 1 : -1) : (x > y) - (x < y);
}

/* The small ones, as buckets are: those that take most first, or last where there is but one thread. */
static dp_err see_all_ready(schedule_run *t)
{
    const dp_plan *p = t->v->plan;
    if (!(t->beside = malloc((p->n + 1u) * sizeof *t->beside)))
        return DP_ENOMEM;
    t->nbeside = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->v[i].ready && !p->v[i].skip && !p->v[i].large)
            t->beside[t->nbeside++] = i;
    }
    qsort_r(t->beside, t->nbeside, sizeof *t->beside, by_size, p->v);
    put_largest_last(t, t->beside, t->nbeside);
    dp_err code = dp_pool_run(t->v->pool, t->nbeside, see_ready_beside, t);
    free(t->beside);
    return code;
}

/* ---- large sites, side by side ---------------------------------------------------------------------------------- */

/* The threads that one of the large sites has: what its facts are of all of theirs, at least one. */
static unsigned share_of(const schedule_run *t, uint32_t site)
{
    uint64_t all = dp_pool_threads(t->v->pool), threads = all * t->v->plan->v[site].facts / t->facts;
    return threads < 1 ? 1 : threads > all ? (unsigned)all : (unsigned)threads;
}

static dp_err see_beside(void *ctx, size_t i, unsigned worker)
{
    schedule_run *t = ctx;
    uint32_t      site = t->beside[i];
    unsigned      threads = t->nbeside > 1 ? share_of(t, site) : 1;
    dp_pool      *own = NULL;
    (void)worker;
    uint64_t taken = dp_budget_take(&t->budget, need_of(t->v, &t->v->plan->v[site]));
    dp_err   code = threads > 1 ? dp_pool_new(&own, threads) : DP_OK;
    dp_pool *inside = t->nbeside > 1 ? own : t->v->pool;
    if (code == DP_OK)
        code = t->v->plan->v[site].ready ? see_ready(t, site, inside) : see_large(t, site, inside);
    dp_pool_free(own);
    dp_budget_give(&t->budget, taken);
    return code;
}

/* Large sites of one kind: those that are heavy one after another, then the others. */
static dp_err see_all_large(schedule_run *t, bool linked)
{
    const dp_plan *p = t->v->plan;
    if (!(t->beside = malloc((p->n + 1u) * sizeof *t->beside)))
        return DP_ENOMEM;
    t->nbeside = 0;
    t->facts = 0;
    dp_err code = DP_OK;
    for (uint32_t i = 0; i < p->n && code == DP_OK; i++) {
        const dp_plan_site *s = &p->v[i];
        if (!s->large || s->skip || (s->ndomain > 1) != linked)
            continue;
        if (s->heavy) {
            code = s->ready ? see_ready(t, i, t->v->pool) : see_large(t, i, t->v->pool);
        } else {
            t->beside[t->nbeside++] = i;
            t->facts += s->facts;
        }
    }
    if (code == DP_OK)
        code = dp_pool_run(t->v->pool, t->nbeside, see_beside, t);
    free(t->beside);
    return code;
}

/* ---- small sites, a bucket at a time --------------------------------------------------------------------------- */

static int by_facts(const void *a, const void *b)
{
    const dp_by_site_run *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

/* The largest site comes last: when all facts were taken, their memory is given back before it is seen. */
static dp_err see_shelf(schedule_run *t, size_t bucket, dp_partition *p, dp_error *err)
{
    dp_by_site facts;
    dp_err     code = dp_by_site_load(&facts, t->from, bucket, picked(t), err);
    size_t     n = code == DP_OK ? facts.n : 0;
    if (n)
        qsort(facts.v, n, sizeof *facts.v, by_facts);
    for (size_t i = 0; code == DP_OK && i < n; i++) {
        uint32_t site = facts.v[i].site;
        filling  f = {.corpus = empty_corpus(t->v, &t->v->plan->v[site])};
        code = dp_by_site_each(&facts, &facts.v[i], take, &f);
        if (code == DP_OK && i + 1 == n && is_last(t->v, bucket)) {
            dp_by_site_done(&facts);
            dp_buckets_empty(t->from, bucket);
        }
        if (code == DP_OK)
            code = see(t, site, &f, NULL, p, err);
        dp_corpus_done(&f.corpus);
    }
    dp_by_site_done(&facts);
    return code;
}

static dp_err see_bucket(void *ctx, size_t i, unsigned worker)
{
    schedule_run *t = ctx;
    size_t        bucket = t->order[i];
    dp_partition  p = {0};
    dp_error      err = {0};
    (void)worker;
    uint64_t taken = dp_budget_take(&t->budget, t->need[bucket]);
    dp_err   code = see_shelf(t, bucket, &p, &err);
    if (code == DP_OK && is_last(t->v, bucket))
        dp_buckets_empty(t->from, bucket);
    dp_budget_give(&t->budget, taken);
    return end(t, &p, code, &err);
}

static int by_need(const void *a, const void *b, void *need)
{
    uint32_t  x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t *v = need;
    return v[x] != v[y] ? (v[x] < v[y] ? 1 : -1) : (x > y) - (x < y);
}

/* What each bucket takes: its facts, where they are not in memory already, and the largest of its sites. */
static size_t order_buckets(schedule_run *t, bool linked)
{
    const dp_plan *p = t->v->plan;
    size_t         n = 0;
    memset(t->need, 0, sizeof t->need);
    memset(t->sum, 0, sizeof t->sum);
    for (uint32_t i = 0; i < p->n; i++) {
        const dp_plan_site *s = &p->v[i];
        uint64_t            need = need_of(t->v, s);
        if (s->skip || s->ready || s->large || (s->ndomain > 1) != linked)
            continue;
        t->sum[s->bucket] += s->bytes + s->facts * sizeof(char *);
        if (need > t->need[s->bucket])
            t->need[s->bucket] = need;
    }
    for (uint32_t d = 0; d < DP_BUCKETS; d++) {
        if (!t->need[d])
            continue;
        t->need[d] += dp_buckets_spilled(t->from) ? t->sum[d] : 0;
        t->order[n++] = d;
    }
    qsort_r(t->order, n, sizeof *t->order, by_need, t->need);
    put_largest_last(t, t->order, n);
    return n;
}

/* ---- all together -------------------------------------------------------------------------------------------- */

/* Sites of one domain, or of several: their facts are in different buckets. */
static dp_err see_kind(schedule_run *t, bool linked)
{
    const dp_plan *p = t->v->plan;
    size_t         domains = t->v->facts->name.n;
    dp_err         code;
    t->from = linked ? t->v->moved : t->v->facts->buckets;
    if (!t->from)
        return DP_OK;
    if (!(t->pick = dp_plan_pick(p, domains, linked, true)))
        return DP_ENOMEM;
    code = see_all_large(t, linked);
    free(t->pick);
    DP_TRY(code);
    if (!(t->pick = dp_plan_pick(p, domains, linked, false)))
        return DP_ENOMEM;
    code = dp_pool_run(t->v->pool, order_buckets(t, linked), see_bucket, t);
    free(t->pick);
    return code;
}

dp_err dp_schedule_run(dp_schedule *v, dp_error *err)
{
    dp_error     own = {0};
    schedule_run t = {.v = v, .err = err ? err : &own};
    uint64_t     facts = 0;
    for (uint32_t i = 0; i < v->plan->n; i++)
        facts += v->plan->v[i].skip ? 0 : v->plan->v[i].facts;
    for (uint32_t i = 0; i < v->plan->n; i++) {
        dp_plan_site *s = &v->plan->v[i];
        s->heavy = is_sampled(v, s) || need_of(v, s) > dp_share_of(v->memory, DP_SHARE_HEAVY);
        s->large = s->heavy || s->facts > facts / dp_pool_threads(v->pool);
    }
    pthread_mutex_init(&t.lock, NULL);
    dp_budget_init(&t.budget, v->memory);
    dp_err code = see_kind(&t, false);
    if (code == DP_OK) /* when the facts of others have been given back */
        code = see_all_ready(&t);
    if (code == DP_OK)
        code = see_kind(&t, true);
    dp_budget_done(&t.budget);
    pthread_mutex_destroy(&t.lock);
    return code;
}
