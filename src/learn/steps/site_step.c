/* dp_site_step of dustpan.h: one domain or one site out of its packed facts; and the way from results back to one file.
 *
 *     packed facts ─► site/corpus ─┬─► presences          of a domain
 *                                  ├─► dp_method.survey   of a domain
 *                                  └─► learn_site ─► site_result ─► bytes   of a site
 *
 * These are the steps of learn/run/all_sites.h, one at a time, so that somebody else can say where and when.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/fold.h"
#include "base/text.h"
#include "learn/run/all_sites.h"
#include "learn/learner.h"
#include "learn/run/ready_site.h"
#include "learn/steps/packed_facts.h"
#include "learn/steps/recount_step.h"
#include "learn/run/held_out.h"
#include "learn/run/voters.h"
#include "site/group.h"

_Static_assert((int)DP_READ_RECORDS == (int)DP_FACT_RECORDS && (int)DP_READ_REDIRECTS == (int)DP_FACT_REDIRECTS &&
                   (int)DP_READ_BAD_LINES == (int)DP_FACT_COUNTS,
               "what was counted is handed on as it is");

struct dp_site_step {
    dp_learner  *l;
    dp_corpus    corpus;
    dp_strlist   names;        /* of domains */
    dp_str      *domain;       /* [names.n] views of them */
    bool         labelled;
    void        *options;      /* of the method */
    dp_pool     *pool;
    dp_learn_how how;
    dp_intern    known;        /* domains that presences have: its own, those that lead to it */
    uint64_t    *cluster;      /* [n] presences */
    uint32_t    *on, *urls;    /* [n] */
};

/* ---- facts in ------------------------------------------------------------------------------------------------- */

static dp_err open_step(dp_site_step *s, const char *const *domains, size_t count, dp_error *err)
{
    dp_settings *o = &s->l->settings;
    for (size_t i = 0; i < count; i++) {
        if (!dp_strlist_add(&s->names, dp_str_c(domains[i])))
            return DP_ENOMEM;
    }
    if (!(s->domain = calloc(count, sizeof *s->domain)))
        return DP_ENOMEM;
    for (size_t i = 0; i < count; i++)
        s->domain[i] = dp_strlist_get(&s->names, i);
    s->corpus = (dp_corpus){.named = o->named, .domain = s->domain, .ndomain = count,
                            .by_host = o->grouping == DP_GROUP_HOST};
    DP_TRY(dp_settings_options(&s->options, o, err));
    DP_TRY(dp_pool_new(&s->pool, o->threads ? o->threads : 1));
    s->how = dp_all_sites_how(o, s->options, s->pool);
    s->how.across = !dp_ownership_are_one(&o->owners, s->domain, count);
    return DP_OK;
}

dp_err dp_site_step_new(dp_site_step **out, dp_learner *l, const char *const *domains, size_t count, dp_error *err)
{
    if (!count)
        return dp_fail(err, DP_EINVALID, "a site needs at least one domain");
    for (size_t i = 0; i < l->settings.names.n; i++) {
        dp_str name = dp_strlist_get(&l->settings.names, i);
        if (dp_settings_is_text(&l->settings, name))
            return dp_fail(err, DP_EINVALID, "--%.*s works on one machine only", DP_FMT(name));
    }
    if (l->settings.owners_file.n)
        return dp_fail(err, DP_EINVALID, "--same-owner works on one machine only");
    dp_site_step *s = calloc(1, sizeof *s);
    if (!s)
        return DP_ENOMEM;
    s->l = l;
    dp_err code = open_step(s, domains, count, err);
    if (code != DP_OK) {
        dp_site_step_free(s);
        return code;
    }
    *out = s;
    return DP_OK;
}

void dp_site_step_free(dp_site_step *s)
{
    if (!s)
        return;
    dp_corpus_done(&s->corpus);
    dp_strlist_done(&s->names);
    dp_pool_free(s->pool);
    free(s->domain);
    free(s->options);
    dp_intern_done(&s->known);
    free(s->cluster);
    free(s->on);
    free(s->urls);
    free(s);
}

static dp_err take(void *ctx, const dp_fact *f)
{
    return dp_corpus_take(ctx, f);
}

dp_err dp_site_step_add(dp_site_step *s, const char *data, size_t n, dp_error *err)
{
    if (s->labelled)
        return dp_fail(err, DP_EINVALID, "the site is already complete");
    return dp_packed_facts_each((dp_str){data, n}, take, &s->corpus, err);
}

