/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/held_out.h"

#include <stdlib.h>

#include "base/fold.h"
#include "learn/sample/sample_part.h"
#include "learn/accept/run_together.h"
#include "site/fact.h"
#include "site/part.h"

enum { MOST_TIMES = 4 }; /* what was asked for that a part may have, with what collides */

/* ---- which sites ---------------------------------------------------------------------------------------------- */

typedef struct lot {
    uint64_t hash;
    uint32_t site;
} lot;

static int by_hash(const void *a, const void *b)
{
    const lot *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

static dp_err draw(dp_held_out_site *v, size_t n)
{
    lot     *lots = malloc((n + 1) * sizeof *lots);
    uint64_t all = 0, taken = 0;
    if (!lots)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        lots[i] = (lot){dp_fact_hash(v[i].name), (uint32_t)i};
        all += v[i].facts;
    }
    qsort(lots, n, sizeof *lots, by_hash);
    uint64_t most = all / DP_HELD_OUT_SHARE > DP_HELD_OUT_LEAST ? all / DP_HELD_OUT_SHARE : DP_HELD_OUT_LEAST;
    for (size_t i = 0; i < n && taken < most; i++) {
        dp_held_out_site *one = &v[lots[i].site];
        uint64_t          urls = one->facts < most ? one->facts : most;
        if (taken && 2 * taken + urls > 2 * most) /* without it they are nearer to what is wanted */
            break;
        one->urls = urls;
        taken += urls;
    }
    free(lots);
    return DP_OK;
}

dp_err dp_held_out_choose(dp_held_out_site *v, size_t n, const dp_settings *s)
{
    bool none = s->untested || s->accept != DP_ACCEPT_JUDGE || s->certify;
    for (size_t i = 0; i < n; i++)
        v[i].urls = s->relearn && !none ? UINT64_MAX : 0;
    return s->relearn || none || s->method->is_dear ? DP_OK : draw(v, n);
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

/* What a crawl by the rules of these blocks saves and loses among the clusters of the last fold. */
static dp_err measure(dp_held_out_result *out, const dp_site *s, dp_str blocks, const dp_learn_how *t)
{
    dp_program  g = {0};
    dp_together j = {0};
    double     *p = NULL;
    dp_err      code = dp_program_read(&g, blocks);
    if (code == DP_OK)
        code = (p = malloc((g.rules->nrule + 1) * sizeof *p)) ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; code == DP_OK && i < g.rules->nrule; i++)
        p[i] = dp_rule_number(g.rules->rule[i], "p", 1);
    if (code == DP_OK)
        code =
            dp_together_run(&j, &(dp_together_task){.program = &g, .site = s, .kinds = t->trust, .pool = t->ctx.pool});
    if (code == DP_OK)
        code = dp_together_measure(&j, DP_REPORT_FOLD, p, out);
    dp_together_done(&j);
    dp_program_done(&g);
    free(p);
    return code;
}

static void note(dp_learned *out, uint64_t urls, const dp_held_out_result *held)
{
    out->relearned = urls;
    out->held_urls = held->urls;
    out->held_clusters = held->clusters;
    out->held_fetched = held->fetched;
    out->held_lost = held->lost;
    out->held_expected = held->expected;
}

dp_err dp_held_out_measure(dp_learned *out, const dp_site *s, const dp_learn_how *t)
{
    dp_held_out_result held = {0};
    DP_TRY(measure(&held, s, dp_buf_view(&out->text), t));
    note(out, s->n, &held);
    return DP_OK;
}

/* ---- one site -------------------------------------------------------------------------------------------------- */

/* What the site tells others when it knows no more than `known`, malloc'd. */
static dp_err survey(void **out, const dp_site *known, const dp_learn_how *t)
{
    dp_learn_context ctx = t->ctx;
    ctx.folds = DP_ALL_FOLDS & ~(1u << DP_REPORT_FOLD);
    if (!(*out = calloc(1, t->method->shared_size)))
        return DP_ENOMEM;
    return t->method->survey(*out, known, t->options, &ctx);
}

dp_err dp_held_out_learn(dp_learned *out, const dp_site *known, const dp_site *s, const dp_learn_how *t, bool linked)
{
    const dp_method *m = t->method;
    dp_learn_how     again = *t;
    void            *all = NULL, *own = NULL, *old = NULL;
    dp_err           code = DP_OK;
    if (t->ctx.shared && !linked) {
        code = (all = malloc(m->shared_size)) ? survey(&own, known, t) : DP_ENOMEM;
        if (code == DP_OK && !t->ctx.own)
            code = survey(&old, s, t);
        if (code == DP_OK) {
            memcpy(all, t->ctx.shared, m->shared_size);
            m->leave_out(all, t->ctx.own ? t->ctx.own : old);
            m->combine(all, own);
        }
    }
    again.ctx.shared = all;
    again.ctx.own = own;
    if (code == DP_OK)
        code = dp_learn_site(out, known, &again);
    free(all);
    free(own);
    free(old);
    return code;
}

static bool has_hidden(const dp_site *s)
{
    for (uint32_t c = 0; c < s->nclusters; c++) {
        if (s->fold[c] == DP_REPORT_FOLD)
            return true;
    }
    return false;
}

static dp_err relearn(dp_held_out_result *out, const dp_site *part, const dp_site *s, const dp_learn_how *t,
                      bool linked)
{
    dp_arena   a = {0};
    dp_site    known;
    dp_learned l = {0};
    dp_err     code = dp_site_without(&known, part, 1u << DP_REPORT_FOLD | 1u << DP_ONLOOKERS, &a);
    if (code == DP_OK)
        code = dp_held_out_learn(&l, &known, s, t, linked);
    if (code == DP_OK)
        code = measure(out, part, dp_buf_view(&l.text), t);
    dp_learned_done(&l);
    dp_arena_done(&a);
    return code;
}

/* A part of about so many URLs. Where nearly all collide with each other, it is drawn once more, smaller. */
static dp_err draw_part(dp_site *out, const dp_site *s, uint64_t urls, dp_arena *a)
{
    DP_TRY(dp_sample_part_held_out(out, s, urls, a));
    return out->n > MOST_TIMES * urls ? dp_sample_part_held_out(out, s, urls * urls / out->n, a) : DP_OK;
}

dp_err dp_held_out_run(dp_learned *out, const dp_site *s, const dp_learn_how *t, bool linked)
{
    dp_arena           a = {0};
    dp_site            part = *s;
    dp_held_out_result held = {0};
    dp_err             code = t->relearn < s->n ? draw_part(&part, s, t->relearn, &a) : DP_OK;
    if (code == DP_OK && has_hidden(&part))
        code = relearn(&held, &part, s, t, linked);
    note(out, part.n, &held);
    dp_arena_done(&a);
    return code;
}
