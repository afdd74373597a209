/* validate.c - dp_validation_run of dustpan.h: Validate, [BKS06] Figure 5, asking a teller (live/reply.h).
 *
 *     rules ──► lanes, one for each host line ──► in each, rule after rule:
 *
 *         it refines one before it that holds?     refined, eliminated (live/broader.h)     lines 4-9
 *         the side that shrinks URLs holds?        kept (or turned)                         lines 10, 11
 *         the other side holds?                    turned (or kept)                         lines 12, 13
 *         else                                     rejected                                 lines 14, 15
 *
 * Line 13 of the paper adds the side that was refuted; we write the one that held. `sub` and templates that lose
 * nothing have two sides (apply/turn.h); other rules are tested as they are written. A template is turned only when it
 * is refuted as it is written. When all are tested, rules that refine one under another host line, or behind them, are
 * eliminated, too. A rule that erases has no result that can be fetched: it is tested on pairs of
 * the list. So is, after the paper's test, a rule whose results are no pages, or not known: it may still be right as a
 * key, but is not marked `fetch`. A rule that stands undecided neither falls nor eliminates others.
 *
 * Lanes go on at the same time, so that many hosts are asked in parallel; rules of one host line wait for each other.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <time.h>

#include "base/intern.h"
#include "live/broader.h"
#include "live/estimate.h"
#include "live/lookup.h"
#include "live/verdict.h"
#include "rule/attr.h"
#include "url/chars.h"

enum { ROUND = 100 /* milliseconds of a round at most */ };

/* ---- reading --------------------------------------------------------------------------------- */

/* dp_validation_read: into the draws. */
static dp_err take_url(void *ctx, const dp_record *rec)
{
    dp_validation *v = ctx;
    bool           is_url = true;
    uint64_t       hits = dp_record_has(rec, DP_FIELD_HITS) && rec->hits > 0 ? (uint64_t)rec->hits : 1;
    DP_TRY(dp_draws_add(v->draws, rec->url, hits, &is_url));
    v->not_urls += !is_url;
    return DP_OK;
}

static void keep_bad(dp_validation *v, const dp_reader *r)
{
    v->bad_lines += dp_reader_bad(r);
    for (size_t i = 0; v->nbad < DP_COUNT(v->bad) && dp_reader_bad_line(r, i, &v->bad[v->nbad]); i++)
        v->nbad++;
}

dp_err dp_validation_read(dp_validation *v, const char *const *paths, size_t count,
                          dp_err (*take)(void *ctx, const dp_record *rec), void *ctx, dp_error *err)
{
    dp_reader        *r = NULL;
    dp_record         rec;
    bool              more = true;
    dp_reader_options o = dp_how_options(v->how);
    o.strict = v->strict;
    DP_TRY(dp_reader_open(&r, paths, count, &o, err));
    dp_err code;
    while ((code = dp_reader_next(r, &rec, &more, err)) == DP_OK && more) {
        if (!dp_record_is_page(&rec))
            continue;
        code = take(ctx, &rec);
        if (code != DP_OK) {
            code = dp_fail_at(err, code, rec.path, 0, 0, code == DP_ENOMEM ? "out of memory" : "too many URLs");
            break;
        }
    }
    keep_bad(v, r);
    dp_reader_close(r);
    return code;
}

/* ---- one rule --------------------------------------------------------------------------------- */

typedef struct lane {
    size_t *rule; /* [n] in their order */
    size_t  n, at;
} lane;

typedef struct job {
    dp_validation *v;
    dp_teller      teller;
    lane          *lane; /* [nlane] */
    size_t         nlane;
    size_t         done; /* rules */
} job;

/* Beyond a budget rules are left as they are. */
static bool is_tested(const dp_validation *v, size_t rule)
{
    return dp_rule_state(v->rules->rule[rule]) != DP_OFF && (!v->plan || v->plan[rule].kind == DP_PLAN_TEST);
}

