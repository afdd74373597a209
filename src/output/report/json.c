/* A report as one JSON object. The page holds the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

#include "base/words/json.h"
#include "eval/doubts.h"
#include "output/crawler.h"
#include "output/report/report.h"
#include "rule/print.h"

/* A text that may be long. */
static void put_cut(dp_buf *out, const char *name, dp_str text)
{
    dp_buf cut = {0};
    dp_report_cut(&cut, text);
    dp_json_take(out, name, &cut);
}

static void put_url(dp_buf *out, const char *name, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf text = {0};
    dp_report_url(&text, r, url, kept);
    dp_json_take(out, name, &text);
}

/* Without labels only what is no claim: how many, and how many are left. */
static void put_score(dp_buf *out, const dp_report *r, const dp_score *s)
{
    dp_json_count(out, "urls", s->urls);
    dp_json_count(out, "fetched", s->fetched);
    dp_json_share(out, "reduction", s->reduction);
    if (!r->labelled)
        return;
    dp_json_count(out, "clusters", s->clusters);
    dp_json_count(out, "covered", s->covered);
    dp_json_count(out, "lost", s->lost);
    dp_json_share(out, "best_reduction", s->best_reduction);
    dp_json_share(out, "precision", s->precision);
    dp_json_share(out, "recall", s->recall);
    dp_json_share(out, "f1", s->f1);
    dp_json_share(out, "coverage", s->coverage);
    dp_json_count(out, "good_merges", s->good);
    dp_json_count(out, "bad_merges", s->bad);
}

static void put_baselines(dp_buf *out, const dp_report *r)
{
    static const char *const field[] = {"identity", "stage0", "common", "best"};
    dp_json_line(out);
    dp_json_open(out, "baselines", '{');
    for (int i = DP_ROW_IDENTITY; i < DP_ROW_RULES; i++) {
        if (i == DP_ROW_BEST && !r->labelled)
            continue;
        dp_json_open(out, field[i], '{');
        put_score(out, r, &r->row[i]);
        dp_json_count(out, "rules", r->row_rules[i]);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, '}');
}

static void put_curve(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "curve", '[');
    for (size_t i = 0; i < r->npoint; i++) {
        const dp_report_point *p = &r->point[i];
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        put_score(out, r, &p->score);
        dp_json_share(out, "merge_precision", dp_report_right(&p->score));
        dp_json_count(out, "rules", p->rules);
        if (p->threshold < 0)
            dp_json_null(out, "threshold");
        else
            dp_json_share(out, "threshold", p->threshold);
        dp_json_flag(out, "chosen", p->chosen);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void put_hosts(dp_buf *out, const dp_report *r)
{
    dp_report_rest rest = dp_report_rest_of(r);
    dp_json_line(out);
    dp_json_open(out, "hosts", '[');
    for (size_t i = 0; i < rest.shown; i++) {
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "host", r->host[i].name);
        put_score(out, r, &r->host[i].score);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
    dp_json_line(out);
    dp_json_open(out, "hosts_left_out", '{');
    dp_json_count(out, "hosts", rest.hosts);
    dp_json_count(out, "urls", rest.urls);
    dp_json_count(out, "fetched", rest.fetched);
    dp_buf_byte(out, '}');
}

/* ---- rules ------------------------------------------------------------------------------------------ */

static void put_good(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    dp_json_open(out, "examples", '[');
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->ngood && shown < DP_SAMPLES; k++, shown++) {
            dp_str before = dp_truth_text(&r->truth, s->good[k].item);
            dp_json_open(out, NULL, '[');
            put_url(out, NULL, r, before, s->good[k].after);
            put_url(out, NULL, r, s->good[k].after, (dp_str){NULL, 0});
            dp_buf_byte(out, ']');
        }
    }
    dp_buf_byte(out, ']');
}

