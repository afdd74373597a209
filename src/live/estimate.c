/* SPDX-License-Identifier: Apache-2.0 */
#include "live/estimate.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "base/secret.h"
#include "url/split.h"

typedef struct counting {
    dp_ordinals urls;
    dp_intern   hosts;
    uint64_t   *of; /* [hosts.n] URLs of each */
    size_t      cap;
} counting;

static dp_err count_url(counting *c, dp_str url)
{
    dp_split parts;
    uint32_t number;
    bool     fresh;
    DP_TRY(dp_ordinals_add(&c->urls, dp_secret_text(url), &number, &fresh));
    if (!fresh || !dp_split_url(&parts, url))
        return DP_OK;
    if (!dp_intern_find(&c->hosts, parts.host, &number)) {
        number = (uint32_t)c->hosts.n;
        if (!DP_ROOM(c->of, c->hosts.n, c->cap) || !dp_intern_add(&c->hosts, parts.host, number))
            return DP_ENOMEM;
        c->of[number] = 1; /* robots.txt */
    }
    c->of[number]++;
    return DP_OK;
}

static dp_err count_rule(counting *c, const dp_validation *v, size_t rule)
{
    for (int at = 0; at < DP_DIRECTIONS; at++) {
        dp_direction side = (dp_direction)at;
        bool         pairs = dp_rule_erases(v->rules->rule[rule]);
        size_t       n = pairs ? dp_draws_pairs(v->draws, rule, side) : dp_draws_direct(v->draws, rule, side);
        for (size_t i = 0; i < n && i < v->test.tests; i++) {
            dp_drawn one;
            DP_TRY(dp_draws_get(v->draws, rule, side, pairs, i, &one));
            DP_TRY(count_url(c, one.u));
            DP_TRY(count_url(c, one.v));
        }
    }
    return DP_OK;
}

/* A host is asked at its rate, and at most `parallel` of them at a time. */
static void sum_up(dp_estimate *out, const counting *c, const dp_validation *v)
{
    uint64_t most = 0, limit = v->fetch.max_fetches;
    out->hosts = c->hosts.n;
    for (size_t i = 0; i < c->hosts.n; i++) {
        out->requests += c->of[i];
        most = c->of[i] > most ? c->of[i] : most;
    }
    if (limit && out->requests > limit)
        out->requests = limit;
    double rate = v->fetch.rate, beside = (double)(v->fetch.parallel ? v->fetch.parallel : 1);
    double slowest = (double)(most < out->requests ? most : out->requests) / rate;
    double all = (double)out->requests / (rate * beside);
    out->seconds = (uint64_t)(slowest > all ? slowest : all);
}

static dp_err conclude(dp_estimate *out, counting *c, const dp_validation *v, dp_err code)
{
    if (code == DP_OK)
        sum_up(out, c, v);
    dp_ordinals_done(&c->urls);
    dp_intern_done(&c->hosts);
    free(c->of);
    return code;
}

/* A rule and what it promises to save. */
typedef struct promise {
    size_t rule;
    double save;
} promise;

static int most_first(const void *a, const void *b)
{
    const promise *x = a, *y = b;
    if (x->save != y->save)
        return (x->save < y->save) - (x->save > y->save);
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* What the tests of one rule take, beside nothing else. */
static dp_err cost_of(uint64_t *out, const dp_validation *v, size_t rule)
{
    counting c = {0};
    dp_err   code = count_rule(&c, v, rule);
    *out = 0;
    for (size_t i = 0; i < c.hosts.n; i++)
        *out += c.of[i];
    dp_ordinals_done(&c.urls);
    dp_intern_done(&c.hosts);
    free(c.of);
    return code;
}

/* The pairs of the test of a rule that has most. */
static size_t most_draws(const dp_validation *v, size_t rule)
{
    size_t n = dp_draws_pairs(v->draws, rule, DP_AS_WRITTEN);
    for (int at = 0; at < DP_DIRECTIONS && !dp_rule_erases(v->rules->rule[rule]); at++) {
        size_t direct = dp_draws_direct(v->draws, rule, (dp_direction)at);
        n = direct > n ? direct : n;
    }
    return n;
}

static dp_plan_kind choose(const dp_validation *v, const dp_plan_of *one, uint64_t spent)
{
    if (!v->budget)
        return DP_PLAN_TEST;
    if (one->draws < v->test.min_tests)
        return DP_PLAN_FEW;
    return spent + one->requests > v->budget ? DP_PLAN_LATER : DP_PLAN_TEST;
}

dp_err dp_estimate_plan(dp_validation *v)
{
    size_t   n = v->rules->nrule, rules = 0;
    uint64_t spent = 0;
    promise *list = malloc((n + 1) * sizeof *list);
    dp_err   code = list && (v->plan = calloc(n + 1, sizeof *v->plan)) ? DP_OK : DP_ENOMEM;
    if (v->budget && v->test.min_tests < v->test.tests)
        v->test.tests = v->test.min_tests;
    if (v->budget && (!v->fetch.max_fetches || v->fetch.max_fetches > v->budget))
        v->fetch.max_fetches = v->budget;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        const dp_rule *r = v->rules->rule[i];
        if (dp_rule_state(r) != DP_OFF)
            list[rules++] = (promise){i, dp_rule_number(r, "save", 0)};
    }
    if (code == DP_OK)
        qsort(list, rules, sizeof *list, most_first);
    for (size_t i = 0; i < rules && code == DP_OK; i++) {
        dp_plan_of *one = &v->plan[list[i].rule];
        code = cost_of(&one->requests, v, list[i].rule);
        one->draws = most_draws(v, list[i].rule);
        one->kind = choose(v, one, spent);
        spent += one->kind == DP_PLAN_TEST ? one->requests : 0;
    }
    free(list);
    return code;
}

dp_err dp_estimate_make(dp_estimate *out, const dp_validation *v)
{
    counting c = {0};
    dp_err   code = DP_OK;
    *out = (dp_estimate){0};
    for (size_t i = 0; i < v->rules->nrule && code == DP_OK; i++) {
        if (v->plan[i].kind == DP_PLAN_TEST)
            code = count_rule(&c, v, i);
    }
    return conclude(out, &c, v, code);
}

dp_err dp_estimate_echo(dp_estimate *out, const dp_validation *v, const dp_spread *s)
{
    counting c = {0};
    dp_err   code = DP_OK;
    uint64_t after = (uint64_t)v->echo.after, hosts;
    *out = (dp_estimate){0};
    for (size_t i = 0; i < s->urls.n && i < v->echo.wanted && code == DP_OK; i++)
        code = count_url(&c, dp_spread_get(s, i));
    hosts = c.hosts.n;
    DP_TRY(conclude(out, &c, v, code));
    /* The second pass follows the first, and begins when the time between two fetches has gone by. */
    uint64_t limit = v->fetch.max_fetches, both = 2 * out->requests - hosts;
    out->seconds += out->seconds > after ? out->seconds : after;
    out->requests = limit && both > limit ? limit : both;
    return DP_OK;
}
