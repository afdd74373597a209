/* An evaluation as one JSON object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/words/json.h"
#include "eval/evalprint.h"

static void json_url(dp_buf *out, const char *name, const dp_eval *v, uint32_t i, uint32_t other)
{
    dp_buf text = {0};
    dp_eval_add_url(&text, v, i, other);
    dp_json_take(out, name, &text);
}

static void json_score(dp_buf *out, const dp_score *s)
{
    dp_json_count(out, "urls", s->urls);
    dp_json_count(out, "clusters", s->clusters);
    dp_json_count(out, "fetched", s->fetched);
    dp_json_count(out, "covered", s->covered);
    dp_json_count(out, "lost", s->lost);
    dp_json_share(out, "reduction", s->reduction);
    dp_json_share(out, "best_reduction", s->best_reduction);
    dp_json_share(out, "precision", s->precision);
    dp_json_share(out, "recall", s->recall);
    dp_json_share(out, "f1", s->f1);
    dp_json_share(out, "coverage", s->coverage);
    dp_json_count(out, "good_merges", s->good);
    dp_json_count(out, "bad_merges", s->bad);
}

static void json_engine(dp_buf *out, const dp_engine *e, const dp_score *s)
{
    size_t n = e ? dp_eval_rules(e) : 0;
    dp_json_count(out, "rules", n);
    dp_json_count(out, "rules_bytes", e ? dp_eval_rules_bytes(e) : 0);
    dp_json_share(out, "average_reduction", dp_average_reduction(s, n));
    if (e)
        dp_json_id(out, "set", dp_engine_set_id(e));
}

static void json_baselines(dp_buf *out, const dp_eval *v)
{
    dp_eval_row base[DP_BASELINES];
    dp_eval_baselines(base, v);
    dp_json_open(out, "baselines", '{');
    for (size_t i = 0; i < DP_BASELINES; i++) {
        dp_json_open(out, base[i].field, '{');
        json_score(out, &base[i].score);
        json_engine(out, base[i].engine, &base[i].score);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, '}');
    dp_json_open(out, "compare", '[');
    for (size_t i = 1; i < v->nrules; i++) {
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "name", dp_str_c(v->name[i]));
        json_score(out, &v->score[DP_MAP_RULES + i]);
        json_engine(out, v->engine[i], &v->score[DP_MAP_RULES + i]);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

void dp_eval_json_hosts(dp_buf *out, const dp_eval *v, void (*put)(dp_buf *out, const dp_eval_host *h))
{
    dp_eval_host *r = dp_eval_sort_hosts(v);
    out->failed |= !r;
    dp_json_open(out, "hosts", '[');
    for (uint32_t i = 0; r && i < v->truth.nhost; i++) {
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "host", r[i].name);
        put(out, &r[i]);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
    free(r);
}

static void json_host(dp_buf *out, const dp_eval_host *h)
{
    json_score(out, h->score);
}

/* A share of `of` things; of none it is null. */
static void json_known(dp_buf *out, const char *name, double value, uint64_t of)
{
    if (of)
        dp_json_share(out, name, value);
    else
        dp_json_null(out, name);
}

static void json_rule(dp_buf *out, const dp_eval *v, size_t i)
{
    dp_eval_rule    r = dp_eval_rule_of(v, i);
    const dp_trial *t = r.trial;
    dp_json_open(out, NULL, '{');
    dp_json_short_id(out, "id", r.id);
    dp_json_text(out, "rule", r.text);
    dp_json_text(out, "host", r.hosts);
    const struct {
        const char *name;
        uint64_t    value;
    } counts[] = {
        {"fired", dp_replay_fired(v->replay, i)}, {"changes", t->changed}, {"unknown", t->unknown},
        {"good_merges", t->good}, {"bad_merges", t->bad}, {"for", r.votes.s}, {"against", r.votes.n - r.votes.s},
        {"support", t->support}, {"pairs", t->pairs},
    };
    for (size_t k = 0; k < DP_COUNT(counts); k++)
        dp_json_count(out, counts[k].name, counts[k].value);
    json_known(out, "expected_precision", r.score.expected, r.votes.n);
    json_known(out, "precision", r.score.precision, t->changed);
    json_known(out, "merge_precision", r.score.merge_precision, t->good + t->bad);
    json_known(out, "fpr", r.score.fpr, t->support);
    json_known(out, "fpr_collide", r.score.fpr_collide, t->pairs);
    if (dp_eval_has_pair(v, t->bad_a, t->bad_b)) {
        dp_json_open(out, "wrong", '[');
        json_url(out, NULL, v, t->bad_a, t->bad_b);
        json_url(out, NULL, v, t->bad_b, t->bad_a);
        dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, '}');
}