static size_t tokens(dp_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        bool word = dp_is(s.p[i], DP_CH_ALNUM) || s.p[i] & 0x80, goes_on = i && (dp_is(s.p[i - 1], DP_CH_ALNUM) ||
                                                                                s.p[i - 1] & 0x80);
        n += !(word && goes_on);
    }
    return n;
}

/* Whether alpha -> beta makes URLs shorter: fewer tokens, then fewer bytes, then by bytes. */
static bool shrinks(const dp_rule *r)
{
    size_t a = tokens(r->alpha), b = tokens(r->beta);
    if (a != b)
        return a > b;
    return r->alpha.n != r->beta.n ? r->alpha.n > r->beta.n : dp_str_cmp(r->alpha, r->beta) > 0;
}

static void begin_test(const dp_validation *v, dp_verdict_of *o, size_t rule, dp_direction side, bool pairs)
{
    const dp_attr *across = dp_attr_find(v->rules->rule[rule], DP_STR("across"));
    o->test[o->ntest++] = (dp_ruletest){.rule = rule, .side = side, .pairs = pairs,
                                        .branches = dp_draws_branches(v->draws, rule, side),
                                        .of_copies = across && dp_str_eq(across->value, DP_STR("copies"))};
}

static void conclude(dp_verdict_of *o, dp_validation_answer kind, size_t decisive)
{
    o->kind = kind;
    o->decisive = decisive;
}

/* Choose the next test of a rule, or its verdict; *over says which. DP_ENOMEM. */
static dp_err go_on(dp_validation *v, const lane *l, dp_verdict_of *o, bool *over)
{
    size_t             number = l->rule[l->at];
    const dp_rule     *r = v->rules->rule[number];
    const dp_ruletest *last = o->ntest ? &o->test[o->ntest - 1] : NULL;
    bool               can = dp_draws_turned(v->draws, number) != NULL;
    *over = true;
    if (!last) {
        DP_TRY(dp_broader_find(&o->refines, v, number, l->rule, l->at));
        if (o->refines != SIZE_MAX) {
            conclude(o, DP_REFINED, 0);
            return DP_OK;
        }
        bool grows = r->kind == DP_RULE_SUB && !shrinks(r);
        begin_test(v, o, number, can && grows ? DP_TURNED_ROUND : DP_AS_WRITTEN, dp_rule_erases(r));
        *over = false;
        return DP_OK;
    }
    if (last->truth == DP_TEST_TRUE) {
        conclude(o, last->side == DP_TURNED_ROUND ? DP_TURNED : DP_KEPT, o->ntest - 1);
        return DP_OK;
    }
    /* A template that is undecided is a key at least: only one that is refuted is turned. */
    if (can && o->ntest == 1 && (r->kind == DP_RULE_SUB || last->truth == DP_TEST_FALSE)) {
        begin_test(v, o, number, last->side == DP_TURNED_ROUND ? DP_AS_WRITTEN : DP_TURNED_ROUND, false);
        *over = false;
        return DP_OK;
    }
    /* Its results are no pages, or nobody knows: is it right about which URLs are one? */
    const dp_ruletest *as_is = &o->test[0];
    bool is_open = as_is->truth != DP_TEST_UNDECIDED || as_is->why != DP_UNDECIDED_COPIES;
    if (is_open && r->kind != DP_RULE_SUB && !last->pairs && as_is->gone == as_is->negative &&
        dp_draws_pairs(v->draws, number, DP_AS_WRITTEN)) {
        begin_test(v, o, number, DP_AS_WRITTEN, true);
        *over = false;
        return DP_OK;
    }
    /* The side that is written decides: refuted, it falls, whatever is not known of the other. */
    for (size_t i = 0; i < o->ntest; i++) {
        if (o->test[i].side == DP_AS_WRITTEN && o->test[i].truth == DP_TEST_FALSE) {
            conclude(o, DP_REJECTED, i);
            return DP_OK;
        }
    }
    conclude(o, DP_UNDECIDED, o->ntest);
    return DP_OK;
}

