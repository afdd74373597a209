/* What the owner of a site can do about the rules with most requests for URLs too many: for each the URL to link to, to
 * name in rel=canonical and in the sitemap, and lines for robots.txt; for all of them together one block of redirects.
 *
 *     drop ?sid      /a?sid=1  ─►  /a     301 in nginx and Apache, rel=canonical to /a, Clean-param: sid
 *
 * Page, JSON and standard error say the same, from here. The texts for tools are those of `rules export`; as JSON the
 * names of the targets are enough. No redirect for a rule that erases, since what is left of a URL can never be
 * requested, nor against the form that most are asking for. Redirects are one block, since a server takes one chain of
 * steps; lines of robots.txt stand alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/words/json.h"
#include "dustpan.h"
#include "output/html.h"
#include "output/report/parts.h"

enum { NGINX, APACHE, CLEAN_PARAM, ROBOTS };

static const struct {
    const char *target, *title;
} exports[] = {
    [NGINX] = {"nginx-redirect", "301, nginx"},
    [APACHE] = {"apache-redirect", "301, Apache"},
    [CLEAN_PARAM] = {"clean-param", "robots.txt, Clean-param"},
    [ROBOTS] = {"robots", "robots.txt, Disallow (only where each page is linked without the parameter, too)"},
};

static const dp_rule_family *family_of(const dp_report *r, const dp_report_fix *fix)
{
    return &r->family[fix->family];
}

/* ---- exports --------------------------------------------------------------------------------------------------- */

/* Whether a target of `rules export` fits the form to keep: a redirect follows the rule. */
static bool suits(const dp_rule_family *f, size_t target)
{
    return target > APACHE || (!f->leads_away && f->has_target);
}

/* Append those of n fixes that suit the target: their rules that are used, on all their hosts, in the order of the rule
 * file, as if they had been tested. */
static void put_rules(dp_buf *out, const dp_report *r, const dp_report_fix *fix, size_t n, size_t target)
{
    bool *taken = calloc(r->rules->nrule + 1, sizeof *taken);
    out->failed |= !taken;
    for (size_t k = 0; taken && k < n; k++) {
        const dp_rule_family *f = family_of(r, &fix[k]);
        for (size_t i = f->first; suits(f, target) && i < f->first + f->said.rules; i++)
            taken[r->by_family[i]] = dp_report_uses(r, r->rules->rule[r->by_family[i]]);
    }
    for (size_t i = 0; taken && i < r->rules->nrule; i++) {
        const dp_rule *rule = r->rules->rule[i];
        if (taken[i])
            dp_buf_printf(out, "host %.*s\npin %.*s\n", DP_FMT(rule->block->hosts), DP_FMT(rule->text));
    }
    free(taken);
}

/* Append what `rules export` makes of n fixes for a target; returns how many rules it could express. */
static size_t put_export(dp_buf *out, const dp_report *r, const dp_report_fix *fix, size_t n, size_t target)
{
    dp_buf    text = {0};
    dp_rules *v = NULL;
    dp_text  *made = NULL, *refused = NULL;
    size_t    count[DP_EXCHANGE_COUNTS] = {0};
    dp_buf_c(&text, "dustpan-rules 1\n");
    put_rules(&text, r, fix, n, target);
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&v);
    if (code == DP_OK)
        code = dp_rules_parse(v, "rules", text.p, text.n, NULL);
    if (code == DP_OK)
        code = dp_rules_export(&made, &refused, v, exports[target].target, 0, count, NULL);
    if (code == DP_OK && count[DP_EXCHANGE_TAKEN])
        dp_buf_add(out, dp_text_data(made), dp_text_size(made));
    out->failed |= code == DP_ENOMEM;
    if (code == DP_OK) {
        dp_text_free(made);
        dp_text_free(refused);
    }
    dp_rules_free(v);
    dp_buf_done(&text);
    return code == DP_OK ? count[DP_EXCHANGE_TAKEN] : 0;
}

