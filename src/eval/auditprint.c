/* An audit, as a table for people and as one JSON object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/text.h"
#include "base/words/json.h"
#include "eval/audit.h"
#include "eval/grid.h"
#include "rule/attr.h"
#include "rule/print.h"
#include "rule/setid.h"
#include "url/mask.h"

enum { CAPPED_ODDS = 1000000 /* more are shown as that */ };

void dp_audit_put_url(dp_buf *out, const dp_audit *a, uint32_t item, uint32_t other)
{
    dp_str url = dp_truth_text(&a->truth, item), kept = dp_truth_text(&a->truth, other);
    if (a->raw)
        dp_buf_str(out, url);
    else
        dp_mask_url(out, url, &kept, 1);
}

static size_t shown_pairs(const dp_audit *a, size_t i)
{
    size_t n = a->rule[i].neg > 0 ? a->samples[i].nwrong : 0;
    return n < a->examples ? n : a->examples;
}

typedef struct walk {
    int    verdict;
    size_t next;
} walk;

/* The next of the rules that were voted on, the broken ones first; false when there are no more. */
static bool next_voted(const dp_audit *a, walk *w, size_t *i)
{
    for (; w->verdict <= DP_VERDICT_HOLDS; w->verdict++, w->next = 0) {
        while (w->next < a->rules->nrule) {
            *i = w->next++;
            if ((int)a->rule[*i].verdict == w->verdict)
                return true;
        }
    }
    return false;
}

/* ---- plain ------------------------------------------------------------------------------------------ */

/* What the file says of a rule, or nothing. */
static void cell_attr(dp_grid *g, const dp_rule *r, const char *key)
{
    const dp_attr *at = dp_attr_find(r, dp_str_c(key));
    dp_grid_str(g, at ? at->value : DP_STR("-"));
}

static void plain_row(dp_grid *g, const dp_audit *a, size_t i)
{
    const dp_rule    *r = a->rules->rule[i];
    const dp_audited *of = &a->rule[i];
    double            odds = of->odds < CAPPED_ODDS ? of->odds : CAPPED_ODDS;
    dp_grid_cell(g, "%08" PRIx64, r->id >> 32);
    dp_grid_cell(g, "%s", dp_state_name(r->state));
    dp_grid_share(g, of->promise);
    cell_attr(g, r, "n");
    cell_attr(g, r, "neg");
    dp_grid_cell(g, "%" PRIu64, of->pos);
    dp_grid_cell(g, "%" PRIu64, of->neg);
    dp_grid_share(g, of->agree);
    dp_grid_number(g, odds);
    dp_grid_cell(g, "%s", dp_verdict_name(of->verdict));
}

static void plain_pairs(dp_buf *out, const dp_audit *a, size_t i)
{
    const dp_rule *r = a->rules->rule[i];
    dp_buf_printf(out, "\n%08" PRIx64 "  %.*s  (%.*s)\n", r->id >> 32, DP_FMT(r->text), DP_FMT(r->block->hosts));
    for (size_t k = 0; k < shown_pairs(a, i); k++) {
        const dp_wrong *w = &a->samples[i].wrong[k];
        dp_buf_c(out, "    not the same: ");
        dp_audit_put_url(out, a, w->a, w->b);
        dp_buf_c(out, "\n                  ");
        dp_audit_put_url(out, a, w->b, w->a);
        dp_buf_byte(out, '\n');
    }
}

/* "5 rules: 1 broken, 1 holds, 2 without evidence, 1 off" */
static void plain_totals(dp_buf *out, const dp_audit *a)
{
    static const char *const word[DP_VERDICTS][2] = {
        [DP_VERDICT_BROKEN] = {"broken", "broken"},
        [DP_VERDICT_DOUBT] = {"doubtful", "doubtful"},
        [DP_VERDICT_HOLDS] = {"holds", "hold"},
        [DP_VERDICT_SILENT] = {"without evidence", "without evidence"},
        [DP_VERDICT_OFF] = {"off", "off"},
    };
    dp_buf list = {0};
    for (int v = 0; v < DP_VERDICTS; v++)
        dp_count_add(&list, a->total[v], word[v][0], word[v][1]);
    dp_buf_printf(out, "%zu rule%s", a->rules->nrule, dp_s(a->rules->nrule));
    dp_buf_c(out, list.n ? ": " : "");
    dp_buf_str(out, dp_buf_view(&list));
    dp_buf_byte(out, '\n');
    out->failed |= list.failed;
    dp_buf_done(&list);
}

