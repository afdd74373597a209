/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/trail.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "base/secret.h"

#define NO_RULE UINT32_MAX

typedef struct walk {
    dp_trail        *out;
    const dp_engine *engine;
    const dp_rules  *rules;
    dp_ordinals      forms, known; /* known: rules with forms */
    uint32_t         item, at;     /* the URL, and the form where it is now */
    uint32_t         rule;         /* that has brought it there; NO_RULE */
    uint32_t         from;         /* where that rule found it */
    dp_err           code;
} walk;

void dp_trail_done(dp_trail *r)
{
    free(r->hash);
    free(r->item);
    free(r->start);
    free(r->step);
    *r = (dp_trail){0};
}

/* The number of a form, new or not. */
static dp_err reach(walk *w, dp_str text, uint32_t *number)
{
    dp_trail *out = w->out;
    bool      fresh;
    uint32_t  cap = out->cap;
    if (!DP_ROOM(out->item, out->n, cap) || !DP_ROOM(out->hash, out->n, out->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&w->forms, dp_secret_text(text), number, &fresh));
    if (fresh) {
        out->item[out->n] = DP_NO_URL;
        out->hash[out->n++] = dp_hash_str(text);
    }
    return DP_OK;
}

static dp_err push(dp_trail *out, dp_trail_step step)
{
    if (!DP_ROOM(out->step, out->nstep, out->step_cap))
        return DP_ENOMEM;
    out->step[out->nstep++] = step;
    return DP_OK;
}

static dp_err note(walk *w, uint32_t rule, uint32_t from, uint32_t to)
{
    uint32_t number;
    bool     fresh;
    DP_TRY(dp_ordinals_add(&w->known, dp_hash_mix((uint64_t)rule << 32 | from), &number, &fresh));
    return fresh ? push(w->out, (dp_trail_step){rule, w->item, from, to}) : DP_OK;
}

/* What one rule does in several firings, one behind the other, is one step. */
static dp_err end_step(walk *w)
{
    return w->rule == NO_RULE ? DP_OK : note(w, w->rule, w->from, w->at);
}

static bool follow(void *ctx, uint32_t rule, dp_str text)
{
    walk *w = ctx;
    if (rule != w->rule) {
        w->code = end_step(w);
        w->from = w->at;
        w->rule = rule;
    }
    if (w->code == DP_OK)
        w->code = reach(w, text, &w->at);
    return w->code == DP_OK;
}

static void try_likely(void *ctx, uint32_t rule, dp_str text)
{
    walk    *w = ctx;
    uint32_t to;
    if (w->code != DP_OK || dp_rule_state(w->rules->rule[rule]) != DP_LIKELY)
        return;
    w->code = reach(w, text, &to);
    if (w->code == DP_OK)
        w->code = note(w, rule, w->at, to);
}

/* One URL, from its stage-0 form on. */
static dp_err walk_url(walk *w, const dp_engine *active, dp_scratch *s, dp_str url)
{
    dp_str form = dp_engine_run(active, s, DP_STAGE0, url, NULL, NULL);
    if (!form.p)
        return DP_ENOMEM;
    DP_TRY(reach(w, form, &w->at));
    uint32_t start = w->at;
    w->out->start[w->item] = start;
    if (w->out->item[start] == DP_NO_URL)
        w->out->item[start] = w->item;
    w->rule = NO_RULE;
    if (!dp_engine_run(active, s, DP_KEY, url, follow, w).p)
        return DP_ENOMEM;
    DP_TRY(w->code);
    if (!dp_scratch_hit_limit(s))
        DP_TRY(end_step(w));
    w->at = start;
    if (w->engine->choice.with_likely && !dp_engine_each(w->engine, s, url, try_likely, w).p)
        return DP_ENOMEM;
    return w->code;
}

/* ---- where rules meet ------------------------------------------------------------------------------------------ */

static int by_end(const void *a, const void *b)
{
    const dp_trail_step *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* Several rules make one form that no URL has: what another brings there is for each as if it had been there. */
static dp_err add_meetings(dp_trail *out)
{
    size_t n = out->nstep;
    if (n)
        qsort(out->step, n, sizeof *out->step, by_end);
    for (size_t i = 0, end; i < n; i = end) {
        uint32_t to = out->step[i].to, rule = out->step[i].rule;
        size_t   other = n;
        for (end = i; end < n && out->step[end].to == to; end++) {
            if (other == n && out->step[end].rule != rule)
                other = end;
        }
        if (other == n || out->item[to] != DP_NO_URL)
            continue;
        for (size_t k = i; k < end; k++) {
            if (k > i && out->step[k].rule == out->step[k - 1].rule)
                continue;
            dp_trail_step met = out->step[out->step[k].rule == rule ? other : i];
            met.rule = out->step[k].rule;
            DP_TRY(push(out, met));
        }
    }
    out->nmeet = out->nstep - n;
    out->nstep = n;
    return DP_OK;
}

dp_err dp_trail_make(dp_trail *out, const dp_engine *e, const dp_rules *rules, const dp_truth *t)
{
    walk        w = {.out = out, .engine = e, .rules = rules};
    dp_engine   active = *e;
    dp_scratch *s = NULL;
    active.choice.with_likely = false;
    *out = (dp_trail){.start = calloc(t->n + 1u, sizeof *out->start)};
    dp_err code = out->start ? dp_scratch_new(&s) : DP_ENOMEM;
    for (w.item = 0; code == DP_OK && w.item < t->n; w.item++) {
        dp_str url = dp_truth_text(t, w.item);
        if (url.p)
            code = walk_url(&w, &active, s, url);
    }
    if (code == DP_OK)
        code = add_meetings(out);
    dp_scratch_free(s);
    dp_ordinals_done(&w.forms);
    dp_ordinals_done(&w.known);
    return code;
}
