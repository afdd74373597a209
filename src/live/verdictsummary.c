/* verdictsummary.c - dp_validation_summary of dustpan.h: a validation in a few lines.
 *
 *     281 URLs, 9 rules: 2 active, 1 reversed and active, 2 rejected and off, 4 not tested
 *     58 requests; 12 URLs gave no page: 10 forbidden by robots.txt, 2 no such page
 *     to decide on the remaining rules: give more URLs of the same hosts with --urls, or lower --min-tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "base/text.h"
#include "live/echo.h"

static void put_rules(dp_buf *b, const dp_validation *v)
{
    static const struct {
        dp_validation_answer verdict;
        const char          *what;
    } verdicts[] = {{DP_KEPT, "active"},
                    {DP_TURNED, "reversed and active"},
                    {DP_REFINED, "covered by another rule and removed"}};
    dp_buf list = {0};
    size_t left = 0, few = 0, off = dp_validation_verdicts(v, DP_UNTESTED);
    size_t rejected = dp_validation_verdicts(v, DP_REJECTED);
    size_t pinned = 0, open = 0, untested = 0, rules = v->rules->nrule - off;
    for (size_t i = 0; i < DP_COUNT(verdicts); i++)
        dp_count_add(&list, dp_validation_verdicts(v, verdicts[i].verdict), verdicts[i].what, verdicts[i].what);
    for (size_t i = 0; i < v->rules->nrule; i++) {
        const dp_verdict_of *o = &v->verdict[i];
        if (o->kind == DP_UNDECIDED)
            *(dp_verdict_is_untested(o) ? &untested : &open) += 1;
        left += v->plan && v->plan[i].kind == DP_PLAN_LATER;
        few += v->plan && v->plan[i].kind == DP_PLAN_FEW;
        pinned += o->kind == DP_REJECTED && v->rules->rule[i]->state == DP_PIN;
    }
    dp_count_add(&list, rejected - pinned, "rejected and off", "rejected and off");
    dp_count_add(&list, pinned, "rejected but pinned", "rejected but pinned");
    dp_count_add(&list, open, "undecided", "undecided");
    dp_count_add(&list, untested, "not tested", "not tested");
    dp_buf_printf(b, "%zu %s, %zu %s", v->urls, dp_plural(v->urls, "URL", "URLs"), rules,
                  dp_plural(rules, "rule", "rules"));
    if (list.n)
        dp_buf_printf(b, ": %.*s", DP_FMT(dp_buf_view(&list)));
    off -= left + few;
    if (left)
        dp_buf_printf(b, "; %zu %s left for another time: the budget is too small", left, dp_plural(left, "is", "are"));
    if (few)
        dp_buf_printf(b, "; %zu %s too few URLs to be tested", few, dp_plural(few, "has", "have"));
    if (off)
        dp_buf_printf(b, "; %zu %s off and not tested", off, dp_plural(off, "is", "are"));
    dp_buf_byte(b, '\n');
    b->failed |= list.failed;
    dp_buf_done(&list);
}

/* URLs that gave no page, by cause, most frequent first. */
static void put_causes(dp_buf *b, const dp_fetcher_counts *c)
{
    uint64_t left[DP_CAUSE_ROWS], all = 0, kinds = 0;
    for (size_t i = 0; i < DP_CAUSE_ROWS; i++) {
        left[i] = c->causes[i];
        all += left[i];
        kinds += left[i] > 0;
    }
    if (all == 0)
        return;
    bool others = c->pages + c->redirects + c->found > 0;
    dp_buf_printf(b, "; %s%" PRIu64 " %s gave no page: ", others || all == 1 ? "" : "all ", all,
                  dp_plural(all, "URL", "URLs"));
    for (uint64_t k = 0; k < kinds; k++) {
        size_t most = 0;
        for (size_t i = 1; i < DP_CAUSE_ROWS; i++)
            if (left[i] > left[most])
                most = i;
        dp_buf_c(b, k ? ", " : "");
        if (kinds > 1)
            dp_buf_printf(b, "%" PRIu64 " ", left[most]);
        dp_buf_c(b, dp_cause_phrase(most));
        left[most] = 0;
    }
}

void dp_validation_put_requests(dp_buf *b, const dp_validation *v)
{
    const dp_fetcher_counts *c = &v->fetched;
    dp_buf_printf(b, "%" PRIu64 " %s", c->requests, dp_plural(c->requests, "request", "requests"));
    if (c->repeats)
        dp_buf_printf(b, " (%" PRIu64 " repeated after a failure)", c->repeats);
    if (c->found)
        dp_buf_printf(b, ", %" PRIu64 " %s from earlier runs in the cache", c->found,
                      dp_plural(c->found, "answer", "answers"));
    put_causes(b, c);
    dp_buf_byte(b, '\n');
}

/* What most of the open rules need, of a few things that a rule can need. */
static void put_next(dp_buf *b, const dp_validation *v)
{
    struct {
        const char *what;
        size_t      rules;
    } need[DP_CAUSE_ROWS + DP_UNDECIDEDS];
    size_t n = 0, best = 0, all = dp_validation_verdicts(v, DP_UNDECIDED);
    for (size_t i = 0; i < v->rules->nrule; i++) {
        if (v->verdict[i].kind != DP_UNDECIDED)
            continue;
        const char *what = dp_verdict_next(&v->verdict[i]);
        size_t      k = 0;
        while (k < n && strcmp(need[k].what, what) != 0)
            k++;
        if (k == n) {
            need[n].what = what;
            need[n++].rules = 0;
        }
        need[k].rules++;
        if (need[k].rules > need[best].rules)
            best = k;
    }
    if (all == 0)
        return;
    if (need[best].rules == all)
        dp_buf_printf(b, "to decide on the remaining %s: %s\n", dp_plural(all, "rule", "rules"), need[best].what);
    else
        dp_buf_printf(b, "to decide on %zu of the remaining %zu rules: %s\n", need[best].rules, all, need[best].what);
}

dp_err dp_validation_summary(dp_text **out, const dp_validation *v)
{
    dp_buf b = {0};
    if (!v->rules && !v->echo.wanted)
        return DP_EINVALID;
    if (v->echo.wanted) {
        dp_echo_summary(&b, v);
        return dp_text_take(out, &b);
    }
    put_rules(&b, v);
    if (v->not_urls)
        dp_buf_printf(&b, "%zu %s\n", v->not_urls, dp_plural(v->not_urls, "line is not a URL", "lines are not URLs"));
    if (!v->offline && v->rules->nrule)
        dp_validation_put_requests(&b, v);
    put_next(&b, v);
    return dp_text_take(out, &b);
}
