/* An evaluation as one JSON object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "eval/evalprint.h"

static void add_json_url(dp_buf *out, const dp_eval *v, uint32_t i, uint32_t other)
{
    dp_buf text = {0};
    dp_eval_add_url(&text, v, i, other);
    dp_json_str(out, dp_buf_view(&text));
    out->failed |= text.failed;
    dp_buf_done(&text);
}

static void json_share(dp_buf *out, const char *name, double value)
{
    dp_buf_printf(out, ",\"%s\":", name);
    dp_json_number(out, value, 6);
}

static void json_score(dp_buf *out, const dp_score *s)
{
    dp_buf_printf(out, "\"urls\":%" PRIu64 ",\"clusters\":%" PRIu64 ",\"fetched\":%" PRIu64 ",\"covered\":%" PRIu64
                       ",\"lost\":%" PRIu64, s->urls, s->clusters, s->fetched, s->covered, s->lost);
    json_share(out, "reduction", s->reduction);
    json_share(out, "best_reduction", s->best_reduction);
    json_share(out, "precision", s->precision);
    json_share(out, "recall", s->recall);
    json_share(out, "f1", s->f1);
    json_share(out, "coverage", s->coverage);
    dp_buf_printf(out, ",\"good_merges\":%" PRIu64 ",\"bad_merges\":%" PRIu64, s->good, s->bad);
}

static void json_engine(dp_buf *out, const dp_engine *e, const dp_score *s)
{
    size_t n = e ? dp_eval_rules(e) : 0;
    dp_buf_printf(out, ",\"rules\":%zu,\"rules_bytes\":%zu", n, e ? dp_eval_rules_bytes(e) : 0);
    json_share(out, "average_reduction", dp_average_reduction(s, n));
    if (e)
        dp_buf_printf(out, ",\"set\":\"%016" PRIx64 "\"", dp_engine_set_id(e));
}

static void json_baselines(dp_buf *out, const dp_eval *v)
{
    dp_eval_row base[DP_BASELINES];
    dp_eval_baselines(base, v);
    dp_buf_c(out, ",\"baselines\":{");
    for (size_t i = 0; i < DP_BASELINES; i++) {
        dp_buf_printf(out, "%s\"%s\":{", i ? "," : "", base[i].field);
        json_score(out, &base[i].score);
        json_engine(out, base[i].engine, &base[i].score);
        dp_buf_byte(out, '}');
    }
    dp_buf_c(out, "},\"compare\":[");
    for (size_t i = 1; i < v->nrules; i++) {
        dp_buf_printf(out, "%s{\"name\":", i > 1 ? "," : "");
        dp_json_str(out, dp_str_c(v->name[i]));
        dp_buf_byte(out, ',');
        json_score(out, &v->score[DP_MAP_RULES + i]);
        json_engine(out, v->engine[i], &v->score[DP_MAP_RULES + i]);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void json_hosts(dp_buf *out, const dp_eval *v)
{
    dp_eval_host *r = dp_eval_sort_hosts(v);
    out->failed |= !r;
    dp_buf_c(out, ",\"hosts\":[");
    for (uint32_t i = 0; r && i < v->truth.nhost; i++) {
        dp_buf_c(out, i ? ",{\"host\":" : "{\"host\":");
        dp_json_str(out, r[i].name);
        dp_buf_byte(out, ',');
        json_score(out, r[i].score);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
    free(r);
}

/* A share of `of` things; of none it is null. */
static void json_known(dp_buf *out, const char *name, double value, uint64_t of)
{
    if (of)
        json_share(out, name, value);
    else
        dp_buf_printf(out, ",\"%s\":null", name);
}

