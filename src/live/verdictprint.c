/* verdictprint.c - dp_validation_print of dustpan.h: verdicts with their evidence.
 *
 *     rejected    5ac3e1f0  drop ?p  on a.com
 *         17 pairs of pages compared: 12 same, 5 different; 1 skipped
 *           different: http://a.com/x?p=2  http://a.com/x
 *
 * Plain text shows a few pairs of each rule, those that contradict it first; JSON has them all. The names of verdicts
 * in JSON are older than those for people, and stay.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "base/text.h"
#include "base/words/json.h"
#include "live/echo.h"
#include "rule/print.h"
#include "url/mask.h"

enum { PAIRS_SHOWN = 3 };

static const char *const verdicts[] = {"untested", "kept", "turned", "rejected", "refined", "undecided"};
static const char *const plain_verdicts[] = {"off", "active", "reversed", "rejected", "covered", "undecided"};
static const char *const plans[] = {"off", "test", "later", "too few"};
static const char *const truths[] = {"running", "true", "false", "undecided"};

/* A URL, with what the rule drops or erases of it hidden. */
static void put_url(dp_buf *b, const dp_validation *v, dp_str url, dp_str result)
{
    if (v->raw)
        dp_buf_str(b, url);
    else
        dp_mask_url(b, url, &result, 1);
}

static void put_rule(dp_buf *b, const dp_validation *v, const dp_ruletest *t)
{
    dp_print_text(b, t->side == DP_TURNED_ROUND ? dp_draws_turned(v->draws, t->rule) : v->rules->rule[t->rule]);
}

/* ---- plain ------------------------------------------------------------------------------------ */

static void put_counts(dp_buf *b, const dp_ruletest *t)
{
    uint64_t n = t->positive + t->negative;
    dp_buf_printf(b, "%" PRIu64 " %s of pages compared", n, dp_plural(n, "pair", "pairs"));
    if (n)
        dp_buf_printf(b, ": %" PRIu64 " same", t->positive);
    if (t->redirects)
        dp_buf_printf(b, " (%" PRIu64 " by redirect)", t->redirects);
    if (n)
        dp_buf_printf(b, ", %" PRIu64 " different", t->negative);
    if (t->gone)
        dp_buf_printf(b, " (%" PRIu64 " without a page)", t->gone);
    if (t->unknown)
        dp_buf_printf(b, "; %" PRIu64 " unknown", t->unknown);
    if (t->skipped)
        dp_buf_printf(b, "; %" PRIu64 " skipped", t->skipped);
}

/* Pairs of one finding, until `left` is used up. */
static void put_pairs(dp_buf *b, const dp_validation *v, const dp_ruletest *t, dp_finding f, size_t *left)
{
    for (size_t i = 0; i < t->counted && *left; i++) {
        const dp_pair_probe *p = &t->probe[i];
        if (p->finding != f)
            continue;
        (*left)--;
        dp_buf_c(b, "      ");
        dp_buf_c(b, dp_finding_name(f));
        dp_buf_c(b, ": ");
        put_url(b, v, p->u, p->result);
        dp_buf_c(b, "  ");
        put_url(b, v, p->v, p->result);
        if (p->by_redirect)
            dp_buf_c(b, "  (both redirect to one URL)");
        else if (p->cause.kind != DP_CAUSE_NONE)
            dp_buf_printf(b, "  (%s)", dp_cause_phrase(dp_cause_row(&p->cause)));
        dp_buf_byte(b, '\n');
    }
}

static void put_name(dp_buf *b, const char *verdict, const dp_rule *r)
{
    dp_buf_printf(b, "%-10s  %08" PRIx32 "  ", verdict, (uint32_t)(r->id >> 32));
    dp_print_text(b, r);
    dp_buf_printf(b, "  on %.*s", DP_FMT(r->block->hosts));
}

