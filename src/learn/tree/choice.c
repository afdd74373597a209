/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/choice.h"

#include <stdlib.h>

#include "apply/feedback.h"
#include "base/ordinal.h"

enum {
    FEW = 100000,        /* effects of rules that are kept */
    FEEDBACK = 32,       /* rounds of taking out rules that feed themselves */
    COMPANY = 16384,     /* URLs, about, that rules are run on together */
    CHUNK = 4096         /* of a task */
};

#define NO_PRECISION 0.5 /* a rule that is wrong more often is not worth a judge's time */

/* ---- which are kept ------------------------------------------------------------------------------------------- */

static uint64_t effect(const dp_member *m)
{
    return dp_tree_mix(m->key, m->item);
}

static int by_width(const void *p, const void *q)
{
    const dp_tree_candidate *a = *(dp_tree_candidate *const *)p, *b = *(dp_tree_candidate *const *)q;
    if (a->sure != b->sure)
        return a->sure ? -1 : 1;
    if (a->passes != b->passes)
        return a->passes ? -1 : 1;
    if (a->covered != b->covered)
        return a->covered > b->covered ? -1 : 1;
    if (a->text.n != b->text.n)
        return a->text.n < b->text.n ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

/* Keep those of w[0 .. n), which do so much together, that do something new when the wider ones are taken first. */
static dp_err keep_new(dp_tree_candidate **w, size_t n, size_t effects, uint32_t coverage)
{
    dp_ordinals done = {0}; /* effects of kept rules */
    /* Of many that are tried, few may be kept. */
    dp_err      code = dp_index_reserve(&done.index, effects < FEW ? effects : FEW) ? DP_OK : DP_ENOMEM;
    uint32_t    any;
    bool        fresh;
    if (n)
        qsort(w, n, sizeof *w, by_width);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        uint64_t new = 0;
        for (size_t k = 0; k < w[i]->did.n && new < coverage; k++)
            new += !dp_ordinals_find(&done, effect(&w[i]->did.v[k]), &any);
        if (new < coverage)
            continue;
        w[i]->kept = true;
        for (size_t k = 0; k < w[i]->did.n && code == DP_OK; k++)
            code = dp_ordinals_add(&done, effect(&w[i]->did.v[k]), &any, &fresh);
    }
    dp_ordinals_done(&done);
    return code;
}

static dp_err keep_worthy(dp_tree_candidates *v, const dp_tree_options *o)
{
    uint32_t            coverage = o->coverage;
    dp_tree_candidate **w = malloc(((size_t)v->n + 1) * sizeof *w);
    size_t              n = 0, effects = 0;
    if (!w)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < v->n; i++) {
        dp_tree_candidate *x = &v->v[i];
        if (!x->did.n || x->covered < coverage || (!x->passes && dp_tree_precision(x) < NO_PRECISION))
            continue;
        w[n++] = x;
        effects += x->did.n;
        x->kept = o->unpruned;
    }
    dp_err code = o->unpruned ? DP_OK : keep_new(w, n, effects, coverage);
    free(w);
    return code;
}

/* ---- order, and rules that feed themselves ------------------------------------------------------------------- */

