/* A report as a page: what stands for each {{name}} of web/report.html.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/number.h"
#include "base/plural.h"
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
        dp_buf_c(out, " of the URLs share a key with another one");
        return;
    }
    dp_buf_c(out, " fewer fetches, ");
    if (s->lost == 0) {
        dp_buf_c(out, "no page lost");
        return;
    }
    dp_html_count(out, s->lost);
    dp_buf_c(out, "\xC2\xA0of\xC2\xA0"); /* no line breaks there */
    dp_report_number(out, s->clusters, "page lost", "pages lost");
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
        dp_report_number(out, s->clusters, "page has a URL that is fetched", "pages, each with a URL that is fetched");
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
        dp_report_number(out, r->bare, "URL has no label", "URLs have no label");
        dp_buf_c(out, r->spent ? ": counted for crawler requests only.</li>" : ": not counted.</li>");
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
    static const char *const states[] = {"Active rules", "Pinned rules", "Likely rules", "Rules turned off"};
    size_t                   in_state[4] = {0};
    for (size_t i = 0; i < r->rules->nrule; i++) {
        const dp_rule *rule = r->rules->rule[i];
        in_state[dp_rule_state(rule)]++;
    }
    dp_buf_c(out, "<dl>");
    fact_text(out, "Command", "dustpan report");
    fact_text(out, "Version", dp_version());
    fact_text(out, "Rule file", r->name[0] ? r->name : "none, learned from this input");
    dp_buf_printf(out, "<div><dt>Rule-set version</dt><dd><code>%016" PRIx64 "</code></dd></div>",
                  dp_engine_set_id(r->engine));
    for (int s = 0; s < 4; s++)
        fact_count(out, states[s], in_state[s]);
    dp_buf_c(out, "<div><dt>Minimum precision</dt><dd>");
    dp_html_share(out, r->min_precision);
    dp_buf_c(out, "</dd></div>");
    fact_text(out, "Likely rules are", r->flags & DP_WITH_LIKELY ? "used" : "not used");
    fact_text(out, "Pages identified by", told_by(r));
    fact_text(out, "Sample URLs", r->raw ? "not masked" : "masked");
    fact_count(out, "Input files", r->inputs);
    fact_text(out, "Formats", r->formats);
    fact_count(out, "Records", r->truth.records);
    fact_count(out, "Different URLs", r->truth.n);
    fact_count(out, "Unreadable lines", r->in.bad);
    dp_buf_c(out, "</dl>");
    if (r->labelled)
        dp_buf_c(out, "<p>If the rules were learned from these same records, the figures are better than they will be "
                      "on new ones. <code>dustpan split</code> sets records aside for a fair test.</p>");
}

/* ---- what to do next -------------------------------------------------------------------------------- */

/* The rule file as commands name it. */
static void put_name(dp_buf *out, const dp_report *r)
{
    dp_html_text(out, dp_str_c(r->name[0] ? r->name : "site.rules"));
}

static void put_what(dp_buf *out, const dp_report *r)
{
    dp_html_text(out, dp_str_c(r->name[0] ? r->name : "rules learned from this input"));
}

/* Likely rules, and how many of them took part. */
static void put_likely(dp_buf *out, const dp_report *r)
{
    uint64_t likely = 0, used = 0;
    for (size_t i = 0; i < r->rules->nrule; i++) {
        bool is_likely = dp_rule_state(r->rules->rule[i]) == DP_LIKELY;
        likely += is_likely;
        used += is_likely && dp_report_uses(r, r->rules->rule[i]);
    }
    if (!likely)
        return;
    dp_buf_c(out, "<li>");
    dp_report_number(out, likely, "rule is only likely", "rules are only likely");
    if (!(r->flags & DP_WITH_LIKELY)) {
        dp_buf_c(out, ", and not used here (<code>--with-likely</code> uses them). ");
    } else {
        dp_buf_c(out, "; ");
        dp_html_count(out, used);
        dp_buf_c(out, used == 1 ? " of them is used here" : " of them are used here");
        if (r->min_precision > 0) {
            dp_buf_c(out, ", with an expected precision of ");
            dp_html_share(out, r->min_precision);
            dp_buf_c(out, " or more");
        }
        dp_buf_c(out, ". ");
    }
    dp_buf_c(out, "<code>dustpan validate -r ");
    put_name(out, r);
    dp_buf_c(out, " --urls URLS -o tested.rules</code> fetches a few pages to find out which of them hold.</li>");
}

