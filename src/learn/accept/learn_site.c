/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/learn_site.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/room.h"
#include "learn/accept/across.h"
#include "learn/accept/judge_together.h"
#include "learn/accept/write.h"
#include "learn/sizes/label_sizes.h"
#include "learn/sizes/turn_sizes.h"
#include "learn/sizes/weigh_sizes.h"

enum { MOST_RUNS = 3 };

typedef struct one_site {
    const dp_site      *site;
    const dp_learn_how *t;
    dp_court            court;
    dp_cases            cases;
    uint8_t            *in;   /* [cases.p.n] */
    uint8_t            *does; /* [cases.p.n] it crosses from one domain to another */
    dp_lead             lead;
    dp_last_run         last;
    dp_effects          effects;
    dp_firings          fired;
    dp_arena            arena;
    dp_site             labelled; /* where sizes make the labels */
    bool                by_size;
    dp_learned         *out;
} one_site;

/* A method that can do with the sizes of a log gets labels made of them. */
static dp_err label(one_site *y)
{
    y->by_size = y->t->method->reads_sizes && dp_sizes_are_all(y->site) && !y->t->across;
    if (!y->by_size)
        return DP_OK;
    DP_TRY(dp_label_sizes(&y->labelled, y->site, &y->arena));
    y->site = y->court.site = &y->labelled;
    return DP_OK;
}

/* ---- proposals ------------------------------------------------------------------------------------------ */

/* Folds kept away from run `run` of `runs`: it is judged on them. */
static uint32_t judged_on(unsigned run, unsigned runs)
{
    uint32_t folds = 0;
    for (unsigned f = 0; f < DP_REPORT_FOLD; f++)
        folds |= f % runs == run ? 1u << f : 0;
    return folds;
}

/* Proposals out[i] from the folds in folds[i]. */
static dp_err propose(one_site *y, dp_proposals *out, const uint32_t *folds, size_t runs)
{
    const dp_method *method = y->t->method;
    dp_learn_context ctx = y->t->ctx;
    ctx.lead = y->lead.ndomain > 1 ? &y->lead : NULL;
    if (y->by_size && ctx.min_precision > DP_SIZES_PROPOSED)
        ctx.min_precision = DP_SIZES_PROPOSED;
    ctx.effects = ctx.accept == DP_ACCEPT_PAPER || method->decides ? NULL : &y->effects;
    ctx.run = y->t->across ? NULL : ctx.run; /* of several owners nothing is kept */
    ctx.fired = ctx.accept != DP_ACCEPT_PAPER && method->decides ? &y->fired : NULL;
    if (runs > 1 && method->learn_each)
        return method->learn_each(out, folds, runs, y->site, y->t->options, &ctx, &y->arena);
    for (size_t i = 0; i < runs; i++) {
        ctx.folds = folds[i];
        DP_TRY(method->learn(&out[i], y->site, y->t->options, &ctx, &y->arena));
    }
    return DP_OK;
}

/* A list of proposals in the making, in the order in which they will be written. */
typedef struct node {
    dp_proposal p;
    uint32_t    folds, next;
} node;

typedef struct merging {
    node     *v;
    size_t    n, cap;
    uint32_t  first; /* UINT32_MAX: none */
    dp_intern known; /* hosts, LF, text */
    dp_buf    key;
} merging;

/* Put `p` behind node `*after` (UINT32_MAX: first), unless it is there already; `*after` becomes its node. */
static dp_err put_after(merging *m, uint32_t *after, const dp_proposal *p, uint32_t folds)
{
    uint32_t i;
    dp_buf_reset(&m->key);
    dp_buf_str(&m->key, p->hosts);
    dp_buf_byte(&m->key, '\n');
    dp_buf_str(&m->key, p->text);
    if (m->key.failed)
        return DP_ENOMEM;
    if (dp_intern_find(&m->known, dp_buf_view(&m->key), &i)) {
        m->v[i].folds |= folds;
        m->v[i].p.passes |= p->passes;
        m->v[i].p.by |= p->by;
        *after = i;
        return DP_OK;
    }
    if (!DP_ROOM(m->v, m->n, m->cap))
        return DP_ENOMEM;
    i = (uint32_t)m->n;
    if (i == UINT32_MAX)
        return DP_ELIMIT;
    if (!dp_intern_add(&m->known, dp_buf_view(&m->key), i))
        return DP_ENOMEM;
    uint32_t *from = *after == UINT32_MAX ? &m->first : &m->v[*after].next;
    m->v[m->n++] = (node){*p, folds, *from};
    *from = i;
    *after = i;
    return DP_OK;
}

