/* The dp_learner of dustpan.h: settings in, a rule file and a summary out.
 *
 *     files ─► input/reader ─► site/corpus ─► site/group ─► a task a site: dp_corpus_site, learn/lesson
 *                                                                │ blocks, in the order of the sites' names
 *                                                                ▼
 *                                                            learn/summary: header, file, numbers
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/text.h"
#include "input/reader.h"
#include "base/fold.h"
#include "learn/lesson.h"
#include "learn/settings.h"
#include "learn/summary.h"
#include "learn/verdict.h"
#include "site/group.h"

enum { BAD_KEPT = 5 };

struct dp_learner {
    dp_settings settings;
    char       *how[DP_INPUT_BASE_URL + 1]; /* by dp_input_option; NULL: by content */
    dp_progress progress;
    void       *progress_ctx;
    dp_results  results;
    dp_error    bad[BAD_KEPT];
    size_t      nbad;
};

dp_err dp_learner_new(dp_learner **out)
{
    dp_learner *l = calloc(1, sizeof *l);
    if (!l)
        return DP_ENOMEM;
    dp_settings_init(&l->settings);
    *out = l;
    return DP_OK;
}

void dp_learner_free(dp_learner *l)
{
    if (!l)
        return;
    dp_settings_done(&l->settings);
    dp_results_done(&l->results);
    for (size_t i = 0; i < DP_COUNT(l->how); i++)
        free(l->how[i]);
    free(l);
}

dp_err dp_learner_set(dp_learner *l, const char *option, const char *value, dp_error *err)
{
    dp_err code = dp_settings_set(&l->settings, option, value, err);
    return code == DP_ENOMEM ? dp_fail(err, code, "memory is out") : code;
}

dp_err dp_learner_input(dp_learner *l, dp_input_option option, const char *text)
{
    if ((size_t)option >= DP_COUNT(l->how))
        return DP_EINVALID;
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return DP_ENOMEM;
    free(l->how[option]);
    l->how[option] = copy;
    return DP_OK;
}

void dp_learner_progress(dp_learner *l, dp_progress call, void *ctx)
{
    l->progress = call;
    l->progress_ctx = ctx;
}

const char *dp_learner_method(size_t i, const char **summary)
{
    if (i >= dp_methods_count())
        return NULL;
    *summary = dp_methods[i]->summary;
    return dp_methods[i]->name;
}