static void put_wrong(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    dp_json_open(out, "wrong", '[');
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->nwrong && shown < DP_SAMPLES; k++, shown++) {
            dp_str a = dp_truth_text(&r->truth, s->wrong[k].a), b = dp_truth_text(&r->truth, s->wrong[k].b);
            dp_json_open(out, NULL, '[');
            put_url(out, NULL, r, a, b);
            put_url(out, NULL, r, b, a);
            dp_buf_byte(out, ']');
        }
    }
    dp_buf_byte(out, ']');
}

static void put_family(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_json_open(out, NULL, '{');
    put_cut(out, "rule", f->said.text);
    dp_json_count(out, "rules", f->said.rules);
    dp_json_count(out, "hosts", f->said.hosts);
    for (int s = 0; s < 4; s++)
        dp_json_count(out, dp_state_name((dp_state)s), f->said.in_state[s]);
    dp_json_share(out, "n", f->said.n);
    dp_json_share(out, "neg", f->said.neg);
    dp_json_share(out, "risk", f->said.risk);
    if (f->said.p_count) {
        dp_json_share(out, "p_min", f->said.p_min);
        dp_json_share(out, "p_mean", f->said.p_sum / (double)f->said.p_count);
    } else {
        dp_json_null(out, "p_min");
        dp_json_null(out, "p_mean");
    }
    dp_json_share(out, "expected_loss", f->loss);
    dp_json_count(out, "fired", f->fired);
    dp_json_count(out, "hits", f->hits);
    dp_json_count(out, "bytes", f->bytes);
    dp_json_count(out, "changes", f->changed);
    dp_json_count(out, "merges", f->good + f->bad);
    if (r->labelled) {
        dp_json_count(out, "good_merges", f->good);
        dp_json_count(out, "bad_merges", f->bad);
        dp_json_count(out, "for", f->pos);
        dp_json_count(out, "against", f->against);
    }
    put_good(out, r, f);
    if (r->labelled)
        put_wrong(out, r, f);
    dp_buf_byte(out, '}');
}

static void put_reliability(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "reliability", '[');
    for (size_t i = 0; i < DP_REPORT_BANDS; i++) {
        const dp_report_band *b = &r->band[i];
        uint64_t              votes = b->pos + b->against;
        if (!votes)
            continue;
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        if (i + 1 == DP_REPORT_BANDS)
            dp_json_null(out, "from");
        else
            dp_json_share(out, "from", b->from);
        dp_json_count(out, "rules", b->rules);
        dp_json_count(out, "for", b->pos);
        dp_json_count(out, "against", b->against);
        dp_json_share(out, "promised", b->promised / (double)votes);
        dp_json_share(out, "measured", (double)b->pos / (double)votes);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void put_families(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "families", '[');
    for (size_t i = 0; i < r->nshown; i++) {
        dp_json_line(out);
        put_family(out, r, &r->family[i]);
    }
    dp_buf_byte(out, ']');
    dp_json_line(out);
    dp_json_count(out, "families_left_out", r->nfamily - r->nshown);
}

/* ---- the rest --------------------------------------------------------------------------------------- */