static int by_priority(const void *p, const void *q)
{
    const dp_tree_candidate *a = p, *b = q;
    if (a->kept != b->kept)
        return a->kept ? -1 : 1;
    if (a->sure != b->sure)
        return a->sure ? -1 : 1;
    if (a->save != b->save)
        return a->save > b->save ? -1 : 1;
    double x = dp_tree_precision(a), y = dp_tree_precision(b);
    if (x < y || x > y)
        return x > y ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

static bool is_kept(const dp_tree_candidate *x)
{
    return x->kept;
}

/* Rules found to feed themselves. */
typedef struct feedback {
    dp_tree_candidates   *v;
    const dp_tree_engine *g;
    uint32_t              last;  /* of them the last by priority, + 1 */
    bool                  rises; /* some does not fall, and is dropped */
} feedback;

static int note_feeding(void *ctx, const dp_rule *r, dp_str run)
{
    feedback *f = ctx;
    (void)run;
    for (size_t i = 0; i < f->g->n; i++) {
        if (f->g->rules->rule[i] != r)
            continue;
        dp_tree_candidate *x = &f->v->v[f->g->candidate[i]];
        if (!x->falls) {
            x->kept = false;
            f->rises = true;
        }
        if (f->g->candidate[i] + 1 > f->last)
            f->last = f->g->candidate[i] + 1;
    }
    return 0;
}

/* A rule that fires twice in the run of its own witness may do so because of another: those that do not lower a URL
 * (learn/phrase/phrase.h) go first, then one at a time, the last by priority. What still feeds itself after many rounds
 * is left for the file's writer. */
static dp_err drop_feedback(dp_tree_trial *t)
{
    dp_str host = t->court->p->host[t->of.host];
    for (int round = 0; round < FEEDBACK; round++) {
        dp_tree_engine g;
        DP_TRY(dp_tree_engine_make(&g, &t->v, host, is_kept));
        feedback f = {.v = &t->v, .g = &g};
        dp_err   code = dp_feedback_find(&g.e, g.rules, note_feeding, &f);
        dp_tree_engine_done(&g);
        if (code != DP_OK || !f.last)
            return code;
        if (!f.rises)
            t->v.v[f.last - 1].kept = false;
    }
    return DP_OK;
}

/* ---- rules that do nothing in company ------------------------------------------------------------------------- */

/* Rules run together on some URLs of the host. */
typedef struct company {
    const dp_str         *url;  /* of the site */
    const dp_tree_engine *g;
    const uint32_t       *item;
    size_t                n, step; /* every step-th of n */
    unsigned              threads;
    dp_scratch          **scratch; /* [threads] */
    uint64_t            **fired;   /* [threads][rules] URLs */
} company;

static dp_err run_chunk(void *ctx, size_t i, unsigned worker)
{
    company *y = ctx;
    size_t   from = i * CHUNK, to = from + CHUNK < y->n / y->step ? from + CHUNK : y->n / y->step;
    if (!y->scratch[worker])
        DP_TRY(dp_scratch_new(&y->scratch[worker]));
    if (!y->fired[worker] && !(y->fired[worker] = calloc(y->g->n + 1, sizeof **y->fired)))
        return DP_ENOMEM;
    for (size_t k = from; k < to; k++) {
        size_t n;
        dp_str key = dp_engine_run(&y->g->e, y->scratch[worker], DP_KEY, y->url[y->item[k * y->step]], NULL, NULL);
        if (!key.p)
            return DP_ENOMEM;
        const uint32_t *fired = dp_scratch_fired(y->scratch[worker], &n);
        for (size_t r = 0; r < n; r++)
            y->fired[worker][fired[r]]++;
    }
    return DP_OK;
}

static dp_err run_company(company *y, dp_pool *pool)
{
    y->scratch = calloc(y->threads, sizeof *y->scratch);
    y->fired = calloc(y->threads, sizeof *y->fired);
    if (!y->scratch || !y->fired)
        return DP_ENOMEM;
    return dp_pool_run(pool, (y->n / y->step + CHUNK - 1) / CHUNK, run_chunk, y);
}

static uint64_t fired_in(const company *y, size_t rule)
{
    uint64_t fired = 0;
    for (unsigned t = 0; t < y->threads; t++)
        fired += y->fired[t] ? y->fired[t][rule] : 0;
    return fired * y->step;
}

static void company_done(company *y)
{
    for (unsigned t = 0; t < y->threads; t++) {
        if (y->scratch)
            dp_scratch_free(y->scratch[t]);
        if (y->fired)
            free(y->fired[t]);
    }
    free(y->scratch);
    free(y->fired);
}

static void drop_failed(dp_tree_candidates *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i].kept &= v->v[i].passes;
}

/* Rules that pass, in their order, on the URLs of the host, a part of them where they are many: one that comes to fewer
 * than it must cover has its work done by those before it. */
static dp_err drop_idle(dp_tree_trial *t)
{
    const dp_tree_court *c = t->court;
    dp_tree_engine       g;
    DP_TRY(dp_tree_engine_make(&g, &t->v, c->p->host[t->of.host], is_kept));
    company y = {.url = c->s->url, .g = &g, .threads = dp_pool_threads(t->pool)};
    y.item = dp_tree_court_items(c, t->of.host, &y.n);
    y.step = y.n / COMPANY + 1;
    dp_err code = run_company(&y, t->pool);
    for (size_t i = 0; i < g.n && code == DP_OK; i++)
        t->v.v[g.candidate[i]].kept = fired_in(&y, i) >= c->o->coverage;
    company_done(&y);
    dp_tree_engine_done(&g);
    return code;
}

dp_err dp_tree_choose(dp_tree_trial *t)
{
    const dp_tree_options *o = t->court->o;
    DP_TRY(keep_worthy(&t->v, o));
    if (t->v.n)
        qsort(t->v.v, t->v.n, sizeof *t->v.v, by_priority);
    DP_TRY(drop_feedback(t));
    if (t->court->ctx->accept != DP_ACCEPT_PAPER)
        return DP_OK;
    drop_failed(&t->v);
    return o->unpruned ? DP_OK : drop_idle(t);
}