/* Add the proposals of one run, which the folds in `folds` judge. */
static dp_err put_all(one_site *y, merging *m, const dp_proposals *list, uint32_t folds)
{
    bool   turns = y->lead.ndomain > 1 && !y->t->method->decides;
    dp_err code = DP_OK;
    for (uint32_t i = 0, after = UINT32_MAX; i < list->n && code == DP_OK; i++) {
        dp_proposal p = list->v[i];
        code = turns ? dp_across_turn(&p, &y->lead, &y->arena) : DP_OK;
        if (code == DP_OK)
            code = put_after(m, &after, &p, folds);
    }
    return code;
}

/* Run the method for each group of folds. What a run adds to those before stands behind the rule that it follows in
 * its own list: every list keeps its order where they do not contradict each other. */
static dp_err propose_in_turn(one_site *y, merging *m, unsigned runs)
{
    uint32_t     all = DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD), folds[MOST_RUNS];
    dp_proposals list[MOST_RUNS] = {{0}};
    for (unsigned run = 0; run < runs; run++)
        folds[run] = all & ~judged_on(run, runs);
    dp_err code = propose(y, list, folds, runs);
    for (unsigned run = 0; run < runs; run++) {
        if (code == DP_OK)
            code = put_all(y, m, &list[run], all & ~folds[run]);
        dp_proposals_done(&list[run]);
    }
    return code;
}

/* A log says which of two forms is wanted. What the method knew of its list holds no longer then. */
static dp_err turn(one_site *y, dp_proposals *list)
{
    bool any;
    DP_TRY(dp_turn_sizes(list, y->site, &any, &y->arena));
    if (any) {
        dp_firings_done(&y->fired);
        y->fired = (dp_firings){0};
    }
    return DP_OK;
}

static dp_err propose_once(one_site *y, merging *m, uint32_t folds)
{
    dp_proposals list = {0};
    dp_err       code = propose(y, &list, &folds, 1);
    if (code == DP_OK && y->by_size)
        code = turn(y, &list);
    if (code == DP_OK)
        code = put_all(y, m, &list, DP_ALL_FOLDS);
    dp_proposals_done(&list);
    return code;
}

/* The merged list as cases. */
static dp_err open_cases(one_site *y, const merging *m)
{
    y->cases.v = calloc(m->n + 1, sizeof *y->cases.v);
    y->in = calloc(m->n + 1, sizeof *y->in);
    y->does = calloc(m->n + 1, sizeof *y->does);
    if (!y->cases.v || !y->in || !y->does)
        return DP_ENOMEM;
    for (uint32_t i = m->first; i != UINT32_MAX; i = m->v[i].next) {
        y->cases.v[y->cases.p.n] = (dp_case){.own = m->v[i].p, .folds = m->v[i].folds | 1u << DP_REPORT_FOLD};
        DP_TRY(dp_proposals_add(&y->cases.p, &m->v[i].p));
    }
    return DP_OK;
}

static dp_err gather(one_site *y)
{
    const dp_method *method = y->t->method;
    merging          m = {.first = UINT32_MAX};
    dp_err           code;
    if (y->t->ctx.accept == DP_ACCEPT_PAPER)
        code = propose_once(y, &m, DP_ALL_FOLDS);
    else if (method->decides)
        code = propose_once(y, &m, DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD));
    else if (!method->needs_clusters)
        code = propose_once(y, &m, DP_ALL_FOLDS);
    else
        code = propose_in_turn(y, &m, y->site->n < DP_LARGE_SITE ? MOST_RUNS : 2);
    if (code == DP_OK)
        code = open_cases(y, &m);
    free(m.v);
    dp_intern_done(&m.known);
    dp_buf_done(&m.key);
    return code;
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

