/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/mirrors.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/fold.h"
#include "base/order.h"
#include "learn/run/budget.h"
#include "learn/run/schedule.h"
#include "learn/run/voters.h"
#include "site/group.h"
#include "store/pack.h"

typedef struct search {
    const dp_all_sites *c;
    const dp_method    *method;
    dp_plan             plan;     /* each domain alone */
    uint32_t           *urls;     /* [domains] by their numbers */
    dp_mirrors         *out;      /* its nsurvey are the sites of the plan that are surveyed, from the first on */
    dp_buckets         *presences;
    pthread_mutex_t     lock;     /* of presences */
    bool                last[DP_BUCKETS]; /* facts there are not needed any more: all sites are kept ready */
} search;

/* ---- each domain alone -------------------------------------------------------------------------------------- */

static dp_err put_presences(search *s, const dp_corpus *c, uint32_t domain, dp_error *err)
{
    dp_presence *v;
    size_t       n;
    DP_TRY(dp_presences_find(&v, &n, c, domain, &s->c->facts->name));
    dp_err code = DP_OK;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        code = dp_buckets_put(s->presences, v[i].cluster % DP_PRESENCE_BUCKETS,
                              (dp_str){(const char *)&v[i], sizeof v[i]}, err);
    pthread_mutex_unlock(&s->lock);
    free(v);
    return code;
}

/* Keep the survey of a site. Most tell little, and there may be very many. */
static dp_err keep_survey(dp_site_survey *survey, const char *bytes, size_t n)
{
    while (n && !bytes[n - 1])
        n--;
    char *copy = n ? malloc(n) : NULL;
    if (n && !copy)
        return DP_ENOMEM;
    if (n)
        memcpy(copy, bytes, n);
    survey->bytes = (dp_str){copy, n};
    return DP_OK;
}

static dp_err survey(search *s, uint32_t site, dp_corpus *c, dp_pool *pool)
{
    dp_site_survey       *out = &s->out->survey[site];
    dp_learn_context ctx = s->c->how->ctx;
    char            *survey = calloc(1, s->method->shared_size + 1);
    if (!survey)
        return DP_ENOMEM;
    ctx.folds = DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD);
    ctx.pool = pool;
    dp_err code = dp_ready_site_make(&out->ready, c, out->domain);
    if (code == DP_OK)
        code = s->method->survey(survey, &out->ready.site, s->c->how->options, &ctx);
    if (code == DP_OK)
        code = keep_survey(out, survey, s->method->shared_size);
    free(survey);
    if (code != DP_OK || !s->last[s->plan.v[site].bucket])
        dp_ready_site_done(&out->ready);
    return code;
}

static dp_err look(void *ctx, uint32_t site, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err)
{
    search  *s = ctx;
    uint32_t domain = s->plan.v[site].first;
    (void)p;
    s->urls[domain] = (uint32_t)c->nown;
    if (s->presences)
        DP_TRY(put_presences(s, c, domain, err));
    return site < s->out->nsurvey ? survey(s, site, c, pool) : DP_OK;
}

/* ---- links -------------------------------------------------------------------------------------------------- */

static dp_err link_bucket(dp_links *l, dp_buckets *d, size_t bucket, dp_error *err)
{
    dp_bucket_reader r = {0};
    dp_buf           all = {0};
    dp_str           bytes;
    dp_err           code;
    dp_bucket_reader_open(&r, d, bucket, false);
    while ((code = dp_bucket_reader_next(&r, &bytes, err)) == DP_OK && bytes.n)
        dp_buf_str(&all, bytes);
    if (code == DP_OK && all.failed)
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = dp_links_add(l, (dp_presence *)(void *)all.p, all.n / sizeof(dp_presence));
    dp_buckets_empty(d, bucket);
    dp_bucket_reader_done(&r);
    dp_buf_done(&all);
    return code;
}

static dp_err join(search *s, dp_error *err)
{
    const dp_ownership *owners = &s->c->settings->owners;
    const dp_intern    *name = &s->c->facts->name;
    dp_links            links = {.urls = s->urls};
    dp_err              code = dp_buckets_close(s->presences, err);
    for (size_t i = 0; i < DP_PRESENCE_BUCKETS && code == DP_OK; i++)
        code = link_bucket(&links, s->presences, i, err);
    if (code == DP_OK)
        code = dp_sets_init(&s->out->sets, name->n);
    if (code == DP_OK)
        code = dp_links_join(&links, &s->out->sets, NULL, NULL);
    if (code == DP_OK && owners->name.n)
        code = dp_sets_init(&s->out->own, name->n);
    if (code == DP_OK && owners->name.n)
        code = dp_links_join(&links, &s->out->own, owners, name);
    dp_links_done(&links);
    return code;
}

