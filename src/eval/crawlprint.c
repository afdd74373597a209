/* What a crawl would have saved, as a table and as JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/words/json.h"
#include "eval/evalprint.h"

/* ---- tables ------------------------------------------------------------------------------------------------- */

static void add_row(dp_grid *g, const dp_crawl_score *s)
{
    const uint64_t counts[] = {s->fetched, dp_crawl_avoided(s)};
    for (size_t i = 0; i < DP_COUNT(counts); i++)
        dp_grid_cell(g, "%" PRIu64, counts[i]);
    dp_grid_share(g, dp_crawl_saved(s));
    dp_grid_cell(g, "%" PRIu64, s->lost);
    dp_grid_cell(g, "%" PRIu64, s->bad);
}

static void plain_rows(dp_buf *out, const dp_eval *v)
{
    static const char *const head[] = {"", "fetched", "avoided", "saved of avoidable", "lost", "bad merges", "rules"};
    dp_grid                  g = {0};
    dp_crawl_row             row;
    dp_grid_head(&g, head, DP_COUNT(head));
    for (size_t i = 0; dp_crawl_row_of(&row, v, i); i++) {
        dp_grid_str(&g, dp_str_c(row.name));
        add_row(&g, &row.score);
        if (row.engine)
            dp_grid_cell(&g, "%zu", dp_eval_rules(row.engine));
        else
            dp_grid_cell(&g, "-");
    }
    dp_grid_print(out, &g);
    dp_grid_done(&g);
}

static void plain_hosts(dp_buf *out, const dp_eval *v)
{
    static const char *const head[] = {"host", "rest", "needed", "fetched", "avoided", "saved of avoidable", "lost",
                                       "bad merges"};
    dp_grid                  g = {0};
    dp_eval_host            *r = dp_eval_sort_hosts(v);
    out->failed |= !r;
    dp_grid_head(&g, head, DP_COUNT(head));
    for (uint32_t i = 0; r && i < v->truth.nhost; i++) {
        dp_grid_str(&g, r[i].name);
        dp_grid_cell(&g, "%" PRIu64, r[i].crawled->rest);
        dp_grid_cell(&g, "%" PRIu64, r[i].crawled->needed);
        add_row(&g, r[i].crawled);
    }
    dp_buf_byte(out, '\n');
    dp_grid_print(out, &g);
    dp_grid_done(&g);
    free(r);
}

/* The rules in one sentence. */
static void plain_worth(dp_buf *out, const dp_eval *v)
{
    const dp_crawl_score *s = &v->crawled[DP_MAP_RULES];
    dp_buf_printf(out, "\n%s: ", v->name[0]);
    dp_json_number(out, 100 * dp_crawl_saved(s), 1);
    dp_buf_printf(out, " %% saved of %" PRIu64 " avoidable fetch%s; ", dp_crawl_avoidable(s),
                  dp_crawl_avoidable(s) == 1 ? "" : "es");
    if (s->lost)
        dp_buf_printf(out, "%" PRIu64 " page%s lost\n", s->lost, dp_s(s->lost));
    else
        dp_buf_c(out, "no page lost\n");
}

void dp_crawl_plain(dp_buf *out, const dp_eval *v)
{
    const dp_crawl_score *s = &v->crawled[DP_MAP_RULES];
    dp_buf_printf(out,
                  "the rules come from the first %" PRIu32 " of %" PRIu32 " URLs; the rest: %" PRIu64 " URL%s, %" PRIu64
                  " new page%s\n\n",
                  v->crawl.past, v->crawl.n, s->rest, dp_s(s->rest), s->needed, dp_s(s->needed));
    plain_rows(out, v);
    plain_worth(out, v);
    if (v->by_host)
        plain_hosts(out, v);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static void json_score(dp_buf *out, const dp_crawl_score *s)
{
    dp_json_count(out, "rest", s->rest);
    dp_json_count(out, "fetched", s->fetched);
    dp_json_count(out, "needed", s->needed);
    dp_json_count(out, "avoidable", dp_crawl_avoidable(s));
    dp_json_count(out, "avoided", dp_crawl_avoided(s));
    dp_json_share(out, "saved_of_avoidable", dp_crawl_saved(s));
    dp_json_count(out, "lost", s->lost);
    dp_json_count(out, "bad_merges", s->bad);
}

static void json_host(dp_buf *out, const dp_eval_host *h)
{
    json_score(out, h->crawled);
}

static void json_rows(dp_buf *out, const dp_eval *v, bool compared)
{
    dp_crawl_row row;
    dp_json_open(out, compared ? "compare" : "baselines", compared ? '[' : '{');
    for (size_t i = 0; dp_crawl_row_of(&row, v, i); i++) {
        bool is_first = i == DP_CRAWL_BASELINES;
        if (is_first || compared != (i > DP_CRAWL_BASELINES))
            continue;
        dp_json_open(out, row.field, '{');
        if (compared)
            dp_json_text(out, "name", dp_str_c(row.name));
        json_score(out, &row.score);
        dp_json_count(out, "rules", row.engine ? dp_eval_rules(row.engine) : 0);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, compared ? ']' : '}');
}

void dp_crawl_json(dp_buf *out, const dp_eval *v)
{
    dp_buf_byte(out, '{');
    json_score(out, &v->crawled[DP_MAP_RULES]);
    dp_json_count(out, "rules", dp_eval_rules(v->engine[0]));
    dp_json_count(out, "urls", v->crawl.n);
    dp_json_count(out, "learned_from", v->crawl.past);
    dp_json_count(out, "records", v->truth.records);
    dp_json_text(out, "identity", dp_str_c(dp_truth_identity(&v->truth)));
    dp_json_count(out, "bad_lines", v->in.bad);
    json_rows(out, v, false);
    json_rows(out, v, true);
    dp_eval_json_warnings(out, v);
    if (v->by_host)
        dp_eval_json_hosts(out, v, json_host);
    dp_buf_c(out, "}\n");
}