/* ---- all rules --------------------------------------------------------------------------------- */

/* Go on with a lane as far as possible without waiting. */
static dp_err step_lane(job *j, lane *l, dp_error *err)
{
    dp_validation *v = j->v;
    while (l->at < l->n) {
        dp_verdict_of *o = &v->verdict[l->rule[l->at]];
        dp_ruletest   *t = o->ntest ? &o->test[o->ntest - 1] : NULL;
        if (t && t->truth == DP_TEST_RUNS) {
            DP_TRY(dp_ruletest_step(t, v->draws, &j->teller, &v->test, &v->arena, err));
            if (t->truth == DP_TEST_RUNS)
                return DP_OK;
        }
        bool over;
        if (go_on(v, l, o, &over) != DP_OK)
            return dp_no_memory(err);
        if (over) {
            l->at++;
            j->done++;
        }
    }
    return DP_OK;
}

static dp_err report(const job *j, dp_error *err)
{
    const dp_validation *v = j->v;
    size_t               all = 0;
    if (!v->progress)
        return DP_OK;
    for (size_t i = 0; i < j->nlane; i++)
        all += j->lane[i].n;
    return v->progress(v->progress_ctx, j->done, all, "testing rules") ? dp_fail(err, DP_EINVALID, "stopped") : DP_OK;
}

static dp_err run_lanes(job *j, dp_fetcher *f, dp_error *err)
{
    for (;;) {
        bool waits = false;
        for (size_t i = 0; i < j->nlane; i++) {
            DP_TRY(step_lane(j, &j->lane[i], err));
            waits |= j->lane[i].at < j->lane[i].n;
        }
        DP_TRY(report(j, err));
        if (!waits)
            return DP_OK;
        DP_TRY(dp_fetcher_step(f, ROUND, err));
    }
}

/* Rules of equal host lines form a lane; blocks that are divided by others, too. DP_ENOMEM. */
static dp_err make_lanes(job *j, const dp_rules *r, dp_arena *a)
{
    dp_intern keys = {0};
    uint32_t  n;
    size_t   *of = DP_NEWS(a, r->nrule, size_t), *room = DP_NEWS(a, r->nrule, size_t);
    dp_err    code = of && room && (j->lane = DP_NEWS(a, r->nrule, lane)) ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < r->nrule && code == DP_OK; i++) {
        if (!dp_intern_find(&keys, r->rule[i]->block->key, &n)) {
            n = (uint32_t)j->nlane++;
            code = dp_intern_add(&keys, r->rule[i]->block->key, n) ? DP_OK : DP_ENOMEM;
        }
        of[i] = n;
        j->lane[n].n += is_tested(j->v, i);
    }
    for (size_t i = 0; i < j->nlane && code == DP_OK; i++) {
        j->lane[i].rule = room;
        room += j->lane[i].n;
        j->lane[i].n = 0;
    }
    for (size_t i = 0; i < r->nrule && code == DP_OK; i++) {
        lane *l = &j->lane[of[i]];
        if (is_tested(j->v, i))
            l->rule[l->n++] = i;
    }
    dp_intern_done(&keys);
    return code;
}

/* A file that apply would refuse is not worth a request. */
static dp_err check_rules(const dp_rules *r, dp_error *err)
{
    dp_engine *e = NULL;
    dp_err     code = dp_engine_new(&e, r, 0, 0, err);
    dp_engine_free(e);
    return code;
}

static dp_err run_on(dp_validation *v, dp_lookup *labels, dp_fetcher *f, dp_error *err)
{
    dp_arena a = {0};
    job      j = {.v = v, .teller = labels ? dp_lookup_teller(labels) : dp_fetcher_teller(f)};
    dp_err   code = make_lanes(&j, v->rules, &a);
    code = code == DP_OK ? run_lanes(&j, f, err) : dp_no_memory(err);
    if (code == DP_OK && dp_broader_remove(v) != DP_OK)
        code = dp_no_memory(err);
    dp_arena_done(&a);
    return code;
}

