/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/run.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/machine.h"
#include "learn/run/budget.h"
#include "learn/run/mirrors.h"
#include "learn/run/read_files.h"
#include "learn/run/resume.h"
#include "store/state.h"
#include "store/loglines.h"

typedef struct job {
    dp_run         *r;
    dp_error       *err;
    dp_fact_maker   maker;
    dp_facts        facts;
    dp_loglines     lines; /* of what is read */
    dp_folder      *folder;
    dp_statefile   *state; /* NULL: none is kept */
    dp_pool        *pool;
    void           *options;
    dp_learn_how    how;
    dp_all_sites    sites;
    dp_mirrors      mirrors;
    dp_plan         plan, across;
    uint64_t        last; /* when progress was told, ms */
    pthread_mutex_t telling;
    bool            began; /* dp_method.end is due */
    bool            waits; /* for the state: that was told */
} job;

/* ---- progress ----------------------------------------------------------------------------------------------- */

/* Tell the caller how far it is, ten times a second; it may want to stop. From any thread. */
static dp_err report(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    job *j = ctx;
    bool stop = false;
    if (!j->r->progress)
        return DP_OK;
    pthread_mutex_lock(&j->telling);
    if (dp_clock_is_due(&j->last, 100))
        stop = j->r->progress(j->r->progress_ctx, done, total, unit);
    pthread_mutex_unlock(&j->telling);
    return stop ? dp_fail(j->err, DP_EINVALID, "stopped") : DP_OK;
}

