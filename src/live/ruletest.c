/* SPDX-License-Identifier: Apache-2.0 */
#include "live/ruletest.h"

#include <stdlib.h>

#include "base/room.h"
#include "url/split.h"

void dp_ruletest_done(dp_ruletest *t)
{
    free(t->probe);
    t->probe = NULL;
    t->nprobe = t->cap = 0;
}

static void end(dp_ruletest *t, dp_test_answer truth, dp_undecided why)
{
    t->truth = truth;
    t->why = why;
}

/* ---- counting ----------------------------------------------------------------------------- */

static void count(dp_ruletest *t, const dp_pair_probe *p)
{
    switch (p->finding) {
    case DP_FINDING_SAME:
        if (t->positive == 0)
            t->content = p->content;
        t->contents += p->content != t->content;
        t->redirects += p->by_redirect;
        t->moved += p->u_moved;
        t->positive++;
        break;
    case DP_FINDING_DIFFERENT:
        t->gone += p->v_is_gone;
        t->negative++;
        break;
    case DP_FINDING_UNKNOWN: t->unknown++; break;
    default: t->skipped++; break;
    }
}

/* Whether pairs speak for each name or value of a list; *why: what is wrong with t->branch. */
static bool holds_for_each(dp_ruletest *t, dp_undecided *why)
{
    uint64_t same[DP_BRANCHES] = {0}, other[DP_BRANCHES] = {0};
    for (size_t i = 0; t->branches->n && i < t->counted; i++) {
        const dp_pair_probe *p = &t->probe[i];
        uint64_t has = dp_branches_of(t->branches, p->u);
        if (t->pairs)
            has |= dp_branches_of(t->branches, p->v);
        for (size_t k = 0; k < t->branches->n; k++) {
            same[k] += has >> k & 1 && p->finding == DP_FINDING_SAME;
            other[k] += has >> k & 1 && p->finding == DP_FINDING_DIFFERENT;
        }
    }
    for (t->branch = 0; t->branch < t->branches->n; t->branch++) {
        size_t k = t->branch;
        *why = same[k] + other[k] ? DP_UNDECIDED_OTHER : DP_UNDECIDED_UNSEEN;
        if (same[k] <= other[k])
            return false;
    }
    return true;
}

/* It holds, unless one page or copies are all the evidence, or something in its list has none. */
static void end_true(dp_ruletest *t)
{
    dp_undecided why;
    if (t->positive >= DP_SOFT && !t->contents)
        end(t, DP_TEST_UNDECIDED, DP_UNDECIDED_ONE_CONTENT);
    else if (t->of_copies && 2 * t->moved <= t->positive)
        end(t, DP_TEST_UNDECIDED, DP_UNDECIDED_COPIES);
    else if (!holds_for_each(t, &why))
        end(t, DP_TEST_UNDECIDED, why);
    else
        end(t, DP_TEST_TRUE, 0);
}

/* Whether the counts so far decide; `out`: nothing comes any more, because of `why`. */
static void decide(dp_ruletest *t, const dp_ruletest_options *o, bool out, dp_undecided why)
{
    uint64_t n = t->positive + t->negative;
    double   N = o->tests, many = out && (double)n < N ? (double)n : N;
    if (out && n < o->min_tests)
        end(t, DP_TEST_UNDECIDED, why);
    else if (!o->patient && t->unknown >= o->min_tests && t->unknown > n)
        end(t, DP_TEST_UNDECIDED, DP_UNDECIDED_FAILURES);
    else if ((double)t->negative >= o->epsilon * many && t->negative)
        end(t, DP_TEST_FALSE, 0);
    else if (out || (double)t->positive >= (1 - o->epsilon) * N)
        end_true(t);
}

/* Count what is done, in the order of the draws. */
static void count_done(dp_ruletest *t, const dp_ruletest_options *o)
{
    while (t->truth == DP_TEST_RUNS && t->counted < t->nprobe && t->probe[t->counted].finding != DP_FINDING_WAIT) {
        const dp_pair_probe *p = &t->probe[t->counted++];
        count(t, p);
        decide(t, o, p->budget_is_spent, DP_UNDECIDED_BUDGET);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

static size_t draws_of(const dp_ruletest *t, const dp_draws *d, const dp_ruletest_options *o)
{
    size_t n = t->pairs ? dp_draws_pairs(d, t->rule, t->side) : dp_draws_direct(d, t->rule, t->side);
    size_t most = (size_t)o->tests * DP_DRAWS_PER_TEST;
    return n < most ? n : most;
}

static dp_str host_of(dp_str url)
{
    dp_split s;
    return dp_split_url(&s, url) ? s.host : url;
}

/* Whether an earlier probe waits for the same host: then this one waits, too, for its pages would stand in the same
 * row, and may turn out not to be needed. */
static bool is_blocked(const dp_ruletest *t, size_t probe)
{
    dp_str host = host_of(t->probe[probe].u);
    for (size_t i = t->counted; i < probe; i++)
        if (t->probe[i].finding == DP_FINDING_WAIT && dp_str_eq(host, host_of(t->probe[i].u)))
            return true;
    return false;
}

/* Add the next draw. DP_ENOMEM. */
static dp_err draw_next(dp_ruletest *t, dp_draws *d, dp_arena *a)
{
    dp_drawn draw;
    DP_TRY(dp_draws_get(d, t->rule, t->side, t->pairs, t->nprobe, &draw));
    if (!DP_ROOM(t->probe, t->nprobe, t->cap))
        return DP_ENOMEM;
    dp_pair_probe p = {.u = dp_arena_str(a, draw.u), .v = dp_arena_str(a, draw.v)};
    p.result = t->pairs ? dp_arena_str(a, draw.result) : p.v;
    if (!p.u.p || !p.v.p || !p.result.p)
        return DP_ENOMEM;
    t->probe[t->nprobe++] = p;
    return DP_OK;
}

/* What outlives the teller lies in `a`. DP_EIO, DP_ENOMEM. */
static dp_err step_probe(dp_pair_probe *p, const dp_teller *s, const dp_ruletest_options *o, dp_arena *a, dp_error *err)
{
    DP_TRY(dp_pair_probe_step(p, s, o->shingles, err));
    if (p->finding == DP_FINDING_WAIT || !p->cause.host.n)
        return DP_OK;
    p->cause.host = dp_arena_str(a, p->cause.host);
    return p->cause.host.p ? DP_OK : dp_no_memory(err);
}

dp_err dp_ruletest_step(dp_ruletest *t, dp_draws *d, const dp_teller *s, const dp_ruletest_options *o, dp_arena *a,
                        dp_error *err)
{
    size_t all = draws_of(t, d, o), before;
    do {
        before = t->counted;
        while (t->nprobe < all && t->nprobe - t->counted < DP_PROBES)
            if (draw_next(t, d, a) != DP_OK)
                return dp_no_memory(err);
        for (size_t i = t->counted; i < t->nprobe && t->truth == DP_TEST_RUNS; i++) {
            if (t->probe[i].finding == DP_FINDING_WAIT && !is_blocked(t, i))
                DP_TRY(step_probe(&t->probe[i], s, o, a, err));
            count_done(t, o);
        }
    } while (t->truth == DP_TEST_RUNS && t->counted > before);
    if (t->truth == DP_TEST_RUNS && t->counted == all)
        decide(t, o, true, DP_UNDECIDED_FEW);
    return DP_OK;
}
