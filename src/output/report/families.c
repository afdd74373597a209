/* Rules by family and pages that are missed, as HTML lists.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/words/json.h"
#include "output/html.h"
#include "output/report/parts.h"
#include "rule/attr.h"
#include "rule/print.h"
#include "rule/words.h"

static void put_code(dp_buf *out, dp_str text)
{
    dp_buf_c(out, "<code dir=\"ltr\">");
    dp_html_text(out, text);
    dp_buf_c(out, "</code>");
}

static void put_url(dp_buf *out, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf text = {0};
    dp_report_url(&text, r, url, kept);
    put_code(out, dp_buf_view(&text));
    out->failed |= text.failed;
    dp_buf_done(&text);
}

/* ---- one family ------------------------------------------------------------------------------------- */

static double right_of(const dp_rule_family *f)
{
    return f->good + f->bad ? (double)f->good / (double)(f->good + f->bad) : 1;
}

static void put_states(dp_buf *out, const dp_rule_family *f)
{
    for (int s = 0; s < 4; s++) {
        if (s == DP_ACTIVE || f->said.in_state[s] == 0)
            continue;
        dp_buf_c(out, " <span class=\"tag\">");
        if (f->said.in_state[s] < f->said.rules) {
            dp_html_count(out, f->said.in_state[s]);
            dp_buf_byte(out, ' ');
        }
        dp_buf_printf(out, "%s</span>", s == DP_PIN ? "pinned" : dp_state_name((dp_state)s));
    }
}

/* Whether a rule of it takes part in this report. */
static bool is_used(const dp_report *r, const dp_rule_family *f)
{
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        if (dp_report_uses(r, r->rules->rule[r->by_family[i]]))
            return true;
    }
    return false;
}

static void put_summary(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_buf text = {0};
    dp_report_cut(&text, f->said.text);
    dp_buf_c(out, "<summary>");
    put_code(out, dp_buf_view(&text));
    out->failed |= text.failed;
    dp_buf_done(&text);
    dp_buf_c(out, "<span class=\"facts\">");
    if (is_used(r, f))
        dp_report_number(out, f->good + f->bad, "merge", "merges");
    else
        dp_buf_c(out, "not used");
    if (r->labelled && f->good + f->bad) {
        dp_buf_c(out, ", ");
        dp_html_share(out, right_of(f));
        dp_buf_c(out, " right");
    }
    dp_buf_c(out, " on ");
    dp_report_number(out, f->said.hosts, "host", "hosts");
    put_states(out, f);
    dp_buf_c(out, "</span></summary>");
}

static void put_words(dp_buf *out, const dp_rule *rule)
{
    dp_buf words = {0};
    dp_rule_words(&words, rule);
    dp_buf_c(out, "<p>");
    dp_html_text(out, dp_buf_view(&words));
    dp_buf_c(out, "</p>");
    out->failed |= words.failed;
    dp_buf_done(&words);
}

static void open_fact(dp_buf *out, const char *name)
{
    dp_buf_printf(out, "<div><dt>%s</dt><dd>", name);
}

static void close_fact(dp_buf *out)
{
    dp_buf_c(out, "</dd></div>");
}

/* What validate found, where it has tested rules of the family. */
static void put_live_test(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t passed = 0, failed = 0;
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule *rule = r->rules->rule[r->by_family[i]];
        bool           refuted = dp_attr_find(rule, DP_STR("refuted")) != NULL;
        failed += refuted;
        passed += !refuted && dp_rule_by(rule, "fetch");
    }
    open_fact(out, "Test on live pages");
    if (f->said.rules == 1) {
        dp_buf_c(out, passed ? "passed" : failed ? "failed" : "none");
    } else {
        dp_html_count(out, passed);
        dp_buf_c(out, " passed, ");
        dp_html_count(out, failed);
        dp_buf_c(out, " failed, ");
        dp_html_count(out, f->said.rules - passed - failed);
        dp_buf_c(out, " not tested");
    }
    close_fact(out);
}

static void put_evidence(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_buf_c(out, "<dl>");
    open_fact(out, "Hosts");
    dp_report_names(out, r, f);
    close_fact(out);
    open_fact(out, "Expected precision");
    if (f->said.p_count) {
        dp_html_share(out, f->said.p_sum / (double)f->said.p_count);
        if (f->said.p_count > 1) {
            dp_buf_c(out, ", at least ");
            dp_html_share(out, f->said.p_min);
        }
    } else {
        dp_buf_c(out, "not given");
    }
    close_fact(out);
    open_fact(out, "Expected loss");
    dp_json_number(out, f->loss, 1);
    dp_buf_c(out, " URLs");
    close_fact(out);
    open_fact(out, "Evidence in the rule file");
    dp_html_count(out, (uint64_t)f->said.n);
    dp_buf_c(out, " right, ");
    dp_html_count(out, (uint64_t)f->said.neg);
    dp_buf_c(out, " wrong");
    close_fact(out);
    put_live_test(out, r, f);
    if (r->labelled) {
        open_fact(out, "Pages in this input");
        dp_html_count(out, f->pos);
        dp_buf_c(out, " right, ");
        dp_html_count(out, f->against);
        dp_buf_c(out, " wrong");
        close_fact(out);
        if (f->pos + f->against) {
            open_fact(out, "Measured precision");
            dp_html_share(out, (double)f->pos / (double)(f->pos + f->against));
            close_fact(out);
        }
    }
    open_fact(out, "Matching URLs");
    dp_html_count(out, f->fired);
    close_fact(out);
    open_fact(out, f->said.rules == 1 ? "Rule" : "Rules");
    dp_buf_printf(out, "<code>%08" PRIx64 "</code>", r->rules->rule[r->by_family[f->first]]->id >> 32);
    if (f->said.rules > 1) {
        dp_buf_c(out, " and ");
        dp_html_count(out, f->said.rules - 1);
        dp_buf_c(out, " more");
    }
    close_fact(out);
    dp_buf_c(out, "</dl>");
}