/* A rule that no request was spent on, and why. */
static void put_planned(dp_buf *b, const dp_validation *v, size_t i)
{
    const dp_plan_of *p = v->plan ? &v->plan[i] : NULL;
    if (!p || (p->kind != DP_PLAN_LATER && p->kind != DP_PLAN_FEW))
        return;
    put_name(b, "not tested", v->rules->rule[i]);
    dp_buf_c(b, "\n    ");
    dp_plan_reason(b, v, i);
    dp_buf_byte(b, '\n');
}

static void put_plain(dp_buf *b, const dp_validation *v, size_t i)
{
    static const dp_finding against[] = {DP_FINDING_DIFFERENT, DP_FINDING_UNKNOWN, DP_FINDING_SAME};
    const dp_verdict_of    *o = &v->verdict[i];
    const dp_rule          *r = v->rules->rule[i];
    if (o->kind == DP_UNTESTED) {
        put_planned(b, v, i);
        return;
    }
    bool untested = o->kind == DP_UNDECIDED && dp_verdict_is_untested(o);
    put_name(b, untested ? "not tested" : plain_verdicts[o->kind], r);
    if (r->state == DP_PIN)
        dp_buf_c(b, "  (pinned: unchanged)");
    if (o->kind == DP_REFINED)
        dp_buf_printf(b, "  by %08" PRIx32, (uint32_t)(v->rules->rule[o->refines]->id >> 32));
    if (o->kind == DP_UNDECIDED) {
        dp_buf_c(b, "\n    ");
        dp_verdict_reason(b, v, o);
    }
    dp_buf_byte(b, '\n');
    for (size_t k = 0; k < o->ntest; k++) {
        const dp_ruletest *t = &o->test[k];
        size_t             left = PAIRS_SHOWN;
        if (t->counted == t->skipped)
            continue;
        dp_buf_c(b, "    ");
        if (o->ntest > 1 || t->side == DP_TURNED_ROUND) {
            put_rule(b, v, t);
            dp_buf_c(b, t->pairs ? ", on pairs of the list: " : ": ");
        }
        put_counts(b, t);
        dp_buf_byte(b, '\n');
        for (size_t f = 0; f < DP_COUNT(against); f++)
            put_pairs(b, v, t, against[f], &left);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_json_url(dp_buf *b, const char *name, const dp_validation *v, dp_str url, dp_str result)
{
    dp_buf shown = {0};
    put_url(&shown, v, url, result);
    dp_json_take(b, name, &shown);
}

static void put_json_probe(dp_buf *b, const dp_validation *v, const dp_pair_probe *p)
{
    dp_json_open(b, NULL, '{');
    put_json_url(b, "u", v, p->u, p->result);
    put_json_url(b, "v", v, p->v, p->result);
    dp_json_text(b, "finding", dp_str_c(dp_finding_name(p->finding)));
    if (p->by_redirect)
        dp_json_text(b, "why", DP_STR("redirect"));
    else if (p->cause.kind != DP_CAUSE_NONE)
        dp_json_text(b, "why", dp_str_c(dp_cause_name(dp_cause_row(&p->cause))));
    if (!p->v_is_gone && (p->finding == DP_FINDING_SAME || p->finding == DP_FINDING_DIFFERENT))
        dp_json_count(b, "shingles", p->common);
    dp_buf_byte(b, '}');
}

static void put_json_test(dp_buf *b, const dp_validation *v, const dp_ruletest *t)
{
    dp_buf text = {0};
    put_rule(&text, v, t);
    dp_json_open(b, NULL, '{');
    dp_json_take(b, "rule", &text);
    dp_json_text(b, "of", dp_str_c(t->pairs ? "pairs" : "results"));
    dp_json_text(b, "holds", dp_str_c(truths[t->truth]));
    dp_json_count(b, "same", t->positive);
    dp_json_count(b, "redirect", t->redirects);
    dp_json_count(b, "different", t->negative);
    dp_json_count(b, "gone", t->gone);
    dp_json_count(b, "unknown", t->unknown);
    dp_json_count(b, "skipped", t->skipped);
    dp_json_open(b, "evidence", '[');
    for (size_t i = 0; i < t->counted; i++)
        put_json_probe(b, v, &t->probe[i]);
    dp_buf_c(b, "]}");
}

/* What was to be done about a rule; with a budget also why it was not. */
static void put_json_plan(dp_buf *b, const dp_validation *v, size_t i)
{
    const dp_plan_of *p = &v->plan[i];
    dp_json_text(b, "plan", dp_str_c(plans[p->kind]));
    if (p->kind == DP_PLAN_NOTHING)
        return;
    dp_json_count(b, "planned_requests", p->requests);
    dp_json_count(b, "matching", p->draws);
}

static void put_json_rule(dp_buf *b, const dp_validation *v, size_t i)
{
    const dp_verdict_of *o = &v->verdict[i];
    const dp_rule       *r = v->rules->rule[i];
    dp_json_open(b, NULL, '{');
    dp_json_id(b, "id", r->id);
    dp_json_text(b, "hosts", r->block->hosts);
    dp_json_text(b, "rule", r->text);
    dp_json_text(b, "state", dp_str_c(dp_state_name(r->state)));
    dp_json_text(b, "verdict", dp_str_c(verdicts[o->kind]));
    if (v->plan)
        put_json_plan(b, v, i);
    if (o->kind == DP_UNDECIDED) {
        dp_buf reason = {0};
        dp_verdict_reason(&reason, v, o);
        dp_json_text(b, "why", dp_str_c(dp_verdict_why(o)));
        dp_json_take(b, "reason", &reason);
    }
    if (o->kind == DP_REFINED)
        dp_json_id(b, "refines", v->rules->rule[o->refines]->id);
    dp_json_open(b, "tests", '[');
    for (size_t k = 0; k < o->ntest; k++)
        put_json_test(b, v, &o->test[k]);
    dp_buf_c(b, "]}");
}

static void put_json(dp_buf *b, const dp_validation *v)
{
    const dp_fetcher_counts *c = &v->fetched;
    dp_buf_byte(b, '{');
    dp_json_open(b, "rules", '[');
    for (size_t i = 0; i < v->rules->nrule; i++)
        put_json_rule(b, v, i);
    dp_buf_byte(b, ']');
    dp_json_text(b, "identity", dp_str_c(v->identity));
    dp_json_count(b, "urls", v->urls);
    dp_json_count(b, "not_urls", v->not_urls);
    dp_json_count(b, "bad_lines", v->bad_lines);
    for (size_t k = DP_KEPT; k < DP_COUNT(verdicts); k++)
        dp_json_count(b, verdicts[k], dp_validation_verdicts(v, (dp_validation_answer)k));
    dp_json_count(b, "requests", c->requests);
    dp_json_count(b, "repeats", c->repeats);
    dp_json_count(b, "cached", c->found);
    dp_json_count(b, "pages", c->pages);
    dp_json_count(b, "redirects", c->redirects);
    dp_json_count(b, "no_page", c->gone);
    dp_json_count(b, "failed", c->failed);
    dp_json_count(b, "spared", c->spared);
    dp_json_count(b, "robots_denied", c->robots_denied);
    dp_buf_c(b, "}\n");
}

dp_err dp_validation_print(dp_text **out, const dp_validation *v, dp_format format)
{
    dp_buf b = {0};
    if (!v->rules && !v->echo.wanted)
        return DP_EINVALID;
    if (v->echo.wanted)
        format == DP_JSON ? dp_echo_json(&b, v) : dp_echo_summary(&b, v);
    else if (format == DP_JSON)
        put_json(&b, v);
    else
        for (size_t i = 0; i < v->rules->nrule; i++)
            put_plain(&b, v, i);
    return dp_text_take(out, &b);
}