static void put_losses(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "lost_pages", '[');
    for (size_t i = 0; i < r->nloss; i++) {
        dp_str url = dp_truth_text(&r->truth, r->loss[i].item), instead = dp_truth_text(&r->truth, r->loss[i].instead);
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        put_url(out, "url", r, url, instead);
        put_url(out, "instead", r, instead, url);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

/* "2026-11-18" of a day since 1970. */
void dp_report_put_date(dp_buf *out, int64_t day)
{
    time_t    t = (time_t)day * 86400;
    struct tm date;
    char      text[16];
    bool      ok = gmtime_r(&t, &date) && strftime(text, sizeof text, "%Y-%m-%d", &date);
    dp_buf_c(out, ok ? text : "-");
}

static void put_days(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "days", '[');
    for (size_t i = 0; i < r->nday; i++) {
        dp_buf date = {0};
        dp_report_put_date(&date, r->day[i].day);
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_take(out, "day", &date);
        dp_json_count(out, "hits", r->day[i].hits);
        dp_json_count(out, "bytes", r->day[i].bytes);
        dp_json_count(out, "duplicates", r->day[i].wasted);
        dp_json_count(out, "duplicates_bytes", r->day[i].wasted_bytes);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void put_traffic(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    if (!r->spent) {
        dp_json_null(out, "traffic");
        return;
    }
    dp_json_open(out, "traffic", '[');
    for (uint32_t i = 0; i < dp_crawlers(); i++) {
        if (!r->spent[i].hits)
            continue;
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "agent", dp_str_c(dp_crawler_name(i)));
        dp_json_flag(out, "crawler", dp_crawler_is(i));
        dp_json_count(out, "hits", r->spent[i].hits);
        dp_json_count(out, "bytes", r->spent[i].bytes);
        dp_json_count(out, "wasted_bytes", r->spent[i].wasted_bytes);
        dp_json_count(out, "urls", r->spent[i].urls);
        dp_json_count(out, "pages", r->spent[i].pages);
        dp_json_count(out, "duplicate_hits", r->spent[i].wasted);
        if (r->known)
            dp_json_count(out, "known_duplicate_hits", r->known[i].wasted);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void put_made(dp_buf *out, const dp_report *r)
{
    char line[DP_DOUBT_SIZE];
    dp_json_line(out);
    dp_json_open(out, "made", '{');
    dp_json_text(out, "version", dp_str_c(dp_version()));
    dp_json_text(out, "rules", dp_str_c(r->name));
    dp_json_share(out, "min_precision", r->min_precision);
    dp_json_flag(out, "with_likely", r->flags & DP_WITH_LIKELY);
    dp_json_text(out, "examples", dp_str_c(r->raw ? "raw" : "masked"));
    dp_json_count(out, "inputs", r->inputs);
    dp_json_text(out, "formats", dp_str_c(r->formats));
    dp_json_count(out, "records", r->truth.records);
    dp_json_text(out, "identity", dp_str_c(dp_truth_identity(&r->truth)));
    dp_json_count(out, "repeated", r->truth.repeated);
    dp_json_count(out, "contradicting", r->truth.contradicting);
    dp_json_count(out, "without_label", r->bare);
    dp_json_count(out, "not_urls", r->truth.not_urls);
    dp_json_count(out, "bad_lines", r->in.bad);
    dp_buf_byte(out, '}');
    dp_json_line(out);
    dp_json_open(out, "warnings", '[');
    for (size_t i = 0; dp_report_warning(r, i, line, sizeof line) == DP_OK; i++)
        dp_json_text(out, NULL, dp_str_c(line));
    dp_buf_byte(out, ']');
}

void dp_report_put_json(dp_buf *out, const dp_report *r)
{
    dp_buf_byte(out, '{');
    dp_json_flag(out, "labelled", r->labelled);
    put_score(out, r, &r->row[DP_ROW_RULES]);
    if (r->sized) {
        dp_json_count(out, "sized_urls", r->sized);
        dp_json_count(out, "bytes", r->bytes);
        dp_json_count(out, "saved_bytes", r->saved_bytes);
    }
    dp_json_count(out, "rules", r->row_rules[DP_ROW_RULES]);
    dp_json_id(out, "set", dp_engine_set_id(r->engine));
    dp_json_count(out, "singletons", r->labelled ? dp_truth_singletons(&r->truth) : 0);
    put_baselines(out, r);
    if (r->labelled)
        put_curve(out, r);
    put_hosts(out, r);
    if (r->labelled)
        put_reliability(out, r);
    put_families(out, r);
    if (r->labelled)
        put_losses(out, r);
    put_traffic(out, r);
    put_days(out, r);
    dp_report_put_fixes(out, r);
    put_made(out, r);
    dp_buf_c(out, "}\n");
}