static dp_err label(dp_site_step *s)
{
    if (s->labelled)
        return DP_OK;
    s->labelled = true;
    s->corpus.no_soft |= s->l->settings.keep_soft;
    return dp_corpus_label(&s->corpus);
}

/* ---- what a domain says before it is learned ----------------------------------------------------------------- */

const char *dp_site_step_domain(const dp_site_step *s, uint32_t number, size_t *n)
{
    *n = number < s->known.n ? s->known.v[number].key.n : 0;
    return number < s->known.n ? s->known.v[number].key.p : NULL;
}

/* Numbers for the domain itself, which is 0, and for all that lead to it. */
static dp_err number_domains(dp_site_step *s)
{
    bool ok = dp_intern_add(&s->known, s->domain[0], 0);
    for (size_t i = 0; ok && i < s->corpus.calling.n; i++) {
        dp_str   name = s->corpus.calling.v[i].key;
        uint32_t number;
        ok = dp_intern_find(&s->known, name, &number) || dp_intern_add(&s->known, name, (uint32_t)s->known.n);
    }
    return ok ? DP_OK : DP_ENOMEM;
}

static dp_err keep_presences(dp_site_step *s, const dp_presence *v, size_t n)
{
    s->cluster = calloc(n + 1, sizeof *s->cluster);
    s->on = calloc(n + 1, sizeof *s->on);
    s->urls = calloc(n + 1, sizeof *s->urls);
    if (!s->cluster || !s->on || !s->urls)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        s->cluster[i] = v[i].cluster;
        s->on[i] = v[i].domain;
        s->urls[i] = v[i].urls;
    }
    return DP_OK;
}

dp_err dp_site_step_presences(dp_site_step *s, size_t *n, const uint64_t **cluster, const uint32_t **domain,
                          const uint32_t **urls)
{
    dp_presence *v = NULL;
    *n = 0;
    if (s->cluster)
        return DP_EINVALID;
    DP_TRY(label(s));
    dp_err code = number_domains(s);
    if (code == DP_OK)
        code = dp_presences_find(&v, n, &s->corpus, 0, &s->known);
    if (code == DP_OK)
        code = keep_presences(s, v, *n);
    free(v);
    *cluster = s->cluster;
    *domain = s->on;
    *urls = s->urls;
    return code;
}

uint64_t dp_site_step_urls(const dp_site_step *s)
{
    return s->corpus.nown;
}

dp_err dp_site_step_survey(dp_text **out, dp_site_step *s, dp_error *err)
{
    const dp_method *m = s->l->settings.method;
    dp_arena         a = {0};
    dp_site          site;
    dp_buf           b = {0};
    dp_learn_context ctx = s->how.ctx;
    if (!m->survey)
        return dp_fail(err, DP_EINVALID, "method %s has no survey", m->name);
    ctx.folds = DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD);
    if (dp_buf_room(&b, m->shared_size)) {
        memset(b.p, 0, m->shared_size);
        b.n = m->shared_size;
    }
    dp_err code = b.failed ? DP_ENOMEM : label(s);
    if (code == DP_OK)
        code = dp_corpus_site(&site, &s->corpus, s->domain[0], &a);
    if (code == DP_OK)
        code = m->survey(b.p, &site, s->options, &ctx);
    dp_arena_done(&a);
    if (code == DP_OK)
        return dp_text_take(out, &b);
    dp_buf_done(&b);
    return code;
}

int dp_learner_surveys(const dp_learner *l)
{
    return l->settings.method->survey != NULL;
}

dp_err dp_learner_combine(dp_text **out, const dp_learner *l, const char *surveys, size_t n, dp_error *err)
{
    const dp_method *m = l->settings.method;
    dp_buf           sum = {0};
    if (!m->survey || n % m->shared_size)
        return dp_fail(err, DP_EINVALID, "these are not surveys of method %s", m->name);
    size_t  sites = n / m->shared_size;
    dp_str *survey = malloc((sites + 1) * sizeof *survey);
    for (size_t i = 0; survey && i < sites; i++)
        survey[i] = (dp_str){surveys + i * m->shared_size, m->shared_size};
    if (n && dp_buf_room(&sum, m->shared_size)) {
        memset(sum.p, 0, m->shared_size);
        sum.n = m->shared_size;
    }
    dp_err code = !survey || sum.failed ? DP_ENOMEM : n ? dp_voters_sum(sum.p, m, survey, sites) : DP_OK;
    free(survey);
    if (code == DP_OK)
        return dp_text_take(out, &sum);
    dp_buf_done(&sum);
    return code == DP_ESYNTAX ? dp_fail(err, DP_EINVALID, "these are no surveys of method %s", m->name) : code;
}

