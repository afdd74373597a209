/* What the owner of a site can do about the rules with most requests for URLs too many: for each the text for the
 * server, the URL for rel=canonical and the sitemap, and lines for robots.txt.
 *
 *     drop ?sid      /a?sid=1  ─►  /a     301 in nginx and Apache, rel=canonical to /a, Clean-param: sid
 *
 * The texts are those of `rules export`, for the rule alone; as JSON the names of the targets are enough. No redirect
 * for a rule that erases: what is left of a URL can never be requested.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/json.h"
#include "dustpan.h"
#include "output/html.h"
#include "output/report/parts.h"

static const struct {
    const char *target, *title;
} exports[] = {
    {"nginx-redirect", "301, nginx"},
    {"apache-redirect", "301, Apache"},
    {"clean-param", "robots.txt, Clean-param"},
    {"robots", "robots.txt, Disallow (only where each page is linked without the parameter, too)"},
};

static const dp_rule *rule_of(const dp_report *r, const dp_rule_family *f)
{
    return r->rules->rule[r->by_family[f->first]];
}

/* The first URL that a rule of the family changes rightly, as far as is known. */
static bool find_example(const dp_report *r, const dp_rule_family *f, dp_str *before, dp_str *after)
{
    for (size_t i = f->first; i < f->first + f->said.rules; i++) {
        const dp_rule_samples *s = &r->samples[r->by_family[i]];
        if (!s->ngood)
            continue;
        *before = dp_truth_text(&r->truth, s->good[0].item);
        *after = s->good[0].after;
        return true;
    }
    return false;
}

/* Append what `rules export` makes of the family's first rule alone; nothing where the target cannot express it. */
static void put_export(dp_buf *out, const dp_report *r, const dp_rule_family *f, const char *target)
{
    const dp_rule *rule = rule_of(r, f);
    dp_buf         text = {0};
    dp_rules      *alone = NULL;
    dp_text       *made = NULL, *refused = NULL;
    size_t         count[DP_EXCHANGE_COUNTS] = {0};
    dp_buf_printf(&text, "dustpan-rules 1\nhost %.*s\npin %.*s\n", DP_FMT(rule->block->hosts), DP_FMT(rule->text));
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&alone);
    if (code == DP_OK)
        code = dp_rules_parse(alone, "rule", text.p, text.n, NULL);
    if (code == DP_OK)
        code = dp_rules_export(&made, &refused, alone, target, 0, count, NULL);
    if (code == DP_OK && count[DP_EXCHANGE_TAKEN])
        dp_buf_add(out, dp_text_data(made), dp_text_size(made));
    out->failed |= code == DP_ENOMEM;
    if (code == DP_OK) {
        dp_text_free(made);
        dp_text_free(refused);
    }
    dp_rules_free(alone);
    dp_buf_done(&text);
}

/* Whether the URLs that the rule leads to can be asked for: none has the star of a value that was erased. */
static bool has_target(const dp_rule_family *f)
{
    dp_str      s = f->said.text;
    const char *arrow = memmem(s.p, s.n, " => ", 4);
    for (const char *p = arrow; p && p < s.p + s.n; p++) {
        if (*p == '*' && p[-1] != '*' && p[-1] != '{')
            return false;
    }
    return !dp_str_starts(s, DP_STR("erase "));
}

/* Whether it leads away from what most are asking for: then that is the form to keep. A parameter is dropped all the
 * same. */
static bool leads_away(const dp_rule_family *f)
{
    return f->away > f->toward && memmem(f->said.text.p, f->said.text.n, " => ", 4) && has_target(f);
}

/* Two URLs of one page: one to give up and one to keep. */
static bool find_forms(const dp_report *r, const dp_rule_family *f, dp_str *spare, dp_str *kept)
{
    return leads_away(f) ? find_example(r, f, kept, spare) : find_example(r, f, spare, kept);
}

