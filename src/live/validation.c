/* validation.c - dp_validation of dustpan.h: made, set, asked, freed. live/validate.c runs it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "live/verdict.h"
#include "rule/rule.h"

enum { MILLION = 1000000, THOUSAND = 1000 };

/* ---- made, set, freed ------------------------------------------------------------------------ */

dp_err dp_validation_new(dp_validation **out)
{
    dp_validation *v = calloc(1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    v->test = (dp_ruletest_options)DP_RULETEST_OPTIONS_INIT;
    v->fetch = (dp_fetcher_options)DP_FETCHER_OPTIONS_INIT;
    v->seed = 1;
    v->echo.after = DP_ECHO_AFTER;
    *out = v;
    return DP_OK;
}

void dp_validation_free(dp_validation *v)
{
    if (!v)
        return;
    for (size_t i = 0; v->verdict && i < v->rules->nrule; i++)
        for (size_t j = 0; j < v->verdict[i].ntest; j++)
            dp_ruletest_done(&v->verdict[i].test[j]);
    free(v->verdict);
    free(v->plan);
    dp_draws_free(v->draws);
    dp_arena_done(&v->arena);
    for (size_t i = 0; i < v->nlabels; i++)
        free(v->labels[i]);
    free(v->labels);
    dp_how_done(v->how);
    free(v->user_agent);
    free(v->ca_file);
    free(v->cache);
    free(v);
}

dp_err dp_validation_set(dp_validation *v, dp_validation_option option, int64_t value)
{
    static const struct {
        int64_t min, max;
    } limit[] = {
        [DP_VALIDATION_TESTS] = {1, MILLION},         [DP_VALIDATION_EPSILON] = {0, MILLION},
        [DP_VALIDATION_MIN_TESTS] = {1, MILLION},     [DP_VALIDATION_SHINGLES] = {1, DP_SKETCH_SIZE},
        [DP_VALIDATION_SEED] = {0, INT64_MAX},        [DP_VALIDATION_RATE] = {1, MILLION},
        [DP_VALIDATION_PARALLEL] = {1, 1000},         [DP_VALIDATION_MAX_FETCHES] = {0, INT64_MAX},
        [DP_VALIDATION_BUDGET] = {0, INT64_MAX},
        [DP_VALIDATION_RETRIES] = {0, 10},            [DP_VALIDATION_TIMEOUT] = {1, 1000 * MILLION},
        [DP_VALIDATION_MAX_SIZE] = {1, INT32_MAX},    [DP_VALIDATION_ALLOW_ACTIONS] = {0, 1},
        [DP_VALIDATION_ALLOW_PRIVATE] = {0, 1},       [DP_VALIDATION_ABSENT_NEGATIVE] = {0, 1},
        [DP_VALIDATION_KEEP_CACHE] = {0, 1},          [DP_VALIDATION_RAW] = {0, 1},
        [DP_VALIDATION_STRICT] = {0, 1},              [DP_VALIDATION_ECHO_AFTER] = {0, MILLION},
    };
    if ((size_t)option >= DP_COUNT(limit) || value < limit[option].min || value > limit[option].max)
        return DP_EINVALID;
    switch (option) {
    case DP_VALIDATION_TESTS: v->test.tests = (unsigned)value; break;
    case DP_VALIDATION_EPSILON: v->test.epsilon = (double)value / MILLION; break;
    case DP_VALIDATION_MIN_TESTS: v->test.min_tests = (unsigned)value; break;
    case DP_VALIDATION_SHINGLES: v->test.shingles = (unsigned)value; break;
    case DP_VALIDATION_SEED: v->seed = (uint64_t)value; break;
    case DP_VALIDATION_RATE: v->fetch.rate = (double)value / THOUSAND; break;
    case DP_VALIDATION_PARALLEL: v->fetch.parallel = (size_t)value; break;
    case DP_VALIDATION_MAX_FETCHES: v->fetch.max_fetches = (uint64_t)value; break;
    case DP_VALIDATION_BUDGET: v->budget = (uint64_t)value; break;
    case DP_VALIDATION_RETRIES: v->fetch.retries = (unsigned)value; break;
    case DP_VALIDATION_TIMEOUT: v->fetch.timeout = value; break;
    case DP_VALIDATION_MAX_SIZE: v->fetch.max_size = (size_t)value; break;
    case DP_VALIDATION_ALLOW_ACTIONS: v->fetch.allow_actions = value; break;
    case DP_VALIDATION_ALLOW_PRIVATE: v->fetch.allow_private = value; break;
    case DP_VALIDATION_ABSENT_NEGATIVE: v->absent_is_negative = value; break;
    case DP_VALIDATION_KEEP_CACHE: v->cache_is_for_run = !value; break;
    case DP_VALIDATION_RAW: v->raw = value; break;
    case DP_VALIDATION_STRICT: v->strict = value; break;
    case DP_VALIDATION_ECHO_AFTER: v->echo.after = value; break;
    }
    return DP_OK;
}

static dp_err replace(char **place, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return DP_ENOMEM;
    free(*place);
    *place = copy;
    return DP_OK;
}

dp_err dp_validation_say(dp_validation *v, dp_validation_text what, const char *text)
{
    /* A line end in the name would be a header of its own. */
    for (const char *p = text; what == DP_VALIDATION_USER_AGENT && p && *p; p++)
        if (*p < ' ' || *p > '~')
            return DP_EINVALID;
    switch (what) {
    case DP_VALIDATION_USER_AGENT: return replace(&v->user_agent, text);
    case DP_VALIDATION_CACHE: return replace(&v->cache, text);
    case DP_VALIDATION_CA_FILE: return replace(&v->ca_file, text);
    }
    return DP_EINVALID;
}

dp_err dp_validation_input(dp_validation *v, dp_input_option option, const char *text)
{
    return dp_how_set(v->how, option, text);
}

void dp_validation_progress(dp_validation *v, dp_progress call, void *ctx)
{
    v->progress = call;
    v->progress_ctx = ctx;
}

uint64_t dp_validation_planned(const dp_validation *v, size_t i)
{
    return v->plan && v->plan[i].kind == DP_PLAN_TEST ? v->plan[i].requests : 0;
}

void dp_validation_expect(dp_validation *v, dp_expectation call, void *ctx)
{
    v->expect = call;
    v->expect_ctx = ctx;
}

dp_err dp_validation_offline(dp_validation *v, const char *const *paths, size_t count)
{
    if (v->labels || !count)
        return DP_EINVALID;
    v->labels = calloc(count, sizeof *v->labels);
    if (!v->labels)
        return DP_ENOMEM;
    v->offline = v->test.patient = true;
    for (; v->nlabels < count; v->nlabels++)
        if (!(v->labels[v->nlabels] = strdup(paths[v->nlabels])))
            return DP_ENOMEM;
    return DP_OK;
}

/* ---- asked -------------------------------------------------------------------------------------- */

bool dp_verdict_is_direct(const dp_validation *v, size_t rule)
{
    const dp_verdict_of *o = &v->verdict[rule];
    return !v->offline && (!o->test[o->decisive].pairs || dp_rule_erases(v->rules->rule[rule]));
}

const char *dp_validation_identity(const dp_validation *v)
{
    return v->identity;
}

dp_validation_answer dp_validation_verdict(const dp_validation *v, size_t i)
{
    return v->verdict[i].kind;
}

size_t dp_validation_verdicts(const dp_validation *v, dp_validation_answer which)
{
    size_t n = 0;
    for (size_t i = 0; v->verdict && i < v->rules->nrule; i++)
        n += v->verdict[i].kind == which;
    return n;
}

uint64_t dp_validation_total(const dp_validation *v, dp_validation_count which)
{
    switch (which) {
    case DP_VALIDATION_URLS: return v->urls;
    case DP_VALIDATION_NOT_URLS: return v->not_urls;
    case DP_VALIDATION_REQUESTS: return v->fetched.requests;
    case DP_VALIDATION_REPEATS: return v->fetched.repeats;
    case DP_VALIDATION_CACHED: return v->fetched.found;
    case DP_VALIDATION_SPARED: return v->fetched.spared;
    case DP_VALIDATION_FAILED: return v->fetched.failed;
    case DP_VALIDATION_BAD: return v->bad_lines;
    case DP_VALIDATION_ECHOED: return v->echo.twice;
    case DP_VALIDATION_CHANGED: return v->echo.changed;
    }
    return 0;
}

dp_err dp_validation_bad(const dp_validation *v, size_t i, dp_error *bad)
{
    if (i >= v->nbad)
        return DP_EINVALID;
    *bad = v->bad[i];
    return DP_OK;
}
