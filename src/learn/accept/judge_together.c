/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/judge_together.h"

#include <stdlib.h>

#include "apply/feedback.h"
#include "base/order.h"
#include "base/room.h"
#include "learn/accept/known_firings.h"
#include "learn/accept/write.h"

enum { ROUNDS = 3, HALVINGS = 20 };

/* Active rules and order lines alone: likely ones do not fire unless asked. */
static uint8_t *active_of(const dp_cases *c, const uint8_t *in)
{
    uint8_t *out = malloc(c->p.n + 1);
    for (size_t i = 0; out && i < c->p.n; i++)
        out[i] = in[i] && (c->p.v[i].state == DP_ACTIVE || c->p.v[i].is_order);
    return out;
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
    size_t i;
    DP_BISECT(i, f->g->rules->nrule, f->g->rules->rule[i]->line < r->line);
    if (!DP_ROOM(f->v, f->n, f->cap)) {
        f->failed = true;
        return 1;
    }
    f->v[f->n++] = f->g->proposal[i];
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
dp_err dp_judge_feeding(dp_cases *c, const dp_court *court, uint8_t *in, dp_rules_dropped *out)
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

void dp_last_run_done(dp_last_run *t)
{
    dp_program_done(&t->program);
    dp_together_done(&t->together);
    free(t->p);
    free(t->did);
    free(t->active);
    *t = (dp_last_run){0};
}

uint64_t *dp_last_run_keys(dp_last_run *t)
{
    uint64_t *key = t->together.nendless ? NULL : t->together.key;
    if (key)
        t->together.key = NULL;
    return key;
}

/* Whether the last run is that of the rules in `active`, but for some that never fired. What fires without an end is
 * not among those that fired. */
static bool still_stands(const dp_last_run *t, const dp_cases *c, const uint8_t *active)
{
    bool differ = !t->active || t->together.nendless;
    for (size_t i = 0; i < c->p.n && !differ; i++)
        differ = active[i] > t->active[i] || (active[i] < t->active[i] && c->p.v[i].is_order);
    for (size_t i = 0; !differ && i < t->program.rules->nrule; i++)
        differ = !active[t->program.proposal[i]] && t->did[i].fired;
    return !differ;
}

/* What the learner saw these rules do, unless there are lines that it did not know of. */
static dp_err recall(dp_together_task *t, const dp_cases *c, const dp_court *court)
{
    if (!court->fired || court->keep.n)
        return DP_OK;
    DP_TRY(dp_known_firings(court->fired, t->program, &c->p, court->site));
    t->known = court->fired->key ? court->fired : NULL;
    return DP_OK;
}

/* Run the active rules of those that are in together, and count on all folds who fires. */
static dp_err run(dp_last_run *t, const dp_cases *c, const dp_court *court, uint8_t *active)
{
    dp_last_run new = {.active = active};
    dp_err      code = dp_program_make(&new.program, &c->p, active, court->keep);
    if (code == DP_OK) {
        size_t n = new.program.rules->nrule;
        new.p = malloc((n + 1) * sizeof *new.p);
        new.did = malloc((n + 1) * sizeof *new.did);
        dp_together_task task = {&new.program, court->site, court->trust, court->pool, NULL};
        code = !new.p || !new.did ? DP_ENOMEM : recall(&task, c, court);
        if (code == DP_OK)
            code = dp_together_run(&new.together, &task);
        if (court->fired)
            dp_firings_done(court->fired); /* the next to run are other rules */
        if (code == DP_OK)
            memset(new.did, 0, (n + 1) * sizeof *new.did);
        for (size_t i = 0; code == DP_OK && i < new.together.at[court->site->n]; i++)
            new.did[new.together.fired[i]].fired++;
    }
    dp_last_run_done(t);
    *t = new;
    return code;
}

/* Have a run of the active rules that are in. */
static dp_err have_run(dp_last_run *t, const dp_cases *c, const dp_court *court, const uint8_t *in)
{
    uint8_t *active = active_of(c, in);
    if (!active)
        return DP_ENOMEM;
    if (still_stands(t, c, active))
        free(active);
    else
        DP_TRY(run(t, c, court, active));
    for (size_t i = 0; i < t->program.rules->nrule; i++)
        t->p[i] = c->p.v[t->program.proposal[i]].p;
    return DP_OK;
}

/* Count, for each rule of the program, how often it fires on URLs without an end once it has become clear that there
 * is none. */
static dp_err count_endless(const dp_last_run *t, uint32_t *often)
{
    dp_scratch *s;
    DP_TRY(dp_scratch_new(&s));
    dp_err code = DP_OK;
    for (size_t i = 0; i < t->together.nendless && code == DP_OK; i++) {
        dp_str url = t->together.site->url[t->together.endless[i]];
        code = dp_engine_run(&t->program.engine, s, DP_KEY, url, NULL, NULL).p ? DP_OK : DP_ENOMEM;
        for (size_t k = s->nfired / 2; k < s->nfired && code == DP_OK; k++)
            often[s->fired[k]]++;
    }
    dp_scratch_free(s);
    return code;
}

/* Of rules that find no end on some URL of the site the more doubtful half is dropped, until there are none: rules may
 * lead each other in a circle, or grow a URL, in ways that no rule shows by itself. */
dp_err dp_judge_endless(dp_last_run *t, dp_cases *c, const dp_court *court, uint8_t *in, dp_rules_dropped *out)
{
    DP_TRY(have_run(t, c, court, in));
    while (t->together.nendless) {
        size_t    n = t->program.rules->nrule, m = 0;
        uint32_t *often = calloc(n + 1, sizeof *often), *v = malloc((n + 1) * sizeof *v);
        dp_err    code = often && v ? count_endless(t, often) : DP_ENOMEM;
        for (size_t i = 0; i < n && code == DP_OK; i++)
            if (often[i] && in[t->program.proposal[i]])
                v[m++] = t->program.proposal[i];
        if (code == DP_OK && m)
            qsort_r(v, m, sizeof *v, by_doubt, c);
        for (size_t i = 0; i < (m + 1) / 2 && code == DP_OK; i++)
            in[v[i]] = 0;
        out->feeding += (m + 1) / 2;
        free(often);
        free(v);
        DP_TRY(code);
        if (!m)
            break;
        DP_TRY(have_run(t, c, court, in));
    }
    return DP_OK;
}

/* Kinds of evidence that at least one in twenty of the merges rest on. */
static unsigned kinds_of(const dp_together_rule *r)
{
    unsigned by = 0;
    for (int k = 0; k < DP_BYS; k++)
        by |= r->kind[k] && r->kind[k] * 20 >= r->good ? 1u << k : 0;
    return by;
}

/* Drop the idle and the harmful; says whether a harmful one was among them. */
static bool drop_some(const dp_last_run *t, const dp_together_rule *did, dp_cases *c, const dp_court *court,
                      uint8_t *in, dp_rules_dropped *out)
{
    bool harm = false;
    for (size_t i = 0; i < t->program.rules->nrule; i++) {
        uint32_t k = t->program.proposal[i];
        double   good = (double)did[i].good, bad = (double)did[i].bad, wrong = bad - c->noise * (good + bad);
        if (!in[k])
            continue;
        if (did[i].good && dp_bound_pays(good, wrong > 0 ? wrong : 0, dp_court_kappa(court))) {
            c->p.v[k].by = kinds_of(&did[i]);
            continue;
        }
        in[k] = 0;
        harm |= did[i].bad > 0;
        *(did[i].bad ? &out->harmful : &out->idle) += 1;
    }
    return harm;
}

dp_err dp_judge_together(dp_last_run *t, dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in,
                         dp_rules_dropped *out)
{
    bool harm = true;
    DP_TRY(dp_judge_feeding(c, court, in, out));
    DP_TRY(dp_judge_endless(t, c, court, in, out));
    for (int round = 0; round < ROUNDS && harm; round++) {
        DP_TRY(have_run(t, c, court, in));
        size_t            n = t->program.rules->nrule;
        dp_together_rule *did = malloc((n + 1) * sizeof *did);
        dp_err            code = did ? dp_together_count(&t->together, mask, t->p, did, n) : DP_ENOMEM;
        harm = code == DP_OK && drop_some(t, did, c, court, in, out);
        free(did);
        DP_TRY(code);
    }
    /* A rule may have been kept from it by one that is gone. */
    DP_TRY(dp_judge_feeding(c, court, in, out));
    return dp_judge_endless(t, c, court, in, out);
}

dp_err dp_judge_measure(dp_last_run *t, const dp_cases *c, const dp_court *court, uint32_t fold, const uint8_t *in,
                         dp_held_out_result *out)
{
    DP_TRY(have_run(t, c, court, in));
    return dp_together_measure(&t->together, fold, t->p, out);
}