/* The pages that are known, and how. */
static dp_err read_labels(dp_validation *v, dp_lookup *labels, dp_error *err)
{
    dp_records in = {.strict = v->strict};
    dp_err     code = DP_OK;
    dp_error   bad;
    for (int i = 0; i < DP_HOWS && code == DP_OK; i++)
        code = dp_records_set(&in, (dp_input_option)i, v->how[i]);
    if (code == DP_OK)
        code = dp_lookup_load(labels, &in, (const char *const *)v->labels, v->nlabels, &v->identity, err);
    else
        dp_fail_as(err, code);
    v->bad_lines += in.bad;
    for (size_t i = 0; v->nbad < DP_COUNT(v->bad) && dp_records_bad(&in, i, &bad) == DP_OK; i++)
        v->bad[v->nbad++] = bad;
    dp_records_done(&in);
    return code;
}

static dp_err run_offline(dp_validation *v, const char *const *paths, size_t count, dp_error *err)
{
    const char *const *files = (const char *const *)v->labels;
    dp_lookup         *labels = NULL;
    dp_err             code = dp_lookup_new(&labels, v->absent_is_negative);
    if (code != DP_OK)
        return dp_no_memory(err);
    code = read_labels(v, labels, err);
    if (code == DP_OK)
        code = dp_validation_read(v, count ? paths : files, count ? count : v->nlabels, take_url, v, err);
    if (code == DP_OK && dp_draws_finish(v->draws) != DP_OK)
        code = dp_no_memory(err);
    if (code == DP_OK)
        code = run_on(v, labels, NULL, err);
    dp_lookup_free(labels);
    return code;
}

/* Tell what is to come. */
static dp_err announce(dp_validation *v, dp_error *err)
{
    dp_estimate all;
    if (dp_estimate_plan(v) != DP_OK)
        return dp_no_memory(err);
    if (!v->expect)
        return DP_OK;
    if (dp_estimate_make(&all, v) != DP_OK)
        return dp_no_memory(err);
    bool stop = v->expect(v->expect_ctx, all.requests, all.hosts, all.seconds) != 0;
    return stop ? dp_fail(err, DP_EINVALID, "stopped") : DP_OK;
}

static dp_err run_online(dp_validation *v, const char *const *paths, size_t count, dp_error *err)
{
    dp_fetcher *f = NULL;
    DP_TRY(dp_validation_read(v, paths, count, take_url, v, err));
    if (dp_draws_finish(v->draws) != DP_OK)
        return dp_no_memory(err);
    v->identity = DP_FETCHED_IDENTITY;
    DP_TRY(announce(v, err));
    v->fetch.user_agent = v->user_agent;
    v->fetch.ca_file = v->ca_file;
    v->fetch.cache = v->cache;
    DP_TRY(dp_fetcher_new(&f, &v->fetch, err));
    dp_err code = run_on(v, NULL, f, err);
    v->fetched = *dp_fetcher_count(f);
    dp_fetcher_free(f, code == DP_OK && v->cache_is_for_run);
    return code;
}

dp_err dp_validation_run(dp_validation *v, const dp_rules *r, const char *const *paths, size_t count, dp_error *err)
{
    if (v->ran || (!count && !v->offline))
        return dp_fail(err, DP_EINVALID, v->ran ? "this validation has already run" : "no list of URLs was given");
    v->ran = true;
    v->rules = r;
    v->verdict = calloc(r->nrule ? r->nrule : 1, sizeof *v->verdict);
    if (!v->verdict)
        return dp_no_memory(err);
    DP_TRY(check_rules(r, err));
    DP_TRY(dp_draws_new(&v->draws, r, v->seed, err));
    dp_err code = v->offline ? run_offline(v, paths, count, err) : run_online(v, paths, count, err);
    v->urls = dp_draws_urls(v->draws);
    return code;
}
