/* verdictreason.c - why a rule was not tested, in a sentence.
 *
 *     only 4 matching URLs, 10 are needed (--min-tests)
 *     shop.example could not be reached (DNS lookup failed)
 *     12 of 14 URLs could not be compared: forbidden by robots.txt; 2 compared, 10 are needed (--min-tests)
 *
 * The cause that most pairs have in common is named; of equally common ones the first.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "live/verdict.h"
#include "url/host.h"

/* ---- which test, which cause ------------------------------------------------------------------ */

const dp_ruletest *dp_verdict_open_test(const dp_verdict_of *o)
{
    const dp_ruletest *best = &o->test[0];
    for (size_t i = 1; i < o->ntest; i++) {
        const dp_ruletest *t = &o->test[i];
        bool               first = best->truth != DP_TEST_UNDECIDED || t->counted > best->counted;
        if (t->truth == DP_TEST_UNDECIDED && first)
            best = t;
    }
    return best;
}

/* Whether a host that fails so was not reached at all. One page may be slow for reasons of its own, robots.txt not. */
static bool is_unreached(const dp_cause *c)
{
    dp_fault f = c->fault;
    return f == DP_FAULT_RESOLVE || f == DP_FAULT_CONNECT || f == DP_FAULT_REFUSED || f == DP_FAULT_UNREACHABLE ||
           f == DP_FAULT_TLS || (f == DP_FAULT_TIMEOUT && c->kind == DP_CAUSE_NO_ROBOTS);
}

/* The row of a cause; where a host fails, robots.txt or not, that is the cause. */
static size_t row_of(const dp_cause *c)
{
    bool fails = c->kind == DP_CAUSE_GIVEN_UP || (c->kind == DP_CAUSE_NO_ROBOTS && is_unreached(c));
    return fails ? DP_CAUSE_FAULT + (size_t)c->fault : dp_cause_row(c);
}

typedef struct main_cause {
    const dp_cause *cause; /* of its first pair; NULL: all pairs were compared */
    uint64_t        pairs;
    bool            many_hosts;
} main_cause;

static main_cause find_main_cause(const dp_ruletest *t)
{
    main_cause all[DP_CAUSE_ROWS] = {0}, best = {0};
    for (size_t i = 0; i < t->counted; i++) {
        const dp_pair_probe *p = &t->probe[i];
        if (p->finding != DP_FINDING_UNKNOWN && p->finding != DP_FINDING_SKIPPED)
            continue;
        main_cause *m = &all[row_of(&p->cause)];
        if (!m->cause)
            m->cause = &p->cause;
        m->pairs++;
        m->many_hosts |= !dp_str_eq(m->cause->host, p->cause.host);
    }
    for (size_t i = 0; i < t->counted; i++) {
        const main_cause *m = &all[row_of(&t->probe[i].cause)];
        if (m->pairs > best.pairs)
            best = *m;
    }
    return best;
}

/* ---- the sentence ------------------------------------------------------------------------------ */

static void put_status(dp_buf *b, const dp_cause *c)
{
    if (c->status && (c->kind == DP_CAUSE_GONE || c->fault == DP_FAULT_SERVER))
        dp_buf_printf(b, " (HTTP %d)", c->status);
}

static void put_host(dp_buf *b, const main_cause *m)
{
    dp_buf_str(b, m->cause->host);
    dp_buf_c(b, m->many_hosts ? " and other hosts" : "");
}

static void put_cause(dp_buf *b, const dp_ruletest *t, const main_cause *m)
{
    const dp_cause *c = m->cause;
    size_t          row = row_of(c);
    const char     *hint = dp_cause_hint(row);
    if (row == DP_CAUSE_FAULT + DP_FAULT_PRIVATE) {
        put_host(b, m);
        dp_buf_c(b, m->many_hosts ? " have private addresses" : dp_host_is_address(c->host) ? " is a private address"
                                                                                        : " has a private address");
    } else if (is_unreached(c)) {
        put_host(b, m);
        dp_buf_printf(b, " could not be reached (%s)", dp_fault_phrase(c->fault));
    } else if (row == DP_CAUSE_NO_ROBOTS) {
        dp_buf_c(b, "robots.txt of ");
        put_host(b, m);
        dp_buf_printf(b, " could not be fetched: %s", dp_fault_phrase(c->fault));
        put_status(b, c);
    } else {
        dp_buf_printf(b, "%" PRIu64 " of %zu %s could not be compared: %s", m->pairs, t->counted,
                      dp_plural(t->counted, "URL", "URLs"), dp_cause_phrase(row));
        put_status(b, c);
    }
    if (hint)
        dp_buf_printf(b, "; %s", hint);
}

/* The name or value of a list that leaves it undecided. */
static void put_branch(dp_buf *b, const dp_ruletest *t)
{
    const dp_name *one = &t->branches->v[t->branch];
    if (t->branches->kind)
        dp_buf_byte(b, t->branches->kind);
    dp_buf_str(b, one->text);
    dp_buf_c(b, one->prefix ? "*" : "");
}

