/* A report as a page: what stands for each {{name}} of web/report.html.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "output/crawler.h"
#include "output/html.h"
#include "output/page.h"
#include "output/report/parts.h"

/* ---- sentences -------------------------------------------------------------------------------------- */

static const dp_score *score_of(const dp_report *r)
{
    return &r->row[DP_ROW_RULES];
}

static void put_headline(dp_buf *out, const dp_report *r)
{
    const dp_score *s = score_of(r);
    dp_html_share(out, s->reduction);
    if (!r->labelled) {
        dp_buf_c(out, " of the URLs merge with another");
        return;
    }
    dp_buf_c(out, " fewer fetches, ");
    if (s->lost == 0) {
        dp_buf_c(out, "no page missed");
        return;
    }
    dp_html_count(out, s->lost);
    dp_buf_c(out, "\xC2\xA0of\xC2\xA0"); /* no line breaks there */
    dp_report_number(out, s->clusters, "page missed", "pages missed");
}

static void put_title(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, "dustpan: ");
    put_headline(out, r);
}

/* "1 in 2,530" says more than .04 %. */
static void put_lost_words(dp_buf *out, const dp_report *r)
{
    const dp_score *s = score_of(r);
    if (s->lost == 0) {
        dp_buf_c(out, "all ");
        dp_html_count(out, s->clusters);
        dp_buf_c(out, " pages have a URL that is fetched");
        return;
    }
    dp_buf_c(out, "of ");
    dp_html_count(out, s->clusters);
    dp_buf_c(out, ", one in ");
    dp_html_count(out, (s->clusters + s->lost / 2) / s->lost);
}

static void put_notes(dp_buf *out, const dp_report *r)
{
    char line[512];
    bool any = false;
    for (size_t i = 0; dp_report_warning(r, i, line, sizeof line) == DP_OK; i++) {
        dp_buf_c(out, any ? "<li>" : "<ul class=\"notes\"><li>");
        line[0] = (char)(line[0] >= 'a' && line[0] <= 'z' ? line[0] - 'a' + 'A' : line[0]);
        dp_html_text(out, dp_str_c(line));
        dp_buf_c(out, ".</li>");
        any = true;
    }
    if (r->labelled && r->bare) {
        dp_buf_c(out, any ? "<li>" : "<ul class=\"notes\"><li>");
        dp_report_number(out, r->bare, "URL has no label and counts", "URLs have no label and count");
        dp_buf_c(out, r->spent ? " for hits alone.</li>" : " for nothing here.</li>");
        any = true;
    }
    dp_buf_c(out, any ? "</ul>" : "");
}

/* ---- how it was made -------------------------------------------------------------------------------- */

static void fact_text(dp_buf *out, const char *name, const char *text)
{
    dp_buf_printf(out, "<div><dt>%s</dt><dd>", name);
    dp_html_text(out, dp_str_c(text));
    dp_buf_c(out, "</dd></div>");
}

static void fact_count(dp_buf *out, const char *name, uint64_t v)
{
    dp_buf_printf(out, "<div><dt>%s</dt><dd>", name);
    dp_html_count(out, v);
    dp_buf_c(out, "</dd></div>");
}

static const char *told_by(const dp_report *r)
{
    if (!r->labelled)
        return "nothing";
    if (!(r->fields >> DP_FIELD_CLUSTER & 1))
        return "digests";
    return r->fields >> DP_FIELD_DIGEST & 1 ? "clusters, digests" : "clusters";
}

static void put_made(dp_buf *out, const dp_report *r)
{
    static const char *const states[] = {"Rules, active", "Rules, pinned", "Rules, likely", "Rules, off"};
    size_t                   in_state[4] = {0};
    for (size_t i = 0; i < r->rules->nrule; i++) {
        const dp_rule *rule = r->rules->rule[i];
        in_state[rule->block->off ? DP_OFF : rule->state]++;
    }
    dp_buf_c(out, "<dl>");
    fact_text(out, "Command", "dustpan report");
    fact_text(out, "Version", dp_version());
    fact_text(out, "Rules", r->name);
    dp_buf_printf(out, "<div><dt>Set of rules</dt><dd><code>%016" PRIx64 "</code></dd></div>",
                  dp_engine_set_id(r->engine));
    for (int s = 0; s < 4; s++)
        fact_count(out, states[s], in_state[s]);
    dp_buf_c(out, "<div><dt>Least precision asked for</dt><dd>");
    dp_html_share(out, r->min_precision);
    dp_buf_c(out, "</dd></div>");
    fact_text(out, "Rules marked likely", r->flags & DP_WITH_LIKELY ? "fire" : "do not fire");
    fact_text(out, "Pages are told by", told_by(r));
    fact_text(out, "Sample URLs", r->raw ? "as they are" : "masked");
    fact_count(out, "Input files", r->inputs);
    fact_text(out, "Formats", r->formats);
    fact_count(out, "Records", r->truth.records);
    fact_count(out, "Different URLs", r->truth.n);
    fact_count(out, "Lines that cannot be read", r->in.bad);
    dp_buf_c(out, "</dl>");
    if (r->labelled)
        dp_buf_c(out, "<p>Were the rules learned from these same records? Then they know the answers, and the figures "
                      "are better than they will be on new ones. <code>dustpan split</code> keeps some records for "
                      "this page.</p>");
}