/* Whether a target of `rules export` fits the form to keep: a redirect follows the rule. */
static bool suits(const dp_rule_family *f, size_t i)
{
    return !leads_away(f) || !strstr(exports[i].target, "redirect");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void put_fix(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_buf text = {0};
    dp_str before, after;
    dp_json_open(out, NULL, '{');
    dp_report_cut(&text, f->said.text);
    dp_json_take(out, "rule", &text);
    dp_json_text(out, "hosts", rule_of(r, f)->block->hosts);
    dp_json_count(out, "hits", f->hits);
    dp_json_count(out, "bytes", f->bytes);
    dp_json_count(out, "urls", f->spare);
    if (find_forms(r, f, &before, &after)) {
        text = (dp_buf){0};
        dp_report_url(&text, r, before, after);
        dp_json_take(out, "example", &text);
        text = (dp_buf){0};
        if (has_target(f)) {
            dp_report_url(&text, r, after, (dp_str){NULL, 0});
            dp_json_take(out, "canonical", &text);
        }
    }
    dp_json_open(out, "exports", '[');
    for (size_t i = 0; i < DP_COUNT(exports); i++) {
        text = (dp_buf){0};
        if (suits(f, i))
            put_export(&text, r, f, exports[i].target);
        if (text.n)
            dp_json_text(out, NULL, dp_str_c(exports[i].target));
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
    dp_buf_c(out, "]}");
}

void dp_report_put_fixes(dp_buf *out, const dp_report *r)
{
    dp_json_line(out);
    dp_json_open(out, "fixes", '[');
    for (size_t i = 0; i < r->nfix; i++) {
        dp_json_line(out);
        put_fix(out, r, &r->family[r->fix[i]]);
    }
    dp_buf_byte(out, ']');
}

/* ---- HTML ------------------------------------------------------------------------------------------------------ */

static void put_masked(dp_buf *out, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf text = {0};
    dp_report_url(&text, r, url, kept);
    dp_html_text(out, dp_buf_view(&text));
    out->failed |= text.failed;
    dp_buf_done(&text);
}

/* What a link and the sitemap should say. */
static void put_target(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    dp_str before, after;
    if (!find_forms(r, f, &before, &after))
        return;
    dp_buf_c(out, "<p>For example <code dir=\"ltr\">");
    put_masked(out, r, before, after);
    dp_buf_c(out, "</code>. ");
    if (!has_target(f)) {
        dp_buf_c(out, "All URLs of this form show one page: link to one of them, name that one in "
                      "<code>rel=canonical</code>, and keep only that one in the sitemap.</p>");
        return;
    }
    dp_buf_c(out, "Link to <code dir=\"ltr\">");
    put_masked(out, r, after, (dp_str){NULL, 0});
    dp_buf_c(out, "</code>, name that one in <code>rel=canonical</code>, and keep only that one in the sitemap.");
    if (leads_away(f))
        dp_buf_c(out, " The rule leads the other way, which does for a key; this form is requested most.");
    dp_buf_c(out, "</p>");
}

static void put_exports(dp_buf *out, const dp_report *r, const dp_rule_family *f)
{
    for (size_t i = 0; i < DP_COUNT(exports); i++) {
        dp_buf text = {0};
        if (suits(f, i))
            put_export(&text, r, f, exports[i].target);
        if (text.n) {
            dp_buf_printf(out, "<details><summary>%s</summary><div class=\"scroll\" role=\"region\" aria-label=\"%s\" "
                               "tabindex=\"0\"><pre dir=\"ltr\">", exports[i].title, exports[i].title);
            dp_html_text(out, dp_buf_view(&text));
            dp_buf_c(out, "</pre></div></details>");
        }
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
}

void dp_report_fixes(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, "<ol>");
    for (size_t i = 0; i < r->nfix; i++) {
        const dp_rule_family *f = &r->family[r->fix[i]];
        dp_buf                rule = {0};
        dp_report_cut(&rule, f->said.text);
        dp_buf_c(out, "<li><p><code dir=\"ltr\">");
        dp_html_text(out, dp_buf_view(&rule));
        dp_buf_c(out, "</code> <span class=\"facts\">");
        dp_html_text(out, rule_of(r, f)->block->hosts);
        dp_buf_c(out, ": ");
        dp_report_number(out, f->spare, "URL too many", "URLs too many");
        dp_buf_c(out, ", ");
        dp_report_number(out, f->hits, "request", "requests");
        dp_buf_c(out, ", ");
        dp_report_bytes(out, f->bytes);
        dp_buf_c(out, "</span></p>");
        put_target(out, r, f);
        put_exports(out, r, f);
        dp_buf_c(out, "</li>\n");
        out->failed |= rule.failed;
        dp_buf_done(&rule);
    }
    dp_buf_c(out, "</ol>");
}
