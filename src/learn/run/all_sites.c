/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/all_sites.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/outfile.h"
#include "learn/run/budget.h"
#include "learn/run/recount_pass.h"
#include "learn/run/mirrors.h"
#include "learn/run/held_out.h"
#include "learn/accept/judge_each.h"
#include "learn/run/schedule.h"

typedef struct learning {
    dp_all_sites  *c;
    const dp_plan *plan;
    dp_mirrors    *links;
    bool           keeps; /* finished partitions go to files */
} learning;

/* ---- one site ------------------------------------------------------------------------------------------------- */

static dp_err learn_one(void *ctx, uint32_t number, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err)
{
    learning           *t = ctx;
    const dp_plan_site *site = &t->plan->v[number];
    dp_learn_how        how = *t->c->how;
    const dp_site_survey    *survey = site->ndomain == 1 ? dp_mirrors_survey(t->links, site->name) : NULL;
    dp_ready_site       ready = {0};
    dp_site_result      f;
    void               *own = NULL;
    dp_err              code = DP_OK;
    (void)err;
    if (c) {
        code = dp_ready_site_make(&ready, c, site->name);
    } else {
        ready = *site->ready;
        *site->ready = (dp_ready_site){0};
    }
    if (code == DP_OK && survey && !(own = dp_site_survey_copy(survey, how.method->shared_size)))
        code = DP_ENOMEM;
    how.ctx.pool = pool;
    how.ctx.shared = t->links->shared;
    how.ctx.own = own;
    how.relearn = site->relearn;
    how.across = site->across;
    if (code == DP_OK)
        code = dp_ready_site_learn(&f, &ready, &how);
    dp_ready_site_done(&ready);
    free(own);
    return code == DP_OK ? dp_site_results_add(&p->found, &f) : code;
}

/* The rules of a site that was sampled, on all of its facts. What papers accept is not judged by us;
 * what is certified holds for the sample, and may not be changed by those that voted. */
static dp_err recount(void *ctx, const dp_source *all, dp_partition *p, dp_error *err)
{
    learning       *t = ctx;
    dp_site_result *f = &p->found.v[p->found.n - 1];
    f->sampled = f->urls;
    if (t->c->settings->accept != DP_ACCEPT_PAPER && !t->c->settings->certify)
        DP_TRY(dp_recount_pass(f, t->c, all, all->v->memory, err));
    f->urls = f->across ? 0 : f->urls; /* they are counted with their own sites */
    return DP_OK;
}

/* ---- finished partitions ----------------------------------------------------------------------------------------- */

static dp_err write_part(dp_all_sites *c, const dp_site_results *l, dp_error *err)
{
    dp_buf b = {0};
    int    fd = -1;
    size_t number = DP_FILE_PARTS + c->nparts;
    if (number >= DP_FOLDER_FILES)
        return DP_OK; /* these would be learned again after a kill */
    dp_site_results_pack(&b, l);
    dp_err code = b.failed ? DP_ENOMEM : dp_folder_create(c->folder, number, &fd, err);
    if (code == DP_OK)
        code = dp_write_all(fd, b.p, b.n, "a work file", err);
    if (code == DP_OK && fsync(fd) != 0)
        code = dp_fail(err, DP_EIO, "cannot write a work file");
    if (fd >= 0)
        close(fd);
    c->nparts++;
    dp_buf_done(&b);
    return code;
}

static dp_err ended(void *ctx, dp_partition *p, dp_error *err)
{
    learning *t = ctx;
    if (t->keeps && p->found.n)
        DP_TRY(write_part(t->c, &p->found, err));
    for (size_t i = 0; i < p->found.n; i++) {
        dp_site_result f = p->found.v[i];
        p->found.v[i].learned = (dp_learned){0};
        DP_TRY(dp_site_results_add(&t->c->done, &f));
    }
    return DP_OK;
}

/* Pass over sites that an earlier run has learned. */
static dp_err skip_done(dp_all_sites *c, dp_plan *p, bool across)
{
    dp_intern known = {0};
    bool      ok = true;
    uint32_t  any;
    for (size_t i = 0; i < c->done.n && ok; i++)
        ok = c->done.v[i].across != across || dp_intern_find(&known, c->done.v[i].name, &any) ||
             dp_intern_add(&known, c->done.v[i].name, 1);
    for (uint32_t i = 0; i < p->n && ok && c->done.n; i++)
        p->v[i].skip |= dp_intern_find(&known, p->v[i].name, &any);
    dp_intern_done(&known);
    return ok ? DP_OK : DP_ENOMEM;
}