/* What is true of these rules, whoever reads it. */
static void put_next(dp_buf *out, const dp_report *r)
{
    const dp_score *s = score_of(r);
    dp_buf_c(out, "<ul class=\"notes\">");
    if (!r->name[0])
        dp_buf_c(out, "<li>The rules are in no file yet. To write them: <code>dustpan learn -o site.rules URLS</code>, "
                      "with the input and the options of this report.</li>");
    put_likely(out, r);
    dp_buf_c(out, "<li>");
    if (!r->labelled)
        dp_buf_c(out, "Test the rules before you use them, on live pages: <code>dustpan validate -r ");
    else if (s->lost)
        dp_buf_c(out, "Look at the lost pages above first. To turn off the rules that new records contradict: "
                      "<code>dustpan audit -r ");
    else
        dp_buf_c(out, "Look again when the site has changed: <code>dustpan audit -r ");
    put_name(out, r);
    dp_buf_c(out, r->labelled ? " RECORDS -o audited.rules</code>.</li>" : " --urls URLS -o tested.rules</code>.</li>");
    dp_buf_c(out, "<li>To read, accept and reject rules one by one: <code>dustpan review ");
    put_name(out, r);
    dp_buf_c(out, r->labelled ? " RECORDS -o review.html</code>.</li></ul>" : " URLS -o review.html</code>.</li></ul>");
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

static void put_all_bytes(dp_buf *out, const dp_report *r)
{
    dp_report_bytes(out, r->bytes);
}

static void put_saved_bytes(dp_buf *out, const dp_report *r)
{
    dp_report_bytes(out, r->saved_bytes);
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
        {"bytes_share", dp_share(r->saved_bytes, r->bytes)},
        {"wasted_share", dp_share(spent.wasted, spent.hits)},
    };
    for (size_t i = 0; i < DP_COUNT(shares); i++) {
        if (dp_str_eq(name, dp_str_c(shares[i].name)))
            return shares[i].v;
    }
    return -1;
}

/* A number of the page, {{name}}, and its noun, {{name_noun}}. */
typedef struct counted {
    const char *name;
    uint64_t    v;
    const char *one, *many;
} counted;

static bool count_named(const dp_report *r, dp_str name, counted *out)
{
    const dp_score *s = score_of(r);
    dp_spent        spent = crawlers_of(r);
    const counted counts[] = {
        {"urls", s->urls, "URL", "URLs"},
        {"pages", s->clusters, "page", "pages"},
        {"fetched", s->fetched, "key", "keys"},
        {"covered", s->covered, "page", "pages"},
        {"lost", s->lost, "page", "pages"},
        {"saved", s->urls - s->fetched, "fetch", "fetches"},
        {"good", s->good, "merge", "merges"},
        {"merges", s->good + s->bad, "merge", "merges"},
        {"duplicates", s->urls - s->clusters, "URL", "URLs"},
        {"host_count", r->nhost, "host", "hosts"},
        {"rule_count", r->row_rules[DP_ROW_RULES], "rule", "rules"},
        {"sized", r->sized, "URL", "URLs"},
        {"wasted", spent.wasted, "request", "requests"},
        {"crawler_hits", spent.hits, "request", "requests"},
    };
    for (size_t i = 0; i < DP_COUNT(counts); i++) {
        if (dp_str_eq(name, dp_str_c(counts[i].name))) {
            *out = counts[i];
            return true;
        }
    }
    return false;
}

static void put_value(dp_buf *out, const void *ctx, dp_str name)
{
    static const struct { const char *name; void (*put)(dp_buf *out, const dp_report *r); } parts[] = {
        {"title", put_title},          {"headline", put_headline}, {"lost_words", put_lost_words},
        {"notes", put_notes},          {"name", put_name}, {"what", put_what}, {"version", put_version},
        {"chart", dp_report_chart},    {"points", dp_report_points}, {"baselines", dp_report_baselines},
        {"traffic", dp_report_traffic}, {"days", dp_report_days},
        {"fixes", dp_report_fixes},    {"hosts", dp_report_hosts}, {"families", dp_report_rules},
        {"reliability", dp_report_reliability},
        {"losses", dp_report_losses},  {"next", put_next},         {"made", put_made},
        {"data", put_data},            {"bytes", put_all_bytes},   {"saved_bytes", put_saved_bytes},
    };
    const dp_report *r = ctx;
    counted          count;
    bool             noun = dp_str_ends(name, DP_STR("_noun"));
    double           share = share_named(r, name);
    for (size_t i = 0; i < DP_COUNT(parts); i++) {
        if (dp_str_eq(name, dp_str_c(parts[i].name)))
            parts[i].put(out, r);
    }
    if (share >= 0)
        dp_html_share(out, share);
    else if (noun && count_named(r, dp_str_cut(name, 0, name.n - strlen("_noun")), &count))
        dp_buf_c(out, dp_plural(count.v, count.one, count.many));
    else if (count_named(r, name, &count))
        dp_html_count(out, count.v);
}

static bool has(const void *ctx, dp_str name)
{
    const dp_report *r = ctx;
    if (dp_str_eq(name, DP_STR("labels")))
        return r->labelled;
    if (dp_str_eq(name, DP_STR("masked")))
        return !r->raw;
    if (dp_str_eq(name, DP_STR("sizes")))
        return r->sized > 0;
    if (dp_str_eq(name, DP_STR("days")))
        return r->nday > 1;
    if (dp_str_eq(name, DP_STR("learned")))
        return !r->name[0];
    if (dp_str_eq(name, DP_STR("fixes")))
        return r->nfix > 0;
    return dp_str_eq(name, DP_STR("traffic")) && r->spent && crawlers_of(r).hits;
}

void dp_report_put_html(dp_buf *out, const dp_report *r)
{
    dp_page_put(out, (dp_str){dp_report_page, dp_report_page_size}, &(dp_page_values){r, put_value, has});
}