static void json_rule(dp_buf *out, const dp_eval *v, size_t i)
{
    const dp_engine *e = v->engine[0];
    const dp_trial  *t = dp_replay_rule(v->replay, i);
    dp_rule_score    s = dp_rule_score_of(t, &v->bound);
    dp_vote_sum      sum = dp_trial_sum(t, DP_ALL_FOLDS);
    dp_str           text, hosts;
    text.p = dp_engine_text(e, i, &text.n);
    hosts.p = dp_engine_hosts(e, i, &hosts.n);
    dp_buf_printf(out, "{\"id\":\"%08" PRIx64 "\",\"rule\":", dp_engine_id(e, i) >> 32);
    dp_json_str(out, text);
    dp_buf_c(out, ",\"host\":");
    dp_json_str(out, hosts);
    const struct {
        const char *name;
        uint64_t    value;
    } counts[] = {
        {"fired", dp_replay_fired(v->replay, i)}, {"changes", t->changed}, {"unknown", t->unknown},
        {"good_merges", t->good}, {"bad_merges", t->bad}, {"for", sum.s}, {"against", sum.n - sum.s},
        {"support", t->support}, {"pairs", t->pairs},
    };
    for (size_t k = 0; k < DP_COUNT(counts); k++)
        dp_buf_printf(out, ",\"%s\":%" PRIu64, counts[k].name, counts[k].value);
    json_known(out, "expected_precision", s.expected, sum.n);
    json_known(out, "precision", s.precision, t->changed);
    json_known(out, "merge_precision", s.merge_precision, t->good + t->bad);
    json_known(out, "fpr", s.fpr, t->support);
    json_known(out, "fpr_collide", s.fpr_collide, t->pairs);
    if (dp_eval_has_pair(v, t->bad_a, t->bad_b)) {
        dp_buf_c(out, ",\"wrong\":[");
        add_json_url(out, v, t->bad_a, t->bad_b);
        dp_buf_byte(out, ',');
        add_json_url(out, v, t->bad_b, t->bad_a);
        dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, '}');
}

static void json_losses(dp_buf *out, const dp_eval *v)
{
    bool first = true;
    dp_buf_c(out, ",\"lost_pages\":[");
    for (size_t i = 0; i < v->nloss; i++) {
        if (!dp_eval_has_pair(v, v->loss[i].item, v->loss[i].instead))
            continue;
        dp_buf_c(out, first ? "{\"url\":" : ",{\"url\":");
        add_json_url(out, v, v->loss[i].item, v->loss[i].instead);
        dp_buf_c(out, ",\"instead\":");
        add_json_url(out, v, v->loss[i].instead, v->loss[i].item);
        dp_buf_byte(out, '}');
        first = false;
    }
    dp_buf_byte(out, ']');
}

/* A cell as JSON: a number where it looks like one. */
static void json_cell(dp_buf *out, dp_str cell)
{
    bool number = cell.n && cell.p[0] >= '0' && cell.p[0] <= '9' && cell.n < 18;
    for (size_t i = 0; i < cell.n; i++)
        number &= (cell.p[i] >= '0' && cell.p[i] <= '9') || (cell.p[i] == '.' && i + 1 < cell.n);
    if (number)
        dp_buf_str(out, cell);
    else
        dp_json_str(out, cell);
}

static void json_table(dp_buf *out, const dp_eval *v)
{
    const char *cell = v->grid.text.p;
    dp_buf_c(out, ",\"table\":[");
    for (size_t i = 0; i < v->grid.cells; i++, cell += strlen(cell) + 1) {
        size_t column = i % v->grid.columns;
        dp_buf_c(out, column ? "," : i ? ",[" : "[");
        json_cell(out, dp_str_c(cell));
        if (column == v->grid.columns - 1)
            dp_buf_byte(out, ']');
    }
    dp_buf_c(out, "],\"note\":");
    dp_json_str(out, dp_buf_view(&v->note));
}

void dp_eval_json(dp_buf *out, const dp_eval *v)
{
    const dp_score *s = &v->score[DP_MAP_RULES];
    const dp_truth *t = &v->truth;
    dp_buf_byte(out, '{');
    json_score(out, s);
    json_engine(out, v->engine[0], s);
    dp_buf_printf(out, ",\"singletons\":%" PRIu32 ",\"records\":%" PRIu64 ",\"repeated\":%" PRIu64,
                  dp_truth_singletons(t), t->records, t->repeated);
    dp_buf_printf(out, ",\"contradicting\":%" PRIu64 ",\"bad_lines\":%" PRIu64, t->contradicting, v->in.bad);
    json_baselines(out, v);
    json_losses(out, v);
    dp_buf_c(out, ",\"warnings\":[");
    for (size_t i = 0; i < v->nwarning; i++) {
        dp_buf_c(out, i ? "," : "");
        dp_json_str(out, dp_str_c(v->warning[i]));
    }
    dp_buf_byte(out, ']');
    if (v->by_host)
        json_hosts(out, v);
    if (v->by_rule) {
        dp_buf_c(out, ",\"by_rule\":[");
        for (size_t i = 0; i < dp_engine_count(v->engine[0]); i++) {
            dp_buf_c(out, i ? "," : "");
            json_rule(out, v, i);
        }
        dp_buf_byte(out, ']');
    }
    if (v->table != DP_TABLE_NONE)
        json_table(out, v);
    dp_buf_c(out, "}\n");
}