static void add_percent(dp_buf *out, double share)
{
    dp_json_number(out, 100 * share, 2);
    dp_buf_c(out, " %");
}

/* What may be probes and is not among those that count, and why. */
static void plain_uncompared(dp_buf *out, const dp_probes *p)
{
    const struct {
        uint64_t    n;
        const char *why;
    } row[] = {
        {p->no_page, "not compared: an error, a redirect, or a page that is not known"},
        {p->no_first, "not compared: what was fetched first was a redirect, or a page that is not known"},
        {p->alone, "not compared: first of its key here; if it is a probe, earlier records are missing"},
    };
    for (size_t i = 0; i < DP_COUNT(row); i++) {
        if (row[i].n)
            dp_buf_printf(out, "%" PRIu64 " URL%s %s\n", row[i].n, dp_s(row[i].n), row[i].why);
    }
}

/* "312 probes (--explore): 310 show the page that was fetched in their place, 2 another one" and what it proves. */
static void plain_probes(dp_buf *out, const dp_audit *a)
{
    static const char *const head[] = {"rule", "probes", "wrong", "at least", "at most", "odds"};
    dp_draws                 d = dp_probes_sum(&a->probes);
    dp_grid                  g = {0};
    size_t                   rows = 0;
    dp_buf_printf(out, "\n%zu probe%s (--explore): %" PRIu64 " right, %" PRIu64 " wrong\n", a->probes.n,
                  dp_s(a->probes.n), d.right, d.wrong);
    plain_uncompared(out, &a->probes);
    if (!a->probes.n) {
        if (!a->probes.no_page && !a->probes.no_first)
            dp_buf_c(out, "no probe found: give the --explore and --salt that 'dustpan apply' was given\n");
        return;
    }
    dp_buf_c(out, "With a confidence of ");
    add_percent(out, a->confidence);
    dp_buf_c(out, ", at least ");
    add_percent(out, dp_bet_least(d, a->confidence));
    dp_buf_c(out, " and at most ");
    add_percent(out, dp_bet_most(d, a->confidence));
    dp_buf_c(out, " of what the rules leave out is the page that was fetched in its place.\n");
    dp_grid_head(&g, head, DP_COUNT(head));
    for (size_t i = 0; i < a->rules->nrule; i++) {
        dp_probed of = a->rule[i].probed;
        if (!(of.draws.right + of.draws.wrong))
            continue;
        dp_grid_cell(&g, "%08" PRIx64, a->rules->rule[i]->id >> 32);
        dp_grid_cell(&g, "%" PRIu64, of.draws.right + of.draws.wrong);
        dp_grid_cell(&g, "%" PRIu64, of.draws.wrong);
        dp_grid_share(&g, dp_bet_least(of.draws, a->confidence));
        dp_grid_share(&g, dp_bet_most(of.draws, a->confidence));
        dp_grid_number(&g, of.odds < CAPPED_ODDS ? of.odds : CAPPED_ODDS);
        rows++;
    }
    if (rows) {
        dp_buf_byte(out, '\n');
        dp_grid_print(out, &g);
    }
    dp_grid_done(&g);
}