/* ---- all together -------------------------------------------------------------------------------------------- */

static dp_err open_search(search *s, const dp_all_sites *c, bool linked)
{
    size_t   facts = 0;
    uint32_t n = 0;
    DP_TRY(dp_plan_make(&s->plan, c->facts, NULL));
    for (; s->method->survey && n < s->plan.n && facts < DP_SURVEYED_FACTS; n++)
        facts += s->plan.v[n].facts;
    s->urls = calloc(c->facts->name.n + 1, sizeof *s->urls);
    s->out->survey = calloc(n + 1u, sizeof *s->out->survey);
    if (!s->urls || !s->out->survey)
        return DP_ENOMEM;
    for (; s->out->nsurvey < n; s->out->nsurvey++)
        s->out->survey[s->out->nsurvey].domain = s->plan.v[s->out->nsurvey].name;
    return linked ? dp_buckets_new(&s->presences, DP_PRESENCE_BUCKETS, dp_share_of(c->memory, DP_SHARE_PRESENCES),
                                   c->folder, DP_FILE_PRESENCES)
                  : DP_OK;
}

static dp_err tell(void *ctx, uint64_t done, uint64_t total)
{
    const dp_all_sites *c = ((search *)ctx)->c;
    return c->tell ? c->tell(c->tell_ctx, done, total, "surveying domains") : DP_OK;
}

/* Only what is surveyed needs to be read when domains are not linked. */
static void leave_out_the_rest(search *s)
{
    for (uint32_t i = s->out->nsurvey; i < s->plan.n; i++)
        s->plan.v[i].skip = true;
}

/* Find the buckets of which all sites are surveyed, each as a whole. */
static void find_last(search *s)
{
    uint64_t sample = dp_settings_sample(s->c->settings);
    if (dp_buckets_spilled(s->c->facts->buckets))
        return;
    memset(s->last, true, sizeof s->last);
    for (uint32_t i = 0; i < s->plan.n; i++) {
        const dp_plan_site *one = &s->plan.v[i];
        if (one->skip || (sample && one->facts > sample))
            s->last[one->bucket] = false;
    }
}

static dp_err sum_up(dp_mirrors *l, const dp_method *m)
{
    if (!l->nsurvey)
        return DP_OK;
    dp_str *survey = malloc(l->nsurvey * sizeof *survey);
    for (uint32_t i = 0; survey && i < l->nsurvey; i++)
        survey[i] = l->survey[i].bytes;
    l->shared = calloc(1, m->shared_size);
    dp_err code = survey && l->shared ? dp_voters_sum(l->shared, m, survey, l->nsurvey) : DP_ENOMEM;
    free(survey);
    return code;
}

dp_err dp_mirrors_find(dp_mirrors *out, const dp_all_sites *c, dp_error *err)
{
    bool   linked = c->settings->grouping == DP_GROUP_LINKED && dp_sharing_is_possible(&c->facts->sharing, DP_LINKS);
    search s = {.c = c, .method = c->how->method, .out = out};
    dp_sharing_done(&c->facts->sharing);
    if (c->facts->name.n < 2 || (!linked && !s.method->survey))
        return DP_OK;
    pthread_mutex_init(&s.lock, NULL);
    dp_err code = open_search(&s, c, linked);
    if (code == DP_OK && !linked) {
        leave_out_the_rest(&s);
        find_last(&s);
    }
    dp_schedule schedule = {.plan = &s.plan, .facts = c->facts, .pool = c->how->ctx.pool,
                            .memory = dp_share_of(c->memory, DP_SHARE_DOMAINS) - dp_all_sites_held(c, NULL),
                            .refuse = c->settings->memory != 0, .url_bytes = DP_NEED_LABELLED,
                            .sample = dp_settings_sample(c->settings), .named = c->settings->named,
                            .tmp = c->settings->tmp.n ? c->settings->tmp.p : NULL,
                            .soft = out->nsurvey, .last = s.last, .each = look, .tell = tell, .ctx = &s};
    if (code == DP_OK)
        code = dp_schedule_run(&schedule, err);
    if (code == DP_OK && linked)
        code = join(&s, err);
    if (code == DP_OK)
        code = sum_up(out, s.method);
    pthread_mutex_destroy(&s.lock);
    dp_buckets_free(s.presences);
    dp_plan_done(&s.plan);
    free(s.urls);
    return code;
}