static void json_losses(dp_buf *out, const dp_eval *v)
{
    dp_json_open(out, "lost_pages", '[');
    for (size_t i = 0; i < v->nloss; i++) {
        if (!dp_eval_has_pair(v, v->loss[i].item, v->loss[i].instead))
            continue;
        dp_json_open(out, NULL, '{');
        json_url(out, "url", v, v->loss[i].item, v->loss[i].instead);
        json_url(out, "instead", v, v->loss[i].instead, v->loss[i].item);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

/* A cell as JSON: a number where it looks like one. */
static void json_cell(dp_buf *out, dp_str cell)
{
    bool number = cell.n && cell.p[0] >= '0' && cell.p[0] <= '9' && cell.n < 18;
    for (size_t i = 0; i < cell.n; i++)
        number &= (cell.p[i] >= '0' && cell.p[i] <= '9') || (cell.p[i] == '.' && i + 1 < cell.n);
    dp_json_key(out, NULL);
    if (number)
        dp_buf_str(out, cell);
    else
        dp_json_str(out, cell);
}

static void json_table(dp_buf *out, const dp_eval *v)
{
    const char *cell = v->grid.text.p;
    dp_json_open(out, "table", '[');
    for (size_t i = 0; i < v->grid.cells; i++, cell += strlen(cell) + 1) {
        size_t column = i % v->grid.columns;
        if (!column)
            dp_json_open(out, NULL, '[');
        json_cell(out, dp_str_c(cell));
        if (column == v->grid.columns - 1)
            dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, ']');
    dp_json_text(out, "note", dp_buf_view(&v->note));
}

void dp_eval_json_warnings(dp_buf *out, const dp_eval *v)
{
    dp_json_open(out, "warnings", '[');
    for (size_t i = 0; i < v->nwarning; i++)
        dp_json_text(out, NULL, dp_str_c(v->warning[i]));
    dp_buf_byte(out, ']');
}

void dp_eval_json(dp_buf *out, const dp_eval *v)
{
    const dp_score *s = &v->score[DP_MAP_RULES];
    const dp_truth *t = &v->truth;
    dp_buf_byte(out, '{');
    json_score(out, s);
    json_engine(out, v->engine[0], s);
    dp_json_count(out, "singletons", dp_truth_singletons(t));
    dp_json_count(out, "records", t->records);
    dp_json_text(out, "identity", dp_str_c(dp_truth_identity(t)));
    dp_json_count(out, "repeated", t->repeated);
    dp_json_count(out, "contradicting", t->contradicting);
    dp_json_count(out, "bad_lines", v->in.bad);
    json_baselines(out, v);
    json_losses(out, v);
    dp_eval_json_warnings(out, v);
    if (v->by_host)
        dp_eval_json_hosts(out, v, json_host);
    if (v->by_rule) {
        dp_json_open(out, "by_rule", '[');
        for (size_t i = 0; i < dp_engine_count(v->engine[0]); i++)
            json_rule(out, v, i);
        dp_buf_byte(out, ']');
    }
    if (v->table != DP_TABLE_NONE)
        json_table(out, v);
    dp_buf_c(out, "}\n");
}