static dp_err tell(void *ctx, uint64_t done, uint64_t total)
{
    const dp_all_sites *c = ((learning *)ctx)->c;
    return c->tell ? c->tell(c->tell_ctx, done, total, "learning sites") : DP_OK;
}

/* ---- the steps ---------------------------------------------------------------------------------------------- */

/* Sites that an earlier run has learned are drawn with the others: it has drawn the same. */
static dp_err choose_held_out(dp_plan *p, const dp_settings *s)
{
    dp_held_out_site *v = malloc((p->n + 1u) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < p->n; i++)
        v[i] = (dp_held_out_site){p->v[i].name, p->v[i].facts, 0};
    dp_err code = dp_held_out_choose(v, p->n, s);
    for (uint32_t i = 0; i < p->n && code == DP_OK; i++)
        p->v[i].relearn = v[i].urls;
    free(v);
    return code;
}

dp_err dp_all_sites_plan(dp_plan *out, dp_all_sites *c, dp_mirrors *links, dp_error *err)
{
    DP_TRY(dp_plan_make(out, c->facts, links->own.n ? &links->own : NULL));
    DP_TRY(choose_held_out(out, c->settings));
    DP_TRY(skip_done(c, out, false));
    dp_mirrors_mark(links, out);
    return links->own.n ? dp_mirrors_move(&links->moved, DP_FILE_MOVED, c, out, err) : DP_OK;
}

dp_err dp_all_sites_across(dp_plan *out, dp_all_sites *c, dp_mirrors *links, dp_error *err)
{
    if (!links->sets.n)
        return DP_OK;
    DP_TRY(dp_plan_make(out, c->facts, &links->sets));
    for (uint32_t i = 0; i < out->n; i++) {
        dp_plan_site *s = &out->v[i];
        s->across = !dp_ownership_are_one(&c->settings->owners, out->domain + s->from, s->ndomain);
        s->skip = !s->across;
    }
    DP_TRY(skip_done(c, out, true));
    return dp_mirrors_move(&links->across, DP_FILE_ACROSS, c, out, err);
}

/* Bytes of facts that are in memory. */
static uint64_t in_memory(const dp_buckets *moved)
{
    uint64_t held = 0;
    for (size_t i = 0; moved && i < DP_BUCKETS && !dp_buckets_spilled(moved); i++)
        held += dp_buckets_bytes(moved, i);
    return held;
}

uint64_t dp_all_sites_held(const dp_all_sites *c, const dp_mirrors *links)
{
    uint64_t held = 0;
    for (size_t d = 0; d < c->facts->name.n && !dp_buckets_spilled(c->facts->buckets); d++)
        held += c->facts->bytes[d];
    return links ? held + in_memory(links->moved) + in_memory(links->across) : held;
}

dp_err dp_all_sites_learn(dp_all_sites *c, dp_plan *plan, dp_mirrors *links, dp_buckets *moved, dp_error *err)
{
    const dp_method *m = c->how->method;
    bool             all[DP_BUCKETS];
    memset(all, true, sizeof all);
    learning    t = {.c = c, .plan = plan, .links = links, .keeps = dp_buckets_spilled(c->facts->buckets)};
    dp_schedule schedule = {.plan = plan, .facts = c->facts, .moved = moved, .pool = c->how->ctx.pool,
                            .memory = c->memory - dp_all_sites_held(c, links),
                            .refuse = c->settings->memory != 0,
                            .url_bytes = m->url_bytes ? m->url_bytes : DP_NEED_LEARNED, .named = c->settings->named,
                            .tmp = c->settings->tmp.n ? c->settings->tmp.p : NULL,
                            .last = all, .soft = c->settings->keep_soft ? 0 : UINT32_MAX,
                            .sample = dp_settings_sample(c->settings),
                            .each = learn_one, .again = recount, .ended = ended, .tell = tell, .ctx = &t};
    DP_TRY(dp_schedule_run(&schedule, err));
    dp_site_results_sort(&c->done);
    return DP_OK;
}

dp_learn_how dp_all_sites_how(const dp_settings *s, const void *options, dp_pool *pool)
{
    return (dp_learn_how){
        .method = s->method,
        .options = options,
        .ctx = {.min_precision = s->min_precision, .seed = s->seed, .memory = s->memory, .accept = s->accept,
                .trust = s->trust | DP_TRUST_ALWAYS, .pool = pool},
        .keep = dp_buf_view(&s->keep),
        .named = s->named,
        .owners = &s->owners,
        .confidence = s->certify ? s->confidence : 0,
        .untested = s->untested,
        .trust = s->trust | DP_TRUST_ALWAYS,
    };
}

void dp_all_sites_done(dp_all_sites *c)
{
    dp_site_results_done(&c->done);
}
