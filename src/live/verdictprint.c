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

#include "base/json.h"
#include "base/plural.h"
#include "base/text.h"
#include "live/verdict.h"
#include "rule/print.h"
#include "url/mask.h"

enum { PAIRS_SHOWN = 3 };

static const char *const verdicts[] = {"untested", "kept", "turned", "rejected", "refined", "undecided"};
static const char *const plain_verdicts[] = {"off", "active", "reversed", "rejected", "covered", "undecided"};
static const char *const truths[] = {"running", "true", "false", "undecided"};

/* A URL, with what the rule drops or erases of it hidden. */
static void put_url(dp_buf *b, const dp_validation *v, dp_str url, dp_str result)
{
    if (v->raw)
        dp_buf_str(b, url);
    else
        dp_mask_url(b, url, &result, 1);
}

static void put_rule(dp_buf *b, const dp_rule *r, dp_direction side)
{
    dp_rule turned;
    if (side == DP_TURNED_ROUND) {
        turned = dp_rule_turned(r);
        r = &turned;
    }
    dp_print_text(b, r);
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

static void put_plain(dp_buf *b, const dp_validation *v, size_t i)
{
    static const dp_finding against[] = {DP_FINDING_DIFFERENT, DP_FINDING_UNKNOWN, DP_FINDING_SAME};
    const dp_verdict_of    *o = &v->verdict[i];
    const dp_rule          *r = v->rules->rule[i];
    if (o->kind == DP_UNTESTED)
        return;
    bool untested = o->kind == DP_UNDECIDED && dp_verdict_is_untested(v, o);
    dp_buf_printf(b, "%-10s  %08" PRIx32 "  ", untested ? "not tested" : plain_verdicts[o->kind],
                  (uint32_t)(r->id >> 32));
    put_rule(b, r, DP_AS_WRITTEN);
    dp_buf_printf(b, "  on %.*s", DP_FMT(r->block->hosts));
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
            put_rule(b, r, t->side);
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
    dp_buf_printf(b, "\"%s\":", name);
    dp_json_str(b, dp_buf_view(&shown));
    b->failed |= shown.failed;
    dp_buf_done(&shown);
}

static void put_json_text(dp_buf *b, const char *name, const char *text)
{
    dp_buf_printf(b, ",\"%s\":", name);
    dp_json_str(b, dp_str_c(text));
}

static void put_json_probe(dp_buf *b, const dp_validation *v, const dp_pair_probe *p)
{
    dp_buf_byte(b, '{');
    put_json_url(b, "u", v, p->u, p->result);
    dp_buf_byte(b, ',');
    put_json_url(b, "v", v, p->v, p->result);
    put_json_text(b, "finding", dp_finding_name(p->finding));
    if (p->by_redirect)
        put_json_text(b, "why", "redirect");
    else if (p->cause.kind != DP_CAUSE_NONE)
        put_json_text(b, "why", dp_cause_name(dp_cause_row(&p->cause)));
    if (!p->v_is_gone && (p->finding == DP_FINDING_SAME || p->finding == DP_FINDING_DIFFERENT))
        dp_buf_printf(b, ",\"shingles\":%u", p->common);
    dp_buf_byte(b, '}');
}

static void put_json_test(dp_buf *b, const dp_validation *v, const dp_rule *r, const dp_ruletest *t)
{
    dp_buf text = {0};
    put_rule(&text, r, t->side);
    dp_buf_c(b, "{\"rule\":");
    dp_json_str(b, dp_buf_view(&text));
    b->failed |= text.failed;
    dp_buf_done(&text);
    put_json_text(b, "of", t->pairs ? "pairs" : "results");
    put_json_text(b, "holds", truths[t->truth]);
    dp_buf_printf(b, ",\"same\":%" PRIu64 ",\"redirect\":%" PRIu64 ",\"different\":%" PRIu64 ",\"gone\":%" PRIu64,
                  t->positive, t->redirects, t->negative, t->gone);
    dp_buf_printf(b, ",\"unknown\":%" PRIu64 ",\"skipped\":%" PRIu64 ",\"evidence\":[", t->unknown, t->skipped);
    for (size_t i = 0; i < t->counted; i++) {
        if (i)
            dp_buf_byte(b, ',');
        put_json_probe(b, v, &t->probe[i]);
    }
    dp_buf_c(b, "]}");
}

static void put_json_rule(dp_buf *b, const dp_validation *v, size_t i)
{
    const dp_verdict_of *o = &v->verdict[i];
    const dp_rule       *r = v->rules->rule[i];
    dp_buf_printf(b, "{\"id\":\"%016" PRIx64 "\",\"hosts\":", r->id);
    dp_json_str(b, r->block->hosts);
    dp_buf_c(b, ",\"rule\":");
    dp_json_str(b, r->text);
    put_json_text(b, "state", dp_state_name(r->state));
    put_json_text(b, "verdict", verdicts[o->kind]);
    if (o->kind == DP_UNDECIDED) {
        dp_buf reason = {0};
        dp_verdict_reason(&reason, v, o);
        put_json_text(b, "why", dp_verdict_why(o));
        dp_buf_c(b, ",\"reason\":");
        dp_json_str(b, dp_buf_view(&reason));
        b->failed |= reason.failed;
        dp_buf_done(&reason);
    }
    if (o->kind == DP_REFINED)
        dp_buf_printf(b, ",\"refines\":\"%016" PRIx64 "\"", v->rules->rule[o->refines]->id);
    dp_buf_c(b, ",\"tests\":[");
    for (size_t k = 0; k < o->ntest; k++) {
        if (k)
            dp_buf_byte(b, ',');
        put_json_test(b, v, r, &o->test[k]);
    }
    dp_buf_c(b, "]}");
}

static void put_json(dp_buf *b, const dp_validation *v)
{
    const dp_fetcher_counts *c = &v->fetched;
    dp_buf_c(b, "{\"rules\":[");
    for (size_t i = 0; i < v->rules->nrule; i++) {
        if (i)
            dp_buf_byte(b, ',');
        put_json_rule(b, v, i);
    }
    dp_buf_printf(b, "],\"urls\":%zu,\"not_urls\":%zu,\"bad_lines\":%" PRIu64, v->urls, v->not_urls, v->bad_lines);
    for (size_t k = DP_KEPT; k < DP_COUNT(verdicts); k++)
        dp_buf_printf(b, ",\"%s\":%zu", verdicts[k], dp_validation_verdicts(v, (dp_validation_answer)k));
    dp_buf_printf(b, ",\"requests\":%" PRIu64 ",\"repeats\":%" PRIu64 ",\"cached\":%" PRIu64 ",\"pages\":%" PRIu64,
                  c->requests, c->repeats, c->found, c->pages);
    dp_buf_printf(b, ",\"redirects\":%" PRIu64 ",\"no_page\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"spared\":%" PRIu64
                  ",\"robots_denied\":%" PRIu64 "}\n", c->redirects, c->gone, c->failed, c->spared, c->robots_denied);
}

dp_err dp_validation_print(dp_text **out, const dp_validation *v, dp_format format)
{
    dp_buf b = {0};
    if (!v->rules)
        return DP_EINVALID;
    if (format == DP_JSON)
        put_json(&b, v);
    else
        for (size_t i = 0; i < v->rules->nrule; i++)
            put_plain(&b, v, i);
    return dp_text_take(out, &b);
}
