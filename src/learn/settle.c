/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/settle.h"

#include <stdlib.h>

#include "apply/feedback.h"
#include "learn/write.h"

enum { ROUNDS = 3, HALVINGS = 20 };

/* Active rules and order lines alone: likely ones do not fire unless asked. */
static uint8_t *active_of(const dp_cases *c, const uint8_t *in)
{
    uint8_t *out = malloc(c->p.n + 1);
    for (size_t i = 0; out && i < c->p.n; i++)
        out[i] = in[i] && (c->p.v[i].state == DP_ACTIVE || dp_proposal_is_order(&c->p.v[i]));
    return out;
}

static dp_err make_active(dp_program *out, const dp_cases *c, const dp_court *court, const uint8_t *in)
{
    uint8_t *active = active_of(c, in);
    dp_err   code = active ? dp_program_make(out, &c->p, active, court->keep) : DP_ENOMEM;
    free(active);
    return code;
}

/* ---- rules that feed themselves ------------------------------------------------------------------------- */

typedef struct flagged {
    const dp_cases *c;
    uint32_t       *v; /* cases */
    size_t          n, cap;
    dp_program     *g;
    bool            failed;
} flagged;

static int note(void *ctx, const dp_rule *r, dp_str run)
{
    flagged *f = ctx;
    (void)run;
    /* Rules stand in line order: find the number of this one by its line. */
    size_t low = 0, high = f->g->rules->nrule;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (f->g->rules->rule[mid]->line < r->line)
            low = mid + 1;
        else
            high = mid;
    }
    if (f->n == f->cap) {
        size_t    cap = f->cap ? 2 * f->cap : 64;
        uint32_t *v = realloc(f->v, cap * sizeof *v);
        if (!v) {
            f->failed = true;
            return 1;
        }
        f->v = v;
        f->cap = cap;
    }
    f->v[f->n++] = f->g->proposal[low];
    return 0;
}

/* The least certain first, likely rules before all; of equal ones that of fewer clusters, then the later. */
static int by_doubt(const void *a, const void *b, void *cases)
{
    const dp_cases    *c = cases;
    uint32_t           x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const dp_proposal *p = &c->p.v[x], *q = &c->p.v[y];
    if (p->state != q->state)
        return p->state == DP_LIKELY ? -1 : 1;
    if (p->p != q->p)
        return p->p < q->p ? -1 : 1;
    if (p->n != q->n)
        return p->n < q->n ? -1 : 1;
    return x > y ? -1 : x < y;
}

/* Of rules that run in a circle not all must go: the more doubtful half is dropped, and the rest asked again. */
dp_err dp_settle_feeding(dp_cases *c, const dp_court *court, uint8_t *in, dp_settlement *out)
{
    dp_err code = DP_OK;
    for (int round = 0; round < HALVINGS && code == DP_OK; round++) {
        dp_program g;
        DP_TRY(dp_program_make(&g, &c->p, in, court->keep));
        flagged f = {.c = c, .g = &g};
        code = dp_feedback_find(&g.engine, g.rules, note, &f);
        code = f.failed ? DP_ENOMEM : code;
        size_t drop = round + 1 < HALVINGS ? (f.n + 1) / 2 : f.n;
        if (code == DP_OK && f.n)
            qsort_r(f.v, f.n, sizeof *f.v, by_doubt, c);
        for (size_t i = 0; i < drop && code == DP_OK; i++)
            in[f.v[i]] = 0;
        out->feeding += drop;
        bool done = f.n == 0;
        free(f.v);
        dp_program_done(&g);
        if (done)
            break;
    }
    return code;
}

/* ---- together -------------------------------------------------------------------------------------------------- */

/* What each rule of a program promises. */
static double *promises(const dp_cases *c, const dp_program *g)
{
    double *p = malloc((g->rules->nrule + 1) * sizeof *p);
    for (size_t i = 0; p && i < g->rules->nrule; i++)
        p[i] = c->p.v[g->proposal[i]].p;
    return p;
}

/* Kinds of evidence that at least one in twenty of the merges rest on. */
static unsigned kinds_of(const dp_joint_rule *r)
{
    unsigned by = 0;
    for (int k = 0; k < DP_BYS; k++)
        by |= r->kind[k] && r->kind[k] * 20 >= r->good ? 1u << k : 0;
    return by;
}

/* Drop the idle and the harmful; says whether a harmful one was among them. */
static bool drop_some(dp_cases *c, const dp_court *court, const dp_program *g, const dp_joint_rule *did, uint8_t *in,
                      dp_settlement *out)
{
    bool harm = false;
    for (size_t i = 0; i < g->rules->nrule; i++) {
        uint32_t k = g->proposal[i];
        double   good = (double)did[i].good, bad = (double)did[i].bad, wrong = bad - c->noise * (good + bad);
        bool     pays = dp_bound_pays(good, wrong > 0 ? wrong : 0, dp_court_kappa(court));
        if (did[i].good && pays) {
            c->p.v[k].by = kinds_of(&did[i]);
            continue;
        }
        in[k] = 0;
        harm |= did[i].bad > 0;
        *(did[i].bad ? &out->harmful : &out->idle) += 1;
    }
    return harm;
}

static dp_err settle_once(dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in, dp_settlement *out,
                          bool *harm)
{
    dp_program     g;
    dp_joint       j = {0};
    DP_TRY(make_active(&g, c, court, in));
    double        *p = promises(c, &g);
    dp_joint_rule *did = malloc((g.rules->nrule + 1) * sizeof *did);
    dp_err         code = p && did ? DP_OK : DP_ENOMEM;
    *harm = false;
    if (code == DP_OK && g.rules->nrule) {
        code = dp_joint_run(&j, &g, court->site, court->trust, court->pool);
        if (code == DP_OK)
            code = dp_joint_count(&j, mask, p, did, g.rules->nrule);
        if (code == DP_OK)
            *harm = drop_some(c, court, &g, did, in, out);
    }
    dp_joint_done(&j);
    free(p);
    free(did);
    dp_program_done(&g);
    return code;
}

dp_err dp_settle(dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in, dp_settlement *out)
{
    bool harm = true;
    DP_TRY(dp_settle_feeding(c, court, in, out));
    for (int round = 0; round < ROUNDS && harm; round++)
        DP_TRY(settle_once(c, court, mask, in, out, &harm));
    return dp_settle_feeding(c, court, in, out); /* a rule may have been kept from it by one that is gone */
}

dp_err dp_settle_measure(const dp_cases *c, const dp_court *court, uint32_t fold, const uint8_t *in, dp_held_out *out)
{
    dp_program g;
    dp_joint   j = {0};
    DP_TRY(make_active(&g, c, court, in));
    double *p = promises(c, &g);
    dp_err  code = p ? dp_joint_run(&j, &g, court->site, court->trust, court->pool) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_joint_measure(&j, fold, p, out);
    dp_joint_done(&j);
    free(p);
    dp_program_done(&g);
    return code;
}