/* ---- a site ------------------------------------------------------------------------------------------------------ */

static dp_err learn_one(dp_site_step *s, dp_site_results *out, const void *shared, dp_error *err)
{
    const dp_method *m = s->how.method;
    dp_learn_how     how = s->how;
    dp_ready_site    ready = {0};
    dp_site_result   f;
    how.ctx.shared = shared;
    dp_err code = m->begin ? m->begin(&how.ctx.run, s->options, err) : DP_OK;
    if (code == DP_OK) {
        code = dp_ready_site_make(&ready, &s->corpus, s->domain[0]);
        if (code == DP_OK)
            code = dp_ready_site_learn(&f, &ready, &how);
        if (code == DP_OK)
            code = dp_site_results_add(out, &f);
        dp_ready_site_done(&ready);
    }
    if (how.ctx.run) {
        dp_err ended = m->end(how.ctx.run, NULL, err);
        code = code == DP_OK ? ended : code;
    }
    return code;
}

dp_err dp_learner_held_out(uint64_t *urls, const dp_learner *l, const char *const *sites, const uint64_t *facts,
                             size_t count)
{
    dp_held_out_site *v = malloc((count + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < count; i++)
        v[i] = (dp_held_out_site){dp_str_c(sites[i]), facts[i], 0};
    dp_err code = dp_held_out_choose(v, count, &l->settings);
    for (size_t i = 0; i < count && code == DP_OK; i++)
        urls[i] = v[i].urls;
    free(v);
    return code;
}

void dp_site_step_hold_out(dp_site_step *s, uint64_t urls)
{
    s->how.relearn = urls;
}

dp_err dp_site_step_learn(dp_text **out, dp_site_step *s, const char *shared, size_t n, dp_error *err)
{
    dp_site_results found = {0};
    dp_buf          b = {0};
    void           *told = NULL;
    if (n && n != s->l->settings.method->shared_size)
        return dp_fail(err, DP_EINVALID, "this is not a sum of surveys of method %s", s->l->settings.method->name);
    if (n) {
        if (!(told = malloc(n)))
            return DP_ENOMEM;
        memcpy(told, shared, n);
        if (!s->l->settings.method->is_survey(told)) {
            free(told);
            return dp_fail(err, DP_EINVALID, "this is no sum of surveys of method %s", s->l->settings.method->name);
        }
    }
    dp_err code = label(s);
    if (code == DP_OK)
        code = learn_one(s, &found, told, err);
    if (code == DP_OK)
        dp_site_results_pack(&b, &found);
    dp_site_results_done(&found);
    free(told);
    if (code == DP_OK)
        return dp_text_take(out, &b);
    return code;
}

/* ---- one part of a site, counted --------------------------------------------------------------------------------- */

dp_err dp_site_step_recount(dp_text **out, dp_site_step *s, const dp_recount_step *r, size_t part, dp_error *err)
{
    dp_recount own = r->sum;
    dp_buf     b = {0};
    if (part >= own.parts)
        return dp_fail(err, DP_EINVALID, "there is no such part");
    own.urls = 0;
    own.sum = calloc(DP_COUNTS * own.n + 1, sizeof *own.sum);
    s->corpus.no_soft = true; /* who merges what does not depend on them */
    dp_err code = own.sum ? label(s) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_recount_add_part(&own, &s->corpus, (unsigned)part, s->how.trust, s->pool);
    if (code == DP_OK)
        dp_recount_pack(&b, &own);
    free(own.sum);
    return code == DP_OK ? dp_text_take(out, &b) : code;
}

/* ---- one file out of all ------------------------------------------------------------------------------------ */

dp_err dp_learner_merge(dp_learner *l, const char *const *results, const size_t *sizes, size_t count,
                        const uint64_t *totals, dp_error *err)
{
    dp_site_results all = {0};
    dp_err          code = DP_OK;
    dp_results_done(&l->results);
    for (size_t i = 0; i < count && code == DP_OK; i++)
        code = dp_site_results_unpack(&all, (dp_str){results[i], sizes[i]});
    if (code == DP_ESYNTAX)
        dp_fail(err, code, "this is not a site result of this version");
    dp_site_results_sort(&all);
    l->nbad = 0;
    l->results.bad_lines = totals[DP_READ_BAD_LINES];
    if (code == DP_OK)
        code = dp_results_make(&l->results, &l->settings, totals, &all, err);
    dp_site_results_done(&all);
    return code;
}
