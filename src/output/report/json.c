/* A report as one JSON object. The page holds the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/json.h"
#include "eval/doubts.h"
#include "output/crawler.h"
#include "output/report/report.h"
#include "rule/print.h"

static void put_count(dp_buf *out, const char *name, uint64_t v)
{
    dp_buf_printf(out, ",\"%s\":%" PRIu64, name, v);
}

static void put_share(dp_buf *out, const char *name, double v)
{
    dp_buf_printf(out, ",\"%s\":", name);
    dp_json_number(out, v, 6);
}

/* A text that may be long. */
static void put_cut(dp_buf *out, dp_str text)
{
    dp_buf cut = {0};
    dp_report_cut(&cut, text);
    dp_json_str(out, dp_buf_view(&cut));
    out->failed |= cut.failed;
    dp_buf_done(&cut);
}

static void put_url(dp_buf *out, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf text = {0};
    dp_report_url(&text, r, url, kept);
    dp_json_str(out, dp_buf_view(&text));
    out->failed |= text.failed;
    dp_buf_done(&text);
}

/* Without labels only what is no claim: how many, and how many are left. */
static void put_score(dp_buf *out, const dp_report *r, const dp_score *s)
{
    dp_buf_printf(out, "\"urls\":%" PRIu64, s->urls);
    put_count(out, "fetched", s->fetched);
    put_share(out, "reduction", s->reduction);
    if (!r->labelled)
        return;
    put_count(out, "clusters", s->clusters);
    put_count(out, "covered", s->covered);
    put_count(out, "lost", s->lost);
    put_share(out, "best_reduction", s->best_reduction);
    put_share(out, "precision", s->precision);
    put_share(out, "recall", s->recall);
    put_share(out, "f1", s->f1);
    put_share(out, "coverage", s->coverage);
    put_count(out, "good_merges", s->good);
    put_count(out, "bad_merges", s->bad);
}

static void put_baselines(dp_buf *out, const dp_report *r)
{
    static const char *const field[] = {"identity", "stage0", "common", "best"};
    dp_buf_c(out, ",\n\"baselines\":{");
    for (int i = DP_ROW_IDENTITY; i < DP_ROW_RULES; i++) {
        if (i == DP_ROW_BEST && !r->labelled)
            continue;
        dp_buf_printf(out, "%s\"%s\":{", i ? "," : "", field[i]);
        put_score(out, r, &r->row[i]);
        put_count(out, "rules", r->row_rules[i]);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, '}');
}

static void put_curve(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, ",\n\"curve\":[");
    for (size_t i = 0; i < r->npoint; i++) {
        const dp_report_point *p = &r->point[i];
        dp_buf_c(out, i ? ",\n{" : "\n{");
        put_score(out, r, &p->score);
        put_share(out, "merge_precision", dp_report_right(&p->score));
        put_count(out, "rules", p->rules);
        if (p->threshold < 0)
            dp_buf_c(out, ",\"threshold\":null");
        else
            put_share(out, "threshold", p->threshold);
        dp_buf_printf(out, ",\"chosen\":%s}", p->chosen ? "true" : "false");
    }
    dp_buf_byte(out, ']');
}

static void put_hosts(dp_buf *out, const dp_report *r)
{
    dp_report_rest rest = dp_report_rest_of(r);
    dp_buf_c(out, ",\n\"hosts\":[");
    for (size_t i = 0; i < rest.shown; i++) {
        dp_buf_c(out, i ? ",\n{\"host\":" : "\n{\"host\":");
        dp_json_str(out, r->truth.host_name[r->host[i].host]);
        dp_buf_byte(out, ',');
        put_score(out, r, &r->host[i].score);
        dp_buf_byte(out, '}');
    }
    dp_buf_printf(out, "],\n\"hosts_left_out\":{\"hosts\":%zu", rest.hosts);
    put_count(out, "urls", rest.urls);
    put_count(out, "fetched", rest.fetched);
    dp_buf_byte(out, '}');
}

/* ---- rules ------------------------------------------------------------------------------------------ */

static void put_good(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    dp_buf_c(out, ",\"examples\":[");
    for (size_t i = f->first; i < f->first + f->rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->ngood && shown < DP_SAMPLES; k++, shown++) {
            dp_str before = dp_truth_text(&r->truth, s->good[k].item);
            dp_buf_c(out, shown ? ",[" : "[");
            put_url(out, r, before, s->good[k].after);
            dp_buf_byte(out, ',');
            put_url(out, r, s->good[k].after, (dp_str){NULL, 0});
            dp_buf_byte(out, ']');
        }
    }
    dp_buf_byte(out, ']');
}

static void put_wrong(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    dp_buf_c(out, ",\"wrong\":[");
    for (size_t i = f->first; i < f->first + f->rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->nwrong && shown < DP_SAMPLES; k++, shown++) {
            dp_str a = dp_truth_text(&r->truth, s->wrong[k].a), b = dp_truth_text(&r->truth, s->wrong[k].b);
            dp_buf_c(out, shown ? ",[" : "[");
            put_url(out, r, a, b);
            dp_buf_byte(out, ',');
            put_url(out, r, b, a);
            dp_buf_byte(out, ']');
        }
    }
    dp_buf_byte(out, ']');
}