/* ---- values ----------------------------------------------------------------------------------------- */

static dp_spent crawlers_of(const dp_report *r)
{
    dp_spent sum = {0};
    for (uint32_t i = 0; r->spent && i < dp_crawlers(); i++) {
        if (dp_crawler_is(i)) {
            sum.hits += r->spent[i].hits;
            sum.wasted += r->spent[i].wasted;
        }
    }
    return sum;
}

static void put_name(dp_buf *out, const dp_report *r)
{
    dp_html_text(out, dp_str_c(r->name));
}

static void put_version(dp_buf *out, const dp_report *r)
{
    (void)r;
    dp_html_text(out, dp_str_c(dp_version()));
}

static void put_data(dp_buf *out, const dp_report *r)
{
    dp_buf json = {0};
    dp_report_put_json(&json, r);
    dp_html_json(out, dp_buf_view(&json));
    out->failed |= json.failed;
    dp_buf_done(&json);
}

/* A number of the headline; -1 when there is none of that name. */
static double share_named(const dp_report *r, dp_str name)
{
    const dp_score *s = score_of(r);
    dp_spent        spent = crawlers_of(r);
    const struct { const char *name; double v; } shares[] = {
        {"saved_share", s->reduction},
        {"best_share", s->best_reduction},
        {"right_share", dp_report_right(s)},
        {"coverage", s->coverage},
        {"wasted_share", spent.hits ? (double)spent.wasted / (double)spent.hits : 0},
    };
    for (size_t i = 0; i < DP_COUNT(shares); i++) {
        if (dp_str_eq(name, dp_str_c(shares[i].name)))
            return shares[i].v;
    }
    return -1;
}

static bool count_named(const dp_report *r, dp_str name, uint64_t *v)
{
    const dp_score *s = score_of(r);
    dp_spent        spent = crawlers_of(r);
    const struct { const char *name; uint64_t v; } counts[] = {
        {"urls", s->urls},
        {"pages", s->clusters},
        {"fetched", s->fetched},
        {"covered", s->covered},
        {"lost", s->lost},
        {"saved", s->urls - s->fetched},
        {"good", s->good},
        {"merges", s->good + s->bad},
        {"duplicates", s->urls - s->clusters},
        {"host_count", r->nhost},
        {"rule_count", r->row_rules[DP_ROW_RULES]},
        {"wasted", spent.wasted},
        {"crawler_hits", spent.hits},
    };
    for (size_t i = 0; i < DP_COUNT(counts); i++) {
        if (dp_str_eq(name, dp_str_c(counts[i].name))) {
            *v = counts[i].v;
            return true;
        }
    }
    return false;
}

static void put_value(dp_buf *out, const void *ctx, dp_str name)
{
    static const struct { const char *name; void (*put)(dp_buf *out, const dp_report *r); } parts[] = {
        {"title", put_title},          {"headline", put_headline}, {"lost_words", put_lost_words},
        {"notes", put_notes},          {"name", put_name},         {"version", put_version},
        {"chart", dp_report_chart},    {"points", dp_report_points}, {"baselines", dp_report_baselines},
        {"traffic", dp_report_traffic}, {"hosts", dp_report_hosts}, {"families", dp_report_rules},
        {"losses", dp_report_losses},  {"made", put_made},   {"data", put_data},
    };
    const dp_report *r = ctx;
    uint64_t         count;
    double           share = share_named(r, name);
    for (size_t i = 0; i < DP_COUNT(parts); i++) {
        if (dp_str_eq(name, dp_str_c(parts[i].name)))
            parts[i].put(out, r);
    }
    if (share >= 0)
        dp_html_share(out, share);
    else if (count_named(r, name, &count))
        dp_html_count(out, count);
}

static bool has(const void *ctx, dp_str name)
{
    const dp_report *r = ctx;
    if (dp_str_eq(name, DP_STR("labels")))
        return r->labelled;
    if (dp_str_eq(name, DP_STR("masked")))
        return !r->raw;
    return dp_str_eq(name, DP_STR("traffic")) && r->spent && crawlers_of(r).hits;
}

void dp_report_put_html(dp_buf *out, const dp_report *r)
{
    dp_page_put(out, (dp_str){dp_page_text, dp_page_size}, &(dp_page_values){r, put_value, has});
}