/* The same for a method at work. */
static int tell(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    return report(ctx, done, total, unit) != DP_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

static dp_err add_new(void *ctx, const dp_fact *f)
{
    job *j = ctx;
    return dp_loglines_add(&j->lines, f);
}

static dp_err add_counted(void *ctx, const dp_fact *f)
{
    job *j = ctx;
    DP_TRY(dp_facts_add(&j->facts, f, j->err));
    return j->state ? dp_statefile_add(j->state, f, j->err) : DP_OK;
}

static dp_err tell_bytes(void *ctx, uint64_t done, uint64_t total)
{
    return report(ctx, done, total, "bytes");
}

static dp_err read_files(job *j, const char *const *paths, size_t count)
{
    dp_run       *run = j->r;
    dp_read_files in = {
        .how = {.format = run->how[DP_INPUT_FORMAT],
                .columns = run->how[DP_INPUT_COLUMNS],
                .log_format = run->how[DP_INPUT_LOG_FORMAT],
                .base_url = run->how[DP_INPUT_BASE_URL],
                .identity = run->how[DP_INPUT_IDENTITY],
                .strict = run->settings->strict,
                .want_body = true},
        .threads = dp_pool_threads(j->pool),
        .first = run->settings->first,
        .take = add_new,
        .tell = tell_bytes,
        .ctx = j,
        .why = run->bad,
        .most = DP_RUN_BAD,
    };
    j->lines = (dp_loglines){.put = add_counted, .ctx = j, .limit = dp_share_of(j->sites.memory, DP_SHARE_LOGLINES)};
    dp_err code = dp_read_files_run(&in, paths, count, j->err);
    if (code == DP_OK)
        code = dp_loglines_flush(&j->lines);
    dp_loglines_done(&j->lines);
    memcpy(j->maker.total, in.total, sizeof j->maker.total);
    run->results->bad_lines = in.bad;
    run->nbad = in.nwhy;
    return code;
}

/* ---- the state of earlier runs ---------------------------------------------------------------------------------- */

/* Another run has the state: say so once, and ask now and then whether to go on waiting. */
static dp_err wait_for_state(void *ctx)
{
    job    *j = ctx;
    dp_run *r = j->r;
    if (!j->waits && r->waiting)
        r->waiting(r->waiting_ctx, r->settings->state.p);
    j->waits = true;
    return report(j, 0, 0, "waiting");
}

static dp_err open_state(job *j)
{
    dp_settings *s = j->r->settings;
    if (s->update && !s->state.n)
        return dp_fail(j->err, DP_EINVALID, "--update needs --state");
    const dp_state_how how = {.path = s->state.p, .fresh = !s->update, .wait = wait_for_state, .ctx = j};
    return s->state.n ? dp_statefile_open(&j->state, &how, j->err) : DP_OK;
}

static dp_err new_buckets(job *j)
{
    if (j->r->settings->grouping == DP_GROUP_LINKED)
        j->facts.sharing.limit = dp_share_of(j->sites.memory, DP_SHARE_SHARING);
    return dp_buckets_new(&j->facts.buckets, DP_BUCKETS, dp_share_of(j->sites.memory, DP_SHARE_FACTS), j->folder,
                          DP_FILE_FACTS);
}

static dp_err add_old(void *ctx, const dp_fact *f)
{
    job *j = ctx;
    return dp_facts_add(&j->facts, f, j->err);
}

/* Bring what the state holds to what was read; where that is in the state already, it is forgotten first. */
static dp_err add_state(job *j)
{
    bool known;
    DP_TRY(dp_statefile_known(j->state, &known, j->err));
    if (known) {
        bool by_host = j->facts.by_host;
        dp_buckets_free(j->facts.buckets);
        dp_facts_done(&j->facts);
        j->facts.by_host = by_host;
        memset(j->maker.total, 0, sizeof j->maker.total);
        j->r->results->is_known = true;
        DP_TRY(new_buckets(j));
    }
    dp_statefile_count(j->state, j->maker.total);
    return dp_statefile_each(j->state, add_old, j, j->err);
}

/* All facts: from the files of a run that was killed, or from the input. */
static dp_err get_facts(job *j, const char *const *paths, size_t count)
{
    dp_settings *s = j->r->settings;
    bool         found = false;
    j->facts.by_host = s->grouping == DP_GROUP_HOST;
    dp_manifest manifest = {.facts = &j->facts, .maker = &j->maker, .run = j->r, .done = &j->sites.done,
                            .nparts = &j->sites.nparts};
    DP_TRY(dp_resume_open(&j->folder, j->r, paths, count, j->err));
    DP_TRY(dp_resume_find(&manifest, j->folder, &found, j->err));
    if (found)
        return DP_OK;
    DP_TRY(open_state(j));
    DP_TRY(new_buckets(j));
    DP_TRY(read_files(j, paths, count));
    if (j->state)
        DP_TRY(add_state(j));
    DP_TRY(dp_buckets_close(j->facts.buckets, j->err));
    return dp_buckets_spilled(j->facts.buckets) ? dp_resume_save(&manifest, j->folder, j->err) : DP_OK;
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static dp_err begin_method(job *j)
{
    dp_settings *s = j->r->settings;
    j->how = dp_all_sites_how(s, j->options, j->pool);
    j->how.ctx.tell = j->r->progress ? tell : NULL;
    j->how.ctx.tell_ctx = j;
    j->sites.settings = s;
    j->sites.how = &j->how;
    j->sites.facts = &j->facts;
    j->sites.folder = j->folder;
    j->sites.tell = report;
    j->sites.tell_ctx = j;
    dp_err code = s->method->begin ? s->method->begin(&j->how.ctx.run, j->options, j->err) : DP_OK;
    j->began = j->how.ctx.run != NULL;
    return code;
}

static dp_err end_method(job *j)
{
    if (!j->began)
        return DP_OK;
    j->began = false;
    return j->r->settings->method->end(j->how.ctx.run, &j->r->results->note, j->err);
}

/* A run from its first step to its last. */
static dp_err work(job *j, const char *const *paths, size_t count)
{
    dp_settings *s = j->r->settings;
    j->sites.memory = s->memory ? s->memory : dp_machine_usual_memory();
    DP_TRY(dp_settings_options(&j->options, s, j->err));
    DP_TRY(dp_pool_new(&j->pool, s->threads));
    DP_TRY(get_facts(j, paths, count));
    DP_TRY(begin_method(j));
    DP_TRY(dp_mirrors_find(&j->mirrors, &j->sites, j->err));
    DP_TRY(dp_all_sites_plan(&j->plan, &j->sites, &j->mirrors, j->err));
    DP_TRY(dp_all_sites_across(&j->across, &j->sites, &j->mirrors, j->err));
    DP_TRY(dp_all_sites_learn(&j->sites, &j->plan, &j->mirrors, j->mirrors.moved, j->err));
    if (j->mirrors.across)
        DP_TRY(dp_all_sites_learn(&j->sites, &j->across, &j->mirrors, j->mirrors.across, j->err));
    DP_TRY(end_method(j));
    DP_TRY(dp_results_make(j->r->results, s, j->maker.total, &j->sites.done, j->err));
    return j->state && !j->r->results->is_known ? dp_statefile_commit(j->state, j->maker.total, j->err) : DP_OK;
}

dp_err dp_run_all(dp_run *r, const char *const *paths, size_t count, dp_error *err)
{
    job j = {.r = r, .err = err};
    pthread_mutex_init(&j.telling, NULL);
    dp_err code = work(&j, paths, count);
    if (j.began)
        (void)r->settings->method->end(j.how.ctx.run, NULL, err);
    pthread_mutex_destroy(&j.telling);
    dp_plan_done(&j.plan);
    dp_plan_done(&j.across);
    dp_mirrors_done(&j.mirrors);
    dp_all_sites_done(&j.sites);
    dp_buckets_free(j.facts.buckets);
    dp_facts_done(&j.facts);
    dp_fact_maker_done(&j.maker);
    if (code != DP_OK) {
        dp_statefile_close(j.state);
        j.state = NULL;
    }
    r->state = j.state;
    dp_folder_remove(j.folder);
    if (r->folder)
        r->folder(r->folder_ctx, NULL);
    free(j.options);
    dp_pool_free(j.pool);
    return code;
}