static void put_family(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_buf_c(out, "{\"rule\":");
    put_cut(out, f->text);
    put_count(out, "rules", f->rules);
    put_count(out, "hosts", f->hosts);
    for (int s = 0; s < 4; s++)
        put_count(out, dp_state_name((dp_state)s), f->in_state[s]);
    put_share(out, "n", f->n);
    put_share(out, "neg", f->neg);
    put_share(out, "risk", f->risk);
    if (f->p_count) {
        put_share(out, "p_min", f->p_min);
        put_share(out, "p_mean", f->p_sum / (double)f->p_count);
    } else {
        dp_buf_c(out, ",\"p_min\":null,\"p_mean\":null");
    }
    put_count(out, "fired", f->fired);
    put_count(out, "changes", f->changed);
    put_count(out, "merges", f->good + f->bad);
    if (r->labelled) {
        put_count(out, "good_merges", f->good);
        put_count(out, "bad_merges", f->bad);
        put_count(out, "for", f->pos);
        put_count(out, "against", f->against);
    }
    put_good(out, r, f);
    if (r->labelled)
        put_wrong(out, r, f);
    dp_buf_byte(out, '}');
}

static void put_families(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, ",\n\"families\":[");
    for (size_t i = 0; i < r->nshown; i++) {
        dp_buf_c(out, i ? ",\n" : "\n");
        put_family(out, r, &r->family[i]);
    }
    dp_buf_printf(out, "],\n\"families_left_out\":%zu", r->nfamily - r->nshown);
}

/* ---- the rest --------------------------------------------------------------------------------------- */

static void put_losses(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, ",\n\"lost_pages\":[");
    for (size_t i = 0; i < r->nloss; i++) {
        dp_str url = dp_truth_text(&r->truth, r->loss[i].item), instead = dp_truth_text(&r->truth, r->loss[i].instead);
        dp_buf_c(out, i ? ",\n{\"url\":" : "\n{\"url\":");
        put_url(out, r, url, instead);
        dp_buf_c(out, ",\"instead\":");
        put_url(out, r, instead, url);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
}

static void put_traffic(dp_buf *out, const dp_report *r)
{
    const char *sep = "\n";
    dp_buf_c(out, ",\n\"traffic\":");
    if (!r->spent) {
        dp_buf_c(out, "null");
        return;
    }
    dp_buf_byte(out, '[');
    for (uint32_t i = 0; i < dp_crawlers(); i++) {
        if (!r->spent[i].hits)
            continue;
        dp_buf_printf(out, "%s{\"agent\":\"%s\",\"crawler\":%s", sep, dp_crawler_name(i),
                      dp_crawler_is(i) ? "true" : "false");
        put_count(out, "hits", r->spent[i].hits);
        put_count(out, "urls", r->spent[i].urls);
        put_count(out, "pages", r->spent[i].pages);
        put_count(out, "duplicate_hits", r->spent[i].wasted);
        if (r->known)
            put_count(out, "known_duplicate_hits", r->known[i].wasted);
        dp_buf_byte(out, '}');
        sep = ",\n";
    }
    dp_buf_byte(out, ']');
}

static void put_made(dp_buf *out, const dp_report *r)
{
    char line[DP_DOUBT_SIZE];
    dp_buf_printf(out, ",\n\"made\":{\"version\":\"%s\",\"rules\":", dp_version());
    dp_json_str(out, dp_str_c(r->name));
    put_share(out, "min_precision", r->min_precision);
    dp_buf_printf(out, ",\"with_likely\":%s,\"examples\":\"%s\"", r->flags & DP_WITH_LIKELY ? "true" : "false",
                  r->raw ? "raw" : "masked");
    put_count(out, "inputs", r->inputs);
    dp_buf_printf(out, ",\"formats\":\"%s\"", r->formats);
    put_count(out, "records", r->truth.records);
    put_count(out, "repeated", r->truth.repeated);
    put_count(out, "contradicting", r->truth.contradicting);
    put_count(out, "without_label", r->bare);
    put_count(out, "not_urls", r->truth.not_urls);
    put_count(out, "bad_lines", r->in.bad);
    dp_buf_c(out, "},\n\"warnings\":[");
    for (size_t i = 0; dp_report_warning(r, i, line, sizeof line) == DP_OK; i++) {
        dp_buf_c(out, i ? "," : "");
        dp_json_str(out, dp_str_c(line));
    }
    dp_buf_byte(out, ']');
}

void dp_report_put_json(dp_buf *out, const dp_report *r)
{
    dp_buf_printf(out, "{\"labelled\":%s,", r->labelled ? "true" : "false");
    put_score(out, r, &r->row[DP_ROW_RULES]);
    put_count(out, "rules", r->row_rules[DP_ROW_RULES]);
    dp_buf_printf(out, ",\"set\":\"%016" PRIx64 "\"", dp_engine_set_id(r->engine));
    put_count(out, "singletons", r->labelled ? dp_truth_singletons(&r->truth) : 0);
    put_baselines(out, r);
    if (r->labelled)
        put_curve(out, r);
    put_hosts(out, r);
    put_families(out, r);
    if (r->labelled)
        put_losses(out, r);
    put_traffic(out, r);
    put_made(out, r);
    dp_buf_c(out, "}\n");
}