const char *dp_learner_option(const char *method, size_t i, const char **value, const char **help, int *paper)
{
    const dp_method *m = dp_method_find(dp_str_c(method));
    if (!m || i >= m->noption)
        return NULL;
    *value = m->option[i].type == DP_OPTION_BOOL ? NULL : m->option[i].arg;
    *help = m->option[i].help;
    *paper = m->option[i].paper;
    return m->option[i].name;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

typedef struct job {
    dp_learner  *l;
    dp_error    *err;
    dp_corpus    corpus;
    dp_sitelist  sites;
    dp_pool     *pool;
    void        *options;
    dp_teaching  teaching;
    void        *shared; /* what sites told each other; NULL: nothing */
    dp_lesson   *lesson; /* [sites.n] */
    size_t      *order;  /* [sites.n] the largest first */
    uint64_t     last;   /* when progress was told, ms */
    pthread_mutex_t telling;
    bool         began;  /* dp_method.end is due */
} job;

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Tell the caller how far it is, ten times a second; it may want to stop. */
static dp_err report(job *j, uint64_t done, uint64_t total, const char *unit)
{
    uint64_t now = j->l->progress ? milliseconds() : 0;
    if (now < j->last + 100)
        return DP_OK;
    j->last = now;
    bool stop = j->l->progress(j->l->progress_ctx, done, total, unit);
    return stop ? dp_fail(j->err, DP_EINVALID, "stopped") : DP_OK;
}

/* The same for a method at work, on any thread. */
static int tell(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    job *j = ctx;
    pthread_mutex_lock(&j->telling);
    dp_err code = report(j, done, total, unit);
    pthread_mutex_unlock(&j->telling);
    return code != DP_OK;
}

static dp_err read_records(job *j, dp_reader *r)
{
    uint64_t n = 0;
    for (bool more = true;;) {
        dp_record rec;
        DP_TRY(dp_reader_next(r, &rec, &more, j->err));
        if (!more)
            return DP_OK;
        DP_TRY(dp_corpus_add(&j->corpus, &rec));
        if (n++ % 1024 == 0)
            DP_TRY(report(j, dp_reader_done(r), dp_reader_total(r), "bytes"));
    }
}

static dp_err read_all(job *j, const char *const *paths, size_t count)
{
    dp_learner             *l = j->l;
    dp_reader              *r;
    const dp_reader_options in = {
        .format = l->how[DP_INPUT_FORMAT],
        .columns = l->how[DP_INPUT_COLUMNS],
        .log_format = l->how[DP_INPUT_LOG_FORMAT],
        .base_url = l->how[DP_INPUT_BASE_URL],
        .strict = l->settings.strict,
        .want_body = true,
    };
    DP_TRY(dp_reader_open(&r, paths, count, &in, j->err));
    dp_err code = read_records(j, r);
    l->results.bad_lines = dp_reader_bad(r);
    while (l->nbad < BAD_KEPT && dp_reader_bad_line(r, l->nbad, &l->bad[l->nbad]))
        l->nbad++;
    dp_reader_close(r);
    return code;
}

/* ---- sites ------------------------------------------------------------------------------------------------- */

/* Sites of so many URLs are learned one after another, with all threads inside. */
enum { HUGE_SITE = 200000 };

static dp_err learn_site(void *ctx, size_t i, unsigned worker)
{
    job            *j = ctx;
    size_t          k = j->order[i];
    const dp_group *g = &j->sites.v[k];
    dp_arena        a = {0};
    dp_site         s;
    (void)worker;
    dp_err code = dp_corpus_site(&s, &j->corpus, g->name, j->sites.url + g->from, g->n, &a);
    if (code == DP_OK)
        code = dp_lesson_learn(&j->lesson[k], &s, &j->teaching);
    if (code == DP_OK && j->teaching.method->keep)
        code = j->teaching.method->keep(&s, j->options, &j->teaching.ctx);
    dp_arena_done(&a);
    return code;
}

/* ---- what sites tell each other (dp_method.survey) ------------------------------------------------------------- */

/* URLs in all that are looked at twice: enough to know what rules are like. */
enum { SURVEYED_URLS = 200000 };

typedef struct asking {
    job    *j;
    size_t *site; /* [n] */
    char   *one;  /* [n][shared_size] */
} asking;

static dp_err survey_site(void *ctx, size_t i, unsigned worker)
{
    asking          *a = ctx;
    job             *j = a->j;
    const dp_method *m = j->teaching.method;
    const dp_group  *g = &j->sites.v[a->site[i]];
    dp_arena         arena = {0};
    dp_site          s;
    dp_learn_context ctx_of = j->teaching.ctx;
    (void)worker;
    ctx_of.folds = DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD);
    dp_err code = dp_corpus_site(&s, &j->corpus, g->name, j->sites.url + g->from, g->n, &arena);
    if (code == DP_OK)
        code = m->survey(a->one + i * m->shared_size, &s, j->options, &ctx_of);
    dp_arena_done(&arena);
    return code;
}

static dp_err survey_sites(job *j)
{
    const dp_method *m = j->teaching.method;
    if (!m->survey || j->sites.n < 2)
        return DP_OK;
    asking a = {.j = j, .site = calloc(j->sites.n, sizeof *a.site)};
    size_t n = 0, urls = 0;
    for (size_t i = 0; a.site && i < j->sites.n && urls < SURVEYED_URLS; i++) {
        urls += j->sites.v[i].n;
        a.site[n++] = i;
    }
    a.one = calloc(n + 1, m->shared_size);
    j->shared = calloc(1, m->shared_size);
    dp_err code = a.site && a.one && j->shared ? dp_pool_run(j->pool, n, survey_site, &a) : DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        m->combine(j->shared, a.one + i * m->shared_size);
    j->teaching.ctx.shared = j->shared;
    free(a.site);
    free(a.one);
    return code;
}

static int by_size(const void *a, const void *b, void *sites)
{
    const dp_group *v = sites;
    size_t          x = *(const size_t *)a, y = *(const size_t *)b;
    return v[x].n != v[y].n ? (v[x].n < v[y].n ? 1 : -1) : (x > y) - (x < y);
}

/* A task for the pool: those behind the huge ones. */
typedef struct rest {
    job   *j;
    size_t from;
} rest;