static dp_err write_rules(one_site *y)
{
    dp_proposals few = {0};
    dp_err       code = DP_OK;
    for (size_t i = 0; i < y->cases.p.n && code == DP_OK; i++) {
        if (!y->in[i])
            continue;
        dp_proposal *p = &y->cases.p.v[i];
        p->seen = y->site->newest;
        code = dp_proposals_add(&few, p);
        if (!p->is_order)
            *(p->state == DP_LIKELY ? &y->out->likely : &y->out->active) += 1;
    }
    if (code == DP_OK)
        code = dp_write_blocks(&y->out->text, &few, y->t->keep, NULL);
    dp_proposals_done(&few);
    return code;
}

/* ---- all together ---------------------------------------------------------------------------------------------- */

void dp_learned_count(dp_learned *out, const dp_site *s)
{
    out->labelled = out->singletons = 0;
    for (size_t i = 0; i < s->n; i++)
        out->labelled += s->cluster[i] != DP_NO_CLUSTER;
    out->clusters = s->nclusters;
    for (uint32_t k = 0; k < s->nclusters; k++)
        out->singletons += s->size[k] == 1;
    out->pairs = out->labelled - out->clusters;
}

/* What was found out about single rules and about all together, into the counts of the site. */
static void note_dropped(one_site *y, const dp_rules_dropped *s)
{
    dp_learned *out = y->out;
    uint64_t    left = 0;
    if (y->t->across)
        return;
    for (size_t i = 0; i < y->cases.p.n; i++)
        left += y->in[i];
    out->feeding = s->feeding;
    out->idle = s->idle;
    out->harmful = s->harmful;
    out->refuted = out->proposed - out->unreadable - left - s->feeding - s->idle - s->harmful;
    out->noise = y->cases.noise;
}

/* ---- from one domain to another --------------------------------------------------------------------------------- */

/* Whether some rule may: hosts are written, or anything is. */
static bool may_cross(const one_site *y)
{
    bool may = y->lead.ndomain > 1;
    for (size_t i = 0; i < y->cases.p.n && !may; i++) {
        dp_str text = y->cases.p.v[i].text;
        may = y->in[i] && (dp_str_starts(text, DP_STR("sub ")) || memmem(text.p, text.n, "//", 2));
    }
    return may;
}

static dp_err look_across(one_site *y)
{
    return may_cross(y) ? dp_across_decide(&y->cases, &y->court, &y->lead, y->t->across, y->in, y->does, &y->arena)
                        : DP_OK;
}

