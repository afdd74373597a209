/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/sinks.h"

#include <stdlib.h>

#include "base/fold.h"
#include "base/room.h"
#include "learn/auto/propose/sink.h"
#include "learn/auto/rounds/round.h"
#include "learn/auto/thresholds.h"
#include "learn/auto/vote/guard.h"

/* Expected precision after so many draws, all of one page. What other rules have taught of those that fail says nothing
 * of forms: these may show the page with any share. */
static double precision(const dp_rounds *r, double drawn, unsigned depth)
{
    const dp_trust any = {.noise = r->trust.noise, .a = 1, .b = 1};
    dp_poll p = {.pos = drawn > 1 ? drawn - 1 : 0, .family = DP_FAMILY_FORGET, .prior = DP_SINK_PRIOR};
    return dp_trust_precision(&any, &p, depth);
}

/* Draws without which no form is believed. */
static uint32_t least_draws(const dp_rounds *r)
{
    uint32_t n = DP_SINK_LEAST;
    while (n < DP_SINK_MOST && precision(r, n, 0) < r->ctx->min_precision)
        n++;
    return n;
}

static dp_err take(dp_rounds *r, dp_ballot *b, const dp_idea *idea, size_t i, const dp_taken *one)
{
    dp_taken t = *one;
    t.hosts = dp_hosts_for(&r->hosts, b, i, false, r->arena);
    for (int k = 0; k < 2; k++)
        t.text[k] = dp_arena_str(r->arena, idea->text[k]);
    if (!t.hosts.p || !t.text[0].p || !t.text[1].p || !DP_ROOM(r->v, r->n, r->cap))
        return DP_ENOMEM;
    if (!t.hosts.n)
        return DP_OK;
    bool ok;
    r->v[r->n++] = t;
    DP_TRY(dp_loops_add(&r->loops, r->v, r->n, &ok));
    if (ok)
        dp_ballot_take(b, i);
    else
        r->n--;
    return DP_OK;
}

/* Whether all that the idea brings together shows one page, in more URLs than one. */
static bool is_pure(const dp_count *c)
{
    return c->good > 0 && c->bad == 0 && c->neg == 0;
}

static dp_err choose(dp_rounds *r, dp_ballot *b, const dp_ideas *ideas)
{
    for (size_t i = 0; i < ideas->n; i++) {
        const dp_idea *idea = &ideas->v[i];
        dp_count       c = dp_ballot_count(b, i, DP_ALL_FOLDS);
        uint32_t       found;
        if (!is_pure(&c) || dp_intern_find(&r->banned, idea->text[0], &found))
            continue;
        dp_guarding guarding = dp_guard_ask(b, i, r->o.allowed);
        if (guarding.factor < 0)
            return DP_ENOMEM;
        dp_taken t = {.count = c, .p = precision(r, idea->drawn / guarding.factor, idea->depth), .tier = idea->tier,
                      .family = idea->family, .depth = idea->depth, .factor = guarding.factor, .guards = guarding.by,
                      .drawn = idea->drawn};
        if (t.p >= r->ctx->min_precision)
            DP_TRY(take(r, b, idea, i, &t));
    }
    return DP_OK;
}

dp_err dp_sinks_accept(dp_rounds *r)
{
    dp_ideas  ideas = {0};
    dp_ballot ballot = {0};
    dp_err    code = dp_sinks_propose(&ideas, &r->forms, least_draws(r));
    if (code == DP_OK && ideas.n)
        code = dp_round_identify(r);
    if (code == DP_OK && ideas.n) {
        code = dp_ballot_init(&ballot, &r->forms, ideas.v, ideas.n, NULL, r->ctx->pool);
        if (code == DP_OK)
            code = choose(r, &ballot, &ideas);
        dp_ballot_done(&ballot);
    }
    dp_ideas_done(&ideas);
    return code;
}