/* How many pairs there were, and how many are needed. */
static void put_few(dp_buf *b, const dp_validation *v, const dp_ruletest *t, bool alone)
{
    bool agrees = alone && t->counted && t->negative == 0;
    const char *thing = dp_plural(t->counted, t->pairs ? "pair of URLs" : "matching URL",
                                  t->pairs ? "pairs of URLs" : "matching URLs");
    if (t->counted == 0)
        dp_buf_c(b, t->pairs ? "no two URLs in the list get the same key from it" : "no URL in the list matches it");
    else if (agrees)
        dp_buf_printf(b, "%s%zu %s %s", t->counted > 1 ? "all " : "", t->counted, thing,
                      dp_plural(t->counted, "agrees", "agree"));
    else if (t->counted < v->test.min_tests)
        dp_buf_printf(b, "%sonly %zu %s", alone ? "" : "; ", t->counted, thing);
    else
        dp_buf_printf(b, "%s%" PRIu64 " compared", alone ? "" : "; ", t->positive + t->negative);
    dp_buf_printf(b, "%s %u %s needed (--min-tests", t->counted && !agrees ? "," : ";", v->test.min_tests,
                  dp_plural(v->test.min_tests, "is", "are"));
    if (agrees)
        dp_buf_printf(b, " %zu", t->counted);
    dp_buf_byte(b, ')');
}

void dp_verdict_reason(dp_buf *b, const dp_validation *v, const dp_verdict_of *o)
{
    const dp_ruletest *t = dp_verdict_open_test(o);
    uint64_t           compared = t->positive + t->negative;
    main_cause         m = find_main_cause(t);
    switch (t->why) {
    case DP_UNDECIDED_ONE_CONTENT:
        dp_buf_printf(b, "all %" PRIu64 " pages compared have the same text; it may be an error or login page",
                      t->positive);
        return;
    case DP_UNDECIDED_UNSEEN:
        dp_buf_c(b, "no URL with ");
        put_branch(b, t);
        dp_buf_c(b, " could be compared");
        return;
    case DP_UNDECIDED_OTHER:
        dp_buf_c(b, "URLs with ");
        put_branch(b, t);
        dp_buf_c(b, " show other pages");
        return;
    case DP_UNDECIDED_COPIES:
        dp_buf_printf(b, "the other domain shows the same pages, as any copy does, but %" PRIu64
                      " of %" PRIu64 " URLs redirect there", t->moved, t->positive);
        return;
    case DP_UNDECIDED_BUDGET:
        dp_buf_printf(b, "the limit of %" PRIu64 " %s (--max-fetches) was reached", v->fetch.max_fetches,
                      dp_plural(v->fetch.max_fetches, "request", "requests"));
        dp_buf_printf(b, "; %" PRIu64 " compared, %u %s needed (--min-tests)", compared, v->test.min_tests,
                      dp_plural(v->test.min_tests, "is", "are"));
        return;
    default: break;
    }
    if (m.cause)
        put_cause(b, t, &m);
    if (compared < v->test.min_tests && !(m.cause && compared == 0 && t->counted >= v->test.min_tests))
        put_few(b, v, t, !m.cause);
}

void dp_plan_reason(dp_buf *b, const dp_validation *v, size_t i)
{
    const dp_plan_of *p = &v->plan[i];
    if (p->kind == DP_PLAN_LATER)
        dp_buf_printf(b, "left for another time: at most %" PRIu64 " %s (--budget)", p->requests,
                      dp_plural(p->requests, "request", "requests"));
    else
        dp_buf_printf(b, "%zu matching %s; %u %s needed (--min-tests %zu)", p->draws,
                      dp_plural(p->draws, "URL", "URLs"), v->test.min_tests, dp_plural(v->test.min_tests, "is", "are"),
                      p->draws ? p->draws : 1);
}

/* ---- for programs, and for the summary ---------------------------------------------------------- */

const char *dp_verdict_why(const dp_verdict_of *o)
{
    static const char *const names[DP_UNDECIDEDS] = {"too few URLs to test it on", "the budget is spent",
                                                     "too many failures", "all pages show one content",
                                                     "a name or value was not tested",
                                                     "a name or value shows other pages",
                                                     "only copies on another domain"};
    return names[dp_verdict_open_test(o)->why];
}

bool dp_verdict_is_untested(const dp_verdict_of *o)
{
    const dp_ruletest *t = dp_verdict_open_test(o);
    return t->positive + t->negative == 0;
}

const char *dp_verdict_next(const dp_verdict_of *o)
{
    const dp_ruletest *t = dp_verdict_open_test(o);
    main_cause         m = find_main_cause(t);
    if (t->why == DP_UNDECIDED_ONE_CONTENT)
        return "look at the pages yourself; 'dustpan rules on' makes a rule active";
    if (t->why == DP_UNDECIDED_UNSEEN)
        return "give URLs of each name or value of the list with --urls, or take those without out of the rule";
    if (t->why == DP_UNDECIDED_OTHER)
        return "take what shows other pages out of the list of the rule, and test it again";
    if (t->why == DP_UNDECIDED_COPIES)
        return "if both domains are yours, learn with --same-owner; 'dustpan rules on' makes a rule active";
    if (t->why == DP_UNDECIDED_BUDGET)
        return dp_cause_next(DP_CAUSE_BUDGET);
    return m.cause ? dp_cause_next(row_of(m.cause))
                   : "give more URLs of the same hosts with --urls, or lower --min-tests";
}