static void print_plain(dp_buf *out, const dp_audit *a)
{
    static const char *const head[] = {"rule", "state", "promise", "n", "neg", "for", "against", "agree", "odds",
                                       "verdict"};
    dp_grid g = {0};
    size_t  i;
    dp_truth_say(out, &a->truth);
    dp_buf_c(out, "\nassuming that ");
    dp_json_number(out, 100 * a->noise, 1);
    dp_buf_c(out, " % of the labels are wrong (--noise)\n");
    plain_totals(out, a);
    if (a->total[DP_VERDICT_BROKEN] + a->total[DP_VERDICT_DOUBT] + a->total[DP_VERDICT_HOLDS]) {
        dp_grid_head(&g, head, DP_COUNT(head));
        for (walk w = {0}; next_voted(a, &w, &i);)
            plain_row(&g, a, i);
        dp_buf_byte(out, '\n');
        dp_grid_print(out, &g);
        dp_grid_done(&g);
    }
    if (a->explore.most)
        plain_probes(out, a);
    for (walk w = {0}; next_voted(a, &w, &i);) {
        if (shown_pairs(a, i) || a->rule[i].verdict == DP_VERDICT_BROKEN)
            plain_pairs(out, a, i);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void json_url(dp_buf *out, const dp_audit *a, uint32_t item, uint32_t other)
{
    dp_buf text = {0};
    dp_audit_put_url(&text, a, item, other);
    dp_json_take(out, NULL, &text);
}

static void json_attr(dp_buf *out, const dp_rule *r, const char *key)
{
    double v = dp_rule_number(r, key, -1);
    if (v < 0)
        dp_json_null(out, key);
    else
        dp_json_share(out, key, v);
}

/* What probes tell: of all rules, or of one. */
static void json_probes(dp_buf *out, const dp_audit *a, dp_draws d)
{
    dp_json_open(out, "probes", '{');
    dp_json_count(out, "right", d.right);
    dp_json_count(out, "wrong", d.wrong);
    dp_json_share(out, "least", dp_bet_least(d, a->confidence));
    dp_json_share(out, "most", dp_bet_most(d, a->confidence));
}

static void json_rule(dp_buf *out, const dp_audit *a, size_t i)
{
    const dp_rule    *r = a->rules->rule[i];
    const dp_audited *of = &a->rule[i];
    dp_json_open(out, NULL, '{');
    dp_json_short_id(out, "id", r->id);
    dp_json_text(out, "rule", r->text);
    dp_json_text(out, "host", r->block->hosts);
    dp_json_text(out, "state", dp_str_c(dp_state_name(r->state)));
    dp_json_text(out, "verdict", dp_str_c(dp_verdict_name(of->verdict)));
    dp_json_share(out, "promise", of->promise);
    json_attr(out, r, "n");
    json_attr(out, r, "neg");
    dp_json_count(out, "for", of->pos);
    dp_json_count(out, "against", of->neg);
    dp_json_share(out, "agree", of->agree);
    dp_json_key(out, "odds");
    dp_json_number(out, of->odds, 2);
    if (a->explore.most) {
        json_probes(out, a, of->probed.draws);
        dp_json_key(out, "odds");
        dp_json_number(out, of->probed.odds, 2);
        dp_buf_byte(out, '}');
    }
    dp_json_open(out, "wrong", '[');
    for (size_t k = 0; k < shown_pairs(a, i); k++) {
        const dp_wrong *w = &a->samples[i].wrong[k];
        dp_json_open(out, NULL, '[');
        json_url(out, a, w->a, w->b);
        json_url(out, a, w->b, w->a);
        dp_buf_byte(out, ']');
    }
    dp_buf_c(out, "]}");
}

static void print_json(dp_buf *out, const dp_audit *a)
{
    size_t i;
    dp_buf_byte(out, '{');
    dp_json_count(out, "urls", a->truth.n);
    dp_json_count(out, "clusters", a->truth.clusters.n);
    dp_json_count(out, "singletons", dp_truth_singletons(&a->truth));
    dp_json_count(out, "hosts", a->truth.nhost);
    dp_json_text(out, "identity", dp_str_c(dp_truth_identity(&a->truth)));
    dp_json_share(out, "noise", a->noise);
    for (int v = 0; v < DP_VERDICTS; v++)
        dp_json_count(out, dp_verdict_name((dp_verdict)v), a->total[v]);
    dp_json_count(out, "broken_active", a->broken_active);
    dp_json_count(out, "bad_lines", a->in.bad);
    if (a->explore.most) {
        json_probes(out, a, dp_probes_sum(&a->probes));
        dp_json_share(out, "confidence", a->confidence);
        dp_json_count(out, "no_page", a->probes.no_page);
        dp_json_count(out, "no_first", a->probes.no_first);
        dp_json_count(out, "alone", a->probes.alone);
        dp_buf_byte(out, '}');
    }
    dp_set_print(out, "set", a->rules);
    dp_json_open(out, "rules", '[');
    for (walk w = {0}; next_voted(a, &w, &i);) {
        dp_json_line(out);
        json_rule(out, a, i);
    }
    dp_buf_c(out, "]}\n");
}

dp_err dp_audit_print(dp_text **out, const dp_audit *a, dp_format format)
{
    dp_buf b = {0};
    if (!a->samples)
        return DP_EINVALID;
    (format == DP_JSON ? print_json : print_plain)(&b, a);
    return dp_text_take(out, &b);
}