static void put_examples(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->ngood && shown < DP_SAMPLES; k++, shown++) {
            dp_str before = dp_truth_text(&r->truth, s->good[k].item);
            dp_buf_c(out, shown ? "<li>" : "<h3>Before and after</h3><ul class=\"pairs\"><li>");
            put_url(out, r, before, s->good[k].after);
            put_url(out, r, s->good[k].after, (dp_str){NULL, 0});
            dp_buf_c(out, "</li>");
        }
    }
    bool acts = f->fired || f->good + f->bad;
    if (!shown) {
        dp_buf_c(out, "<p class=\"facts\">");
        dp_buf_c(out, !is_used(r, f) ? "Not used in this report, so not tried; <code>dustpan review</code> tries it."
                      : acts         ? "No example to show."
                                     : "Used alone, it changes no URL of this input.");
    }
    dp_buf_c(out, shown ? "</ul>" : "</p>");
}

static void put_wrong(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    size_t shown = 0;
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        for (uint32_t k = 0; k < s->nwrong && shown < DP_SAMPLES; k++, shown++) {
            dp_str a = dp_truth_text(&r->truth, s->wrong[k].a), b = dp_truth_text(&r->truth, s->wrong[k].b);
            dp_buf_c(out, shown ? "<li>" : "<h3>Merged, although the pages differ</h3><ul class=\"pairs apart\"><li>");
            put_url(out, r, a, b);
            put_url(out, r, b, a);
            dp_buf_c(out, "</li>");
        }
    }
    dp_buf_c(out, shown ? "</ul>" : "");
}

/* ---- all of them ------------------------------------------------------------------------------------ */

void dp_report_rules(dp_buf *out, const dp_report *r)
{
    const dp_rule_family *f = r->family;
    if (r->nshown == 0) {
        dp_buf_c(out, "<p>There are no rules to show.</p>");
        return;
    }
    dp_buf_c(out, "<p>");
    dp_report_number(out, r->nfamily, "rule", "rules");
    if (r->nfamily > r->nshown) {
        dp_buf_c(out, "; the ");
        dp_html_count(out, r->nshown);
        dp_buf_c(out, " that are expected to lose most are shown, <code>dustpan rules show</code> lists all");
    }
    dp_buf_c(out, ".</p>");
    dp_buf_c(out, "<div class=\"tools need-js\"><label for=\"find-rule\">Find a rule</label>"
                  "<input id=\"find-rule\" type=\"search\" autocomplete=\"off\" data-filter=\"#rules details\">"
                  "<output for=\"find-rule\"></output></div>\n");
    for (size_t i = 0; i < r->nshown; i++) {
        dp_buf_c(out, i ? "<details class=\"rule\">" : "<details class=\"rule\" open>");
        put_summary(out, r, &f[i]);
        dp_buf_c(out, "<div class=\"inside\">");
        put_words(out, f[i].said.first);
        put_evidence(out, r, &f[i]);
        put_examples(out, r, &f[i]);
        if (r->labelled)
            put_wrong(out, r, &f[i]);
        dp_buf_c(out, "</div></details>\n");
    }
}

void dp_report_names(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_buf names = {0};
    dp_report_put_names(&names, r, f);
    dp_html_text(out, dp_buf_view(&names));
    out->failed |= names.failed;
    dp_buf_done(&names);
}

void dp_report_losses(dp_buf *out, const dp_report *r)
{
    uint64_t lost = r->row[DP_ROW_RULES].lost;
    if (lost == 0) {
        dp_buf_c(out, "<p>None: at least one URL of every page in this input is fetched.</p>");
        return;
    }
    dp_buf_c(out, "<p>These pages would not be crawled, because each of their URLs gets the same key as an earlier "
                  "URL of a different page. Top: a URL of the lost page. Below it: the URL fetched instead. ");
    if (lost > r->nloss) {
        dp_buf_c(out, "Shown are the first ");
        dp_html_count(out, r->nloss);
        dp_buf_c(out, " of ");
        dp_html_count(out, lost);
        dp_buf_c(out, ".");
    }
    dp_buf_c(out, "</p><ul class=\"pairs apart\">");
    for (size_t i = 0; i < r->nloss; i++) {
        dp_str url = dp_truth_text(&r->truth, r->loss[i].item), instead = dp_truth_text(&r->truth, r->loss[i].instead);
        dp_buf_c(out, "<li>");
        put_url(out, r, url, instead);
        put_url(out, r, instead, url);
        dp_buf_c(out, "</li>\n");
    }
    dp_buf_c(out, "</ul>");
}