/* Append the names of those targets from `first` to `last` that can express the fix; returns how many. */
static size_t put_targets(dp_buf *out, const dp_report *r, const dp_report_fix *fix, size_t first, size_t last)
{
    size_t n = 0;
    for (size_t i = first; i <= last; i++) {
        dp_buf text = {0};
        if (put_export(&text, r, fix, 1, i)) {
            dp_buf_printf(out, "%s%s", n ? " or " : "", exports[i].target);
            n++;
        }
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
    return n;
}

/* ---- advice ---------------------------------------------------------------------------------------------------- */

/* Which URL to link to: a sentence with `link` in its midst, which may be empty. */
typedef struct advice {
    const char *before, *after;
    dp_str      link;
} advice;

static advice advice_of(const dp_report *r, const dp_report_fix *fix)
{
    const dp_rule_family *f = family_of(r, fix);
    dp_str                link = fix->nexample ? fix->example[0].link : (dp_str){NULL, 0};
    if (!link.n && dp_str_starts(f->said.text, DP_STR("drop ")))
        return (advice){"Link to the URL without the parameter; name it in rel=canonical, and keep only it in the "
                        "sitemap.", "", link};
    if (!link.n)
        return (advice){"Each of these pages has several URLs: link to one of them, name it in rel=canonical, and keep "
                        "only it in the sitemap.", "", link};
    if (f->leads_away)
        return (advice){"Link to ", ", the form that is requested most; name it in rel=canonical, and keep only it in "
                        "the sitemap. The rule leads the other way: that makes a key, but no redirect.", link};
    if (!f->has_target)
        return (advice){"Link to ", ", of these URLs the one that is requested most; name it in rel=canonical, and "
                        "keep only it in the sitemap.", link};
    return (advice){"Link to ", "; name it in rel=canonical, and keep only it in the sitemap.", link};
}

/* Append why the rule is believed. */
static void put_evidence(dp_buf *out, const dp_rule_family *f)
{
    if (f->said.p_count) {
        dp_buf_printf(out, "expected to be right in %s", f->said.p_min > .999 ? "more than " : "");
        dp_json_number(out, f->said.p_min > .999 ? 99.9 : 100 * f->said.p_min, 1);
        dp_buf_c(out, " % of cases");
    }
    if (f->said.n + f->said.neg > 0)
        dp_buf_printf(out, "%s%" PRIu64 " %s for it, %" PRIu64 " against", f->said.p_count ? "; " : "",
                      (uint64_t)f->said.n, dp_plural((uint64_t)f->said.n, "comparison", "comparisons"),
                      (uint64_t)f->said.neg);
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

static void put_lines(dp_buf *out, const dp_report *r, const dp_report_fix *fix)
{
    const dp_rule_family *f = family_of(r, fix);
    advice                link = advice_of(r, fix);
    dp_buf                why = {0}, redirects = {0}, robots = {0};
    put_evidence(&why, f);
    dp_buf_c(out, "  ");
    dp_report_cut(out, f->said.text);
    dp_buf_c(out, "  (");
    dp_report_put_names(out, r, f);
    dp_buf_printf(out, "): %" PRIu64 " URL%s too many, %" PRIu64 " request%s%s%.*s\n", f->spare, dp_s(f->spare),
                  f->hits, dp_s(f->hits), why.n ? "; " : "", DP_FMT(dp_buf_view(&why)));
    dp_buf_printf(out, "      %s%.*s%s\n", link.before, DP_FMT(link.link), link.after);
    bool moves = put_targets(&redirects, r, fix, NGINX, APACHE),
         hides = put_targets(&robots, r, fix, CLEAN_PARAM, ROBOTS);
    if (moves)
        dp_buf_printf(out, "      301: rules export --to %.*s%s\n", DP_FMT(dp_buf_view(&redirects)),
                      f->said.in_state[DP_LIKELY] ? ", after validate" : "");
    if (hides)
        dp_buf_printf(out, "      %srobots.txt: rules export --to %.*s\n", moves ? "or " : "",
                      DP_FMT(dp_buf_view(&robots)));
    out->failed |= why.failed || redirects.failed || robots.failed;
    dp_buf_done(&why);
    dp_buf_done(&redirects);
    dp_buf_done(&robots);
}

void dp_report_put_advice(dp_buf *out, const dp_report *r)
{
    if (!r->nfix) {
        dp_buf_c(out, "nothing to fix was found: these rules merge no URLs of this input\n");
        return;
    }
    if (r->nwasteful > r->nfix)
        dp_buf_printf(out, "%zu patterns to fix; the %zu with most requests for URLs too many:\n", r->nwasteful,
                      r->nfix);
    else
        dp_buf_printf(out, "%zu pattern%s to fix:\n", r->nfix, dp_s(r->nfix));
    for (size_t i = 0; i < r->nfix; i++)
        put_lines(out, r, &r->fix[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void put_example(dp_buf *out, const dp_report *r, const dp_fix_example *v)
{
    dp_buf text = {0};
    dp_report_url(&text, r, dp_truth_text(&r->truth, v->url), v->link);
    dp_json_open(out, NULL, '{');
    dp_json_take(out, "url", &text);
    if (v->link.n)
        dp_json_text(out, "canonical", v->link);
    dp_buf_byte(out, '}');
}

static void put_fix(dp_buf *out, const dp_report *r, const dp_report_fix *fix)
{
    const dp_rule_family *f = family_of(r, fix);
    dp_buf                text = {0};
    dp_json_open(out, NULL, '{');
    dp_report_cut(&text, f->said.text);
    dp_json_take(out, "rule", &text);
    text = (dp_buf){0};
    dp_report_put_names(&text, r, f);
    dp_json_take(out, "hosts", &text);
    dp_json_count(out, "hits", f->hits);
    dp_json_count(out, "bytes", f->bytes);
    dp_json_count(out, "urls", f->spare);
    dp_json_flag(out, "leads_away", f->leads_away);
    dp_json_open(out, "examples", '[');
    for (size_t i = 0; i < fix->nexample; i++)
        put_example(out, r, &fix->example[i]);
    dp_buf_c(out, "]");
    dp_json_open(out, "exports", '[');
    for (size_t i = 0; i < DP_COUNT(exports); i++) {
        text = (dp_buf){0};
        if (put_export(&text, r, fix, 1, i))
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
        put_fix(out, r, &r->fix[i]);
    }
    dp_buf_byte(out, ']');
}

/* ---- HTML ------------------------------------------------------------------------------------------------------ */

static void put_code(dp_buf *out, dp_str text)
{
    dp_buf_c(out, "<code dir=\"ltr\">");
    dp_html_text(out, text);
    dp_buf_c(out, "</code>");
}

/* URLs too many, each with the one to link to. */
static void put_pairs(dp_buf *out, const dp_report *r, const dp_report_fix *fix)
{
    dp_buf_c(out, fix->nexample ? "<ul class=\"pairs\">" : "");
    for (size_t i = 0; i < fix->nexample; i++) {
        dp_buf text = {0};
        dp_report_url(&text, r, dp_truth_text(&r->truth, fix->example[i].url), fix->example[i].link);
        dp_buf_c(out, "<li>");
        put_code(out, dp_buf_view(&text));
        if (fix->example[i].link.n)
            put_code(out, fix->example[i].link);
        dp_buf_c(out, "</li>");
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
    dp_buf_c(out, fix->nexample ? "</ul>" : "");
}

static void put_snippet(dp_buf *out, const char *title, dp_str text)
{
    dp_buf_printf(out, "<details><summary>%s</summary><div class=\"scroll\" role=\"region\" aria-label=\"%s\" "
                       "tabindex=\"0\"><pre dir=\"ltr\">", title, title);
    dp_html_lines(out, text);
    dp_buf_c(out, "</pre></div></details>");
}

static void put_exports(dp_buf *out, const dp_report *r, const dp_report_fix *fix)
{
    dp_buf redirects = {0};
    bool   moves = put_targets(&redirects, r, fix, NGINX, APACHE), hides = false;
    for (size_t i = CLEAN_PARAM; i <= ROBOTS; i++) {
        dp_buf text = {0};
        if (put_export(&text, r, fix, 1, i)) {
            if (!hides)
                dp_buf_c(out, moves ? "<p>Then choose one: the redirect below, or robots.txt. What robots.txt forbids "
                                      "is not fetched, so that crawlers see neither redirect nor rel=canonical.</p>"
                                    : "<p>Or robots.txt. What it forbids is not fetched, so that crawlers do not see "
                                      "rel=canonical.</p>");
            hides = true;
            put_snippet(out, exports[i].title, dp_buf_view(&text));
        }
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
    if (moves && !hides)
        dp_buf_c(out, "<p>It is one of the redirects below.</p>");
    out->failed |= redirects.failed;
    dp_buf_done(&redirects);
}

/* One block for all: two of them in one server would write the same variables. */
static void put_redirects(dp_buf *out, const dp_report *r)
{
    bool any = false;
    for (size_t target = NGINX; target <= APACHE; target++) {
        dp_buf text = {0};
        size_t taken = put_export(&text, r, r->fix, r->nfix, target);
        if (taken) {
            if (!any) {
                dp_buf_c(out, "<h3>Redirects</h3><p>One block for ");
                dp_report_number(out, taken, "rule", "rules");
                dp_buf_c(out, " above, which takes the place of an earlier one. A redirect is for people, too: test "
                              "likely rules first (<code>dustpan validate</code>).</p>");
            }
            any = true;
            put_snippet(out, exports[target].title, dp_buf_view(&text));
        }
        out->failed |= text.failed;
        dp_buf_done(&text);
    }
}

static void put_item(dp_buf *out, const dp_report *r, const dp_report_fix *fix)
{
    const dp_rule_family *f = family_of(r, fix);
    advice                link = advice_of(r, fix);
    dp_buf                rule = {0}, why = {0};
    dp_report_cut(&rule, f->said.text);
    put_evidence(&why, f);
    dp_buf_c(out, "<li><p>");
    put_code(out, dp_buf_view(&rule));
    dp_buf_c(out, " <span class=\"facts\">");
    dp_report_names(out, r, f);
    dp_buf_c(out, ": ");
    dp_report_number(out, f->spare, "URL too many", "URLs too many");
    dp_buf_c(out, ", ");
    dp_report_number(out, f->hits, "request", "requests");
    dp_buf_c(out, ", ");
    dp_report_bytes(out, f->bytes);
    dp_buf_c(out, why.n ? "; " : "");
    dp_html_text(out, dp_buf_view(&why));
    dp_buf_c(out, "</span></p>");
    put_pairs(out, r, fix);
    dp_buf_printf(out, "<p>%s", link.before);
    if (link.link.n)
        put_code(out, link.link);
    dp_buf_printf(out, "%s</p>", link.after);
    put_exports(out, r, fix);
    dp_buf_c(out, "</li>\n");
    out->failed |= rule.failed || why.failed;
    dp_buf_done(&rule);
    dp_buf_done(&why);
}

void dp_report_fixes(dp_buf *out, const dp_report *r)
{
    dp_buf_c(out, "<ol>");
    for (size_t i = 0; i < r->nfix; i++)
        put_item(out, r, &r->fix[i]);
    dp_buf_c(out, "</ol>");
    put_redirects(out, r);
}