static dp_err learn_rest(void *ctx, size_t i, unsigned worker)
{
    rest *r = ctx;
    return learn_site(r->j, r->from + i, worker);
}

static dp_err learn_sites(job *j)
{
    size_t n = j->sites.n;
    rest   r = {j, 0};
    j->lesson = calloc(n + 1, sizeof *j->lesson);
    j->order = calloc(n + 1, sizeof *j->order);
    if (!j->lesson || !j->order)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        j->order[i] = i;
    qsort_r(j->order, n, sizeof *j->order, by_size, j->sites.v);
    for (; r.from < n && j->sites.v[j->order[r.from]].n >= HUGE_SITE; r.from++) {
        DP_TRY(report(j, r.from, n, "sites"));
        DP_TRY(learn_site(j, r.from, 0));
    }
    return dp_pool_run(j->pool, n - r.from, learn_rest, &r);
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static dp_err work(job *j, const char *const *paths, size_t count)
{
    dp_settings *s = &j->l->settings;
    DP_TRY(dp_settings_options(&j->options, s, j->err));
    DP_TRY(dp_pool_new(&j->pool, s->threads));
    j->corpus.named = s->named;
    DP_TRY(read_all(j, paths, count));
    DP_TRY(dp_corpus_label(&j->corpus));
    DP_TRY(dp_sitelist_make(&j->sites, &j->corpus, s->grouping));
    j->teaching = (dp_teaching){
        .method = s->method,
        .options = j->options,
        .ctx = {.min_precision = s->min_precision, .seed = s->seed, .memory = s->memory, .accept = s->accept,
                .trust = s->trust | DP_TRUST_ALWAYS,
                .pool = j->pool, .tell = j->l->progress ? tell : NULL, .tell_ctx = j},
        .keep = dp_buf_view(&s->keep),
        .trust = s->trust | DP_TRUST_ALWAYS,
    };
    if (s->method->begin) {
        dp_err code = s->method->begin(&j->teaching.ctx.run, j->options, j->err);
        j->began = j->teaching.ctx.run != NULL;
        DP_TRY(code);
    }
    DP_TRY(survey_sites(j));
    DP_TRY(learn_sites(j));
    if (j->began) {
        j->began = false;
        DP_TRY(s->method->end(j->teaching.ctx.run, &j->l->results.note, j->err));
    }
    return dp_results_make(&j->l->results, s, &j->corpus, &j->sites, j->lesson, j->err);
}

dp_err dp_learner_run(dp_learner *l, const char *const *paths, size_t count, dp_error *err)
{
    job j = {.l = l, .err = err};
    if (err)
        *err = (dp_error){0};
    dp_results_done(&l->results);
    l->nbad = 0;
    pthread_mutex_init(&j.telling, NULL);
    dp_err code = work(&j, paths, count);
    if (j.began)
        (void)l->settings.method->end(j.teaching.ctx.run, NULL, err);
    pthread_mutex_destroy(&j.telling);
    if (code != DP_OK && err && !err->message[0])
        dp_fail(err, code, "%s", dp_err_name(code));
    for (size_t i = 0; j.lesson && i < j.sites.n; i++)
        dp_lesson_done(&j.lesson[i]);
    free(j.lesson);
    free(j.order);
    free(j.options);
    free(j.shared);
    dp_pool_free(j.pool);
    dp_sitelist_done(&j.sites);
    dp_corpus_done(&j.corpus);
    return code;
}

dp_err dp_learner_rules(dp_text **out, const dp_learner *l)
{
    dp_buf copy = {0};
    dp_buf_str(&copy, dp_buf_view(&l->results.file));
    return dp_text_take(out, &copy);
}

dp_err dp_learner_summary(dp_text **out, const dp_learner *l, dp_format format)
{
    dp_buf b = {0};
    dp_results_print(&b, &l->results, format);
    return dp_text_take(out, &b);
}

const char *dp_learner_warning(const dp_learner *l, size_t i)
{
    return i < l->results.nwarning ? l->results.warning[i] : NULL;
}

uint64_t dp_learner_bad_lines(const dp_learner *l)
{
    return l->results.bad_lines;
}

dp_err dp_learner_bad(const dp_learner *l, size_t i, dp_error *bad)
{
    if (i >= l->nbad)
        return DP_EINVALID;
    *bad = l->bad[i];
    return DP_OK;
}