/* Of domains of several owners only what crosses is wanted: the rest has been there to see what that does. */
static void leave_out_own(one_site *y)
{
    if (!y->t->across)
        return;
    y->out->proposed = 0;
    for (size_t i = 0; i < y->cases.p.n; i++) {
        y->in[i] &= y->does[i];
        y->out->proposed += y->does[i];
        y->out->refuted += y->does[i] && !y->in[i];
    }
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/* Decide without the last fold and measure on it: for methods that are not asked once more, without it
 * (learn/run/held_out.h). */
static dp_err judge_without(one_site *y, uint32_t fold)
{
    uint32_t           mask = DP_ALL_FOLDS & ~(1u << fold);
    dp_rules_dropped   dropped = {0};
    dp_held_out_result held;
    DP_TRY(dp_cases_decide(&y->cases, &y->court, mask, y->in));
    DP_TRY(look_across(y));
    DP_TRY(dp_judge_together(&y->last, &y->cases, &y->court, mask, y->in, &dropped));
    DP_TRY(dp_judge_measure(&y->last, &y->cases, &y->court, fold, y->in, &held));
    y->out->held_urls = held.urls;
    y->out->held_clusters = held.clusters;
    y->out->held_fetched = held.fetched;
    y->out->held_lost = held.lost;
    y->out->held_expected = held.expected;
    return DP_OK;
}

static dp_err judge(one_site *y)
{
    dp_rules_dropped dropped = {0};
    if (y->t->method->is_dear && !y->t->across)
        DP_TRY(judge_without(y, DP_REPORT_FOLD));
    DP_TRY(dp_cases_decide(&y->cases, &y->court, DP_ALL_FOLDS, y->in));
    DP_TRY(look_across(y));
    DP_TRY(dp_judge_together(&y->last, &y->cases, &y->court, DP_ALL_FOLDS, y->in, &dropped));
    note_dropped(y, &dropped);
    return DP_OK;
}

/* Rules that a log suggests are tried on all its URLs. */
static dp_err weigh(one_site *y)
{
    dp_program g;
    if (!y->by_size)
        return DP_OK;
    DP_TRY(dp_program_make(&g, &y->cases.p, y->in, y->t->keep));
    dp_err code = dp_weigh_sizes(&y->cases.p, y->in, &(dp_weigh_task){y->site, &g.engine, g.proposal});
    dp_program_done(&g);
    return code;
}

/* The method has decided: only what no file may hold is left out. */
static dp_err take_as_said(one_site *y)
{
    bool             decides = y->t->method->decides;
    dp_rules_dropped dropped = {0};
    for (size_t i = 0; i < y->cases.p.n; i++)
        y->in[i] = y->cases.v[i].is_read && (decides || y->cases.p.v[i].passes);
    DP_TRY(look_across(y));
    DP_TRY(weigh(y));
    DP_TRY(dp_judge_feeding(&y->cases, &y->court, y->in, &dropped));
    if (y->t->ctx.accept != DP_ACCEPT_PAPER)
        DP_TRY(dp_judge_endless(&y->last, &y->cases, &y->court, y->in, &dropped));
    note_dropped(y, &dropped);
    return DP_OK;
}

static dp_err work(one_site *y)
{
    bool as_said = y->t->ctx.accept == DP_ACCEPT_PAPER || y->t->method->decides;
    DP_TRY(gather(y));
    y->out->proposed = y->cases.p.n;
    DP_TRY(as_said ? dp_cases_read(&y->cases, &y->court) : dp_cases_hear(&y->cases, &y->court));
    dp_effects_done(&y->effects);
    for (size_t i = 0; i < y->cases.p.n; i++)
        y->out->unreadable += !y->cases.v[i].is_read && !y->t->across;
    DP_TRY(as_said ? take_as_said(y) : judge(y));
    leave_out_own(y);
    if (!y->t->across && !y->by_size)
        y->out->key = dp_last_run_keys(&y->last);
    return write_rules(y);
}

dp_err dp_learn_site(dp_learned *out, const dp_site *s, const dp_learn_how *t)
{
    static const dp_ownership nobody;
    one_site y = {.site = s, .t = t, .out = out,
               .court = {.site = s, .keep = t->keep, .min_precision = t->ctx.min_precision, .trust = t->trust,
                         .pool = t->ctx.pool}};
    y.court.effects = &y.effects;
    y.court.fired = &y.fired;
    *out = (dp_learned){0};
    if (!t->across)
        dp_learned_count(out, s);
    dp_err code = dp_lead_init(&y.lead, s, t->owners ? t->owners : &nobody);
    if (code == DP_OK)
        code = label(&y);
    if (code == DP_OK)
        code = work(&y);
    dp_last_run_done(&y.last);
    dp_effects_done(&y.effects);
    dp_firings_done(&y.fired);
    dp_proposals_done(&y.cases.p);
    free(y.cases.v);
    free(y.in);
    free(y.does);
    dp_lead_done(&y.lead);
    dp_arena_done(&y.arena);
    return code;
}

void dp_learned_done(dp_learned *l)
{
    dp_buf_done(&l->text);
    dp_left_done(&l->left);
    free(l->key);
    *l = (dp_learned){0};
}
