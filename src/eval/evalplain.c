/* An evaluation as tables for people.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/words/json.h"
#include "eval/evalprint.h"
#include "judge/saving.h"

static void add_row(dp_grid *g, const dp_eval_row *r)
{
    const dp_score *s = &r->score;
    dp_grid_str(g, dp_str_c(r->name));
    dp_grid_cell(g, "%" PRIu64, s->fetched);
    dp_grid_cell(g, "%" PRIu64, s->covered);
    dp_grid_cell(g, "%" PRIu64, s->lost);
    dp_grid_share(g, s->reduction);
    dp_grid_share(g, s->precision);
    dp_grid_share(g, s->recall);
    dp_grid_share(g, s->f1);
    dp_grid_share(g, s->coverage);
    dp_grid_cell(g, "%" PRIu64, s->good);
    dp_grid_cell(g, "%" PRIu64, s->bad);
    if (r->engine)
        dp_grid_cell(g, "%zu", dp_eval_rules(r->engine));
    else
        dp_grid_cell(g, "-");
}

static void plain_rows(dp_buf *out, const dp_eval *v)
{
    static const char *const head[] = {"", "fetched", "covered", "lost", "reduction", "precision", "recall", "f1",
                                       "coverage", "good", "bad", "rules"};
    dp_grid g = {0};
    dp_eval_row base[DP_BASELINES];
    dp_tally    best = dp_tally_best(v->truth.n, v->truth.clusters.n);
    dp_eval_baselines(base, v);
    dp_grid_head(&g, head, DP_COUNT(head));
    for (size_t i = 0; i < DP_BASELINES; i++)
        add_row(&g, &base[i]);
    for (size_t i = 0; i < v->nrules; i++)
        add_row(&g, &(dp_eval_row){v->name[i], NULL, v->score[DP_MAP_RULES + i], v->engine[i]});
    add_row(&g, &(dp_eval_row){"best possible", NULL, dp_score_of(&best), NULL});
    dp_grid_print(out, &g);
    dp_grid_done(&g);
}

/* What the rules are worth, in two sentences. */
static void plain_worth(dp_buf *out, const dp_eval *v)
{
    const dp_score *s = &v->score[DP_MAP_RULES];
    size_t          rules = dp_eval_rules(v->engine[0]);
    dp_buf_printf(out, "\n%s: ", v->name[0]);
    dp_saving_say(out, s->urls, s->fetched, s->clusters);
    if (s->lost)
        dp_buf_printf(out, "; %" PRIu64 " page%s lost\n", s->lost, dp_s(s->lost));
    else
        dp_buf_c(out, "; no page lost\n");
    dp_buf_printf(out, "%s: %zu rule%s, ", v->name[0], rules, dp_s(rules));
    dp_json_number(out, dp_average_reduction(s, rules), 2);
    dp_buf_printf(out, " fetches saved per rule (set %016" PRIx64 ")\n", dp_engine_set_id(v->engine[0]));
}

static void plain_losses(dp_buf *out, const dp_eval *v)
{
    size_t shown = 0;
    for (size_t i = 0; i < v->nloss; i++)
        shown += dp_eval_has_pair(v, v->loss[i].item, v->loss[i].instead);
    if (!shown)
        return;
    dp_buf_printf(out, "\nlost pages, %zu of %" PRIu64 ":\n", shown, v->score[DP_MAP_RULES].lost);
    for (size_t i = 0; i < v->nloss; i++) {
        const dp_loss *l = &v->loss[i];
        if (!dp_eval_has_pair(v, l->item, l->instead))
            continue;
        dp_buf_c(out, "  ");
        dp_eval_add_url(out, v, l->item, l->instead);
        dp_buf_c(out, "\n    fetched instead: ");
        dp_eval_add_url(out, v, l->instead, l->item);
        dp_buf_byte(out, '\n');
    }
}