/* ---- surveys ------------------------------------------------------------------------------------------ */

void *dp_site_survey_copy(const dp_site_survey *t, size_t shared_size)
{
    char *out = calloc(1, shared_size);
    if (out && t->bytes.n)
        memcpy(out, t->bytes.p, t->bytes.n);
    return out;
}

dp_site_survey *dp_mirrors_survey(const dp_mirrors *l, dp_str domain)
{
    uint32_t i;
    DP_BISECT(i, l->nsurvey, dp_str_cmp(l->survey[i].domain, domain) < 0);
    return i < l->nsurvey && dp_str_eq(l->survey[i].domain, domain) ? &l->survey[i] : NULL;
}

void dp_mirrors_mark(const dp_mirrors *l, dp_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        dp_site_survey *t = dp_mirrors_survey(l, p->v[i].name);
        p->v[i].ready = t && t->ready.site.url ? &t->ready : NULL;
    }
}

/* ---- facts of linked domains ------------------------------------------------------------------------------------ */

/* Copy the facts of a bucket whose sites have several domains. */
static dp_err move_chunk(dp_buckets *to, dp_str rest, const dp_plan *p, dp_site_of pick, dp_error *err)
{
    while (rest.n) {
        dp_str   bytes;
        uint32_t domain;
        if (!dp_unpack_head(&rest, &bytes, &domain, pick.n))
            return dp_fail(err, DP_EIO, "a work file was changed by somebody else; run again");
        if (pick.v[domain] != DP_NO_SITE)
            DP_TRY(dp_buckets_put(to, p->v[pick.v[domain]].bucket, bytes, err));
    }
    return DP_OK;
}

static dp_err move_bucket(dp_buckets *to, dp_buckets *from, size_t bucket, const dp_plan *p, dp_site_of pick,
                          dp_error *err)
{
    dp_bucket_reader r = {0};
    dp_str           bytes;
    dp_err           code;
    dp_bucket_reader_open(&r, from, bucket, false);
    while ((code = dp_bucket_reader_next(&r, &bytes, err)) == DP_OK && bytes.n) {
        if ((code = move_chunk(to, bytes, p, pick, err)) != DP_OK)
            break;
    }
    dp_bucket_reader_done(&r);
    return code;
}

dp_err dp_mirrors_move(dp_buckets **to, size_t file, const dp_all_sites *c, const dp_plan *p, dp_error *err)
{
    bool      in[DP_BUCKETS] = {false};
    size_t    domains = c->facts->name.n, linked = 0;
    size_t    limit = dp_buckets_spilled(c->facts->buckets) ? 0 : dp_share_of(c->memory, DP_SHARE_MOVED);
    uint32_t *pick = dp_plan_pick(p, domains, true, false);
    dp_err    code = pick ? DP_OK : DP_ENOMEM;
    for (size_t d = 0; code == DP_OK && d < domains; d++) {
        if (pick[d] != DP_NO_SITE)
            in[c->facts->bucket[d]] = true;
        linked += pick[d] != DP_NO_SITE;
    }
    if (code == DP_OK && linked)
        code = dp_buckets_new(to, DP_BUCKETS, limit, c->folder, file);
    for (size_t i = 0; i < DP_BUCKETS && code == DP_OK; i++) {
        if (in[i])
            code = move_bucket(*to, c->facts->buckets, i, p, (dp_site_of){pick, (uint32_t)domains}, err);
    }
    if (code == DP_OK && linked)
        code = dp_buckets_close(*to, err);
    free(pick);
    return code;
}

void dp_mirrors_done(dp_mirrors *l)
{
    dp_sets_done(&l->sets);
    dp_sets_done(&l->own);
    for (uint32_t i = 0; i < l->nsurvey; i++) {
        free((char *)l->survey[i].bytes.p);
        dp_ready_site_done(&l->survey[i].ready);
    }
    free(l->survey);
    free(l->shared);
    dp_buckets_free(l->moved);
    dp_buckets_free(l->across);
    *l = (dp_mirrors){0};
}
