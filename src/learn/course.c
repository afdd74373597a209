/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/course.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/outfile.h"
#include "learn/lastpass.h"
#include "learn/linkage.h"
#include "learn/rehearsal.h"
#include "learn/verdict.h"
#include "learn/visit.h"

/* Bytes a URL of a site that is being learned, beside its text, where a method does not say. */
static size_t lesson_bytes(const dp_method *m)
{
    return m->url_bytes ? m->url_bytes : 700;
}

typedef struct teaching {
    dp_course    *c;
    const dp_plan *plan;
    dp_linkage   *links;
    bool          keeps; /* finished partitions go to files */
} teaching;

/* ---- one site ------------------------------------------------------------------------------------------------- */

static dp_err learn(void *ctx, uint32_t number, dp_corpus *c, dp_pool *pool, dp_partition *p, dp_error *err)
{
    teaching           *t = ctx;
    const dp_plan_site *site = &t->plan->v[number];
    dp_teaching         how = *t->c->teaching;
    const dp_told      *told = site->ndomain == 1 ? dp_linkage_told(t->links, site->name) : NULL;
    dp_pupil            pupil = {0};
    dp_fragment         f;
    void               *own = NULL;
    dp_err              code = DP_OK;
    (void)err;
    if (c) {
        code = dp_pupil_make(&pupil, c, site->name);
    } else {
        pupil = *site->ready;
        *site->ready = (dp_pupil){0};
    }
    if (code == DP_OK && told && !(own = dp_told_copy(told, how.method->shared_size)))
        code = DP_ENOMEM;
    how.ctx.pool = pool;
    how.ctx.shared = t->links->shared;
    how.ctx.own = own;
    how.rehearse = site->rehearse;
    if (code == DP_OK)
        code = dp_pupil_learn(&f, &pupil, &how);
    dp_pupil_done(&pupil);
    free(own);
    return code == DP_OK ? dp_fragments_add(&p->found, &f) : code;
}

/* The rules of a site that was sampled, on all of its facts. What papers accept is not judged by us. */
static dp_err recount(void *ctx, const dp_source *all, dp_partition *p, dp_error *err)
{
    teaching    *t = ctx;
    dp_fragment *f = &p->found.v[p->found.n - 1];
    f->sampled = f->urls;
    if (t->c->settings->accept == DP_ACCEPT_PAPER)
        return DP_OK;
    return dp_lastpass_run(f, t->c, all, all->v->memory, err);
}

/* ---- finished partitions ----------------------------------------------------------------------------------------- */

static dp_err write_part(dp_course *c, const dp_fragments *l, dp_error *err)
{
    dp_buf b = {0};
    int    fd = -1;
    size_t number = DP_FILE_PARTS + c->nparts;
    if (number >= DP_FOLDER_FILES)
        return DP_OK; /* these would be learned again after a kill */
    dp_fragments_pack(&b, l);
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
    teaching *t = ctx;
    if (t->keeps && p->found.n)
        DP_TRY(write_part(t->c, &p->found, err));
    for (size_t i = 0; i < p->found.n; i++) {
        dp_fragment f = p->found.v[i];
        p->found.v[i].lesson = (dp_lesson){0};
        DP_TRY(dp_fragments_add(&t->c->done, &f));
    }
    return DP_OK;
}

/* Pass over sites that an earlier run has learned. */
static dp_err skip_done(dp_course *c, dp_plan *p)
{
    dp_intern known = {0};
    bool      ok = true;
    uint32_t  any;
    for (size_t i = 0; i < c->done.n && ok; i++)
        ok = dp_intern_find(&known, c->done.v[i].name, &any) || dp_intern_add(&known, c->done.v[i].name, 1);
    for (uint32_t i = 0; i < p->n && ok && c->done.n; i++)
        p->v[i].skip = dp_intern_find(&known, p->v[i].name, &any);
    dp_intern_done(&known);
    return ok ? DP_OK : DP_ENOMEM;
}

static dp_err tell(void *ctx, uint64_t done, uint64_t total)
{
    const dp_course *c = ((teaching *)ctx)->c;
    return c->tell ? c->tell(c->tell_ctx, done, total, "sites") : DP_OK;
}

/* ---- all together ---------------------------------------------------------------------------------------------- */

/* Sites that an earlier run has learned are drawn with the others: it has drawn the same. */
static dp_err draw_rehearsed(dp_plan *p, const dp_settings *s)
{
    dp_rehearsed *v = malloc((p->n + 1u) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < p->n; i++)
        v[i] = (dp_rehearsed){p->v[i].name, p->v[i].facts, 0};
    dp_err code = dp_rehearsal_draw(v, p->n, s);
    for (uint32_t i = 0; i < p->n && code == DP_OK; i++)
        p->v[i].rehearse = v[i].urls;
    free(v);
    return code;
}

static dp_err learn_sites(dp_course *c, dp_linkage *links, dp_error *err)
{
    dp_plan  plan = {0};
    bool     all[DP_DRAWERS];
    uint64_t held = 0; /* by facts that wait; at most two fifths of the memory */
    for (size_t d = 0; d < c->facts->name.n && !dp_drawers_spilled(c->facts->drawers); d++)
        held += c->facts->bytes[d];
    memset(all, true, sizeof all);
    dp_err code = dp_plan_make(&plan, c->facts, links->sets.n ? &links->sets : NULL);
    if (code == DP_OK)
        code = draw_rehearsed(&plan, c->settings);
    if (code == DP_OK)
        code = skip_done(c, &plan);
    if (code == DP_OK)
        dp_linkage_mark(links, &plan);
    if (code == DP_OK && links->sets.n)
        code = dp_linkage_move(links, c, &plan, err);
    teaching t = {.c = c, .plan = &plan, .links = links, .keeps = dp_drawers_spilled(c->facts->drawers)};
    dp_visit visit = {.plan = &plan, .facts = c->facts, .moved = links->moved, .pool = c->teaching->ctx.pool,
                      .memory = c->memory - held, .refuse = c->settings->memory != 0,
                      .url_bytes = lesson_bytes(c->teaching->method), .named = c->settings->named, .last = all,
                      .soft = UINT32_MAX, .sample = dp_settings_sample(c->settings), .visit = learn, .again = recount,
                      .ended = ended, .tell = tell, .ctx = &t};
    if (code == DP_OK)
        code = dp_visit_all(&visit, err);
    dp_plan_done(&plan);
    return code;
}

dp_err dp_course_run(dp_course *c, dp_error *err)
{
    dp_linkage links = {0};
    dp_err     code = dp_linkage_find(&links, c, err);
    if (code == DP_OK)
        code = learn_sites(c, &links, err);
    if (code == DP_OK)
        dp_fragments_sort(&c->done);
    dp_linkage_done(&links);
    return code;
}

dp_teaching dp_course_teaching(const dp_settings *s, const void *options, dp_pool *pool)
{
    return (dp_teaching){
        .method = s->method,
        .options = options,
        .ctx = {.min_precision = s->min_precision, .seed = s->seed, .memory = s->memory, .accept = s->accept,
                .trust = s->trust | DP_TRUST_ALWAYS, .pool = pool},
        .keep = dp_buf_view(&s->keep),
        .trust = s->trust | DP_TRUST_ALWAYS,
    };
}

void dp_course_done(dp_course *c)
{
    dp_fragments_done(&c->done);
}