static void plain_hosts(dp_buf *out, const dp_eval *v)
{
    static const char *const head[] = {"host", "urls", "pages", "fetched", "lost", "reduction", "best", "precision",
                                       "recall", "f1", "good", "bad"};
    dp_grid   g = {0};
    dp_eval_host *r = dp_eval_sort_hosts(v);
    out->failed |= !r;
    dp_grid_head(&g, head, DP_COUNT(head));
    for (uint32_t i = 0; r && i < v->truth.nhost; i++) {
        const dp_score *s = r[i].score;
        dp_grid_str(&g, r[i].name);
        dp_grid_cell(&g, "%" PRIu64, s->urls);
        dp_grid_cell(&g, "%" PRIu64, s->clusters);
        dp_grid_cell(&g, "%" PRIu64, s->fetched);
        dp_grid_cell(&g, "%" PRIu64, s->lost);
        dp_grid_share(&g, s->reduction);
        dp_grid_share(&g, s->best_reduction);
        dp_grid_share(&g, s->precision);
        dp_grid_share(&g, s->recall);
        dp_grid_share(&g, s->f1);
        dp_grid_cell(&g, "%" PRIu64, s->good);
        dp_grid_cell(&g, "%" PRIu64, s->bad);
    }
    dp_buf_byte(out, '\n');
    dp_grid_print(out, &g);
    dp_grid_done(&g);
    free(r);
}

/* A share of `of` things; of none it is not known. */
static void add_known(dp_grid *g, double v, uint64_t of)
{
    if (of)
        dp_grid_share(g, v);
    else
        dp_grid_cell(g, "-");
}

/* A line for each rule; then what they are, each with two URLs that it joins wrongly. */
static void plain_rules(dp_buf *out, const dp_eval *v)
{
    static const char *const head[] = {"rule", "fired", "changes", "unknown", "good", "bad", "for", "against",
                                       "expected", "precision", "support", "fpr", "fpr_collide"};
    const dp_engine *e = v->engine[0];
    dp_grid          g = {0};
    dp_buf           list = {0};
    dp_grid_head(&g, head, DP_COUNT(head));
    for (size_t i = 0; i < dp_engine_count(e); i++) {
        dp_eval_rule    r = dp_eval_rule_of(v, i);
        const dp_trial *t = r.trial;
        dp_grid_cell(&g, "%08" PRIx64, r.id >> 32);
        dp_grid_cell(&g, "%" PRIu64, dp_replay_fired(v->replay, i));
        dp_grid_cell(&g, "%" PRIu64, t->changed);
        dp_grid_cell(&g, "%" PRIu64, t->unknown);
        dp_grid_cell(&g, "%" PRIu64, t->good);
        dp_grid_cell(&g, "%" PRIu64, t->bad);
        dp_grid_cell(&g, "%" PRIu64, r.votes.s);
        dp_grid_cell(&g, "%" PRIu64, r.votes.n - r.votes.s);
        add_known(&g, r.score.expected, r.votes.n);
        add_known(&g, r.score.precision, t->changed);
        dp_grid_cell(&g, "%" PRIu64, t->support);
        add_known(&g, r.score.fpr, t->support);
        add_known(&g, r.score.fpr_collide, t->pairs);
        dp_buf_printf(&list, "%08" PRIx64 "  %.*s  (%.*s)\n", r.id >> 32, DP_FMT(r.text), DP_FMT(r.hosts));
        if (dp_eval_has_pair(v, t->bad_a, t->bad_b)) {
            dp_buf_c(&list, "    wrong: ");
            dp_eval_add_url(&list, v, t->bad_a, t->bad_b);
            dp_buf_c(&list, "\n           ");
            dp_eval_add_url(&list, v, t->bad_b, t->bad_a);
            dp_buf_byte(&list, '\n');
        }
    }
    dp_buf_c(out, "\neach rule alone:\n");
    dp_grid_print(out, &g);
    dp_buf_byte(out, '\n');
    dp_buf_str(out, dp_buf_view(&list));
    out->failed |= list.failed;
    dp_buf_done(&list);
    dp_grid_done(&g);
}

void dp_eval_plain(dp_buf *out, const dp_eval *v)
{
    if (v->table != DP_TABLE_NONE) {
        dp_grid_print(out, &v->grid);
        dp_buf_str(out, dp_buf_view(&v->note));
        return;
    }
    dp_truth_say(out, &v->truth);
    dp_buf_c(out, "\n\n");
    plain_rows(out, v);
    plain_worth(out, v);
    plain_losses(out, v);
    if (v->by_host)
        plain_hosts(out, v);
    if (v->by_rule)
        plain_rules(out, v);
}

