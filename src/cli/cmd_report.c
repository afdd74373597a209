/* cmd_report.c - dustpan report: one page that shows what rules save and what they risk.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/page.h"
#include "cli/patterns.h"
#include "cli/say.h"

static const char about[] =
    "Write one self-contained HTML page: what the rules save and which pages they miss, by host, by\n"
    "rule and by example; for access logs also how many requests crawlers waste on duplicates. Needs\n"
    "records with clusters or content to tell right merges from wrong ones. Without -r the rules are\n"
    "learned from FILE first, and what to fix is listed: dustpan report access.log -o FILE";

typedef struct options {
    dp_page_options page;
    int64_t         hosts, families, lost;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->page.rules),
        DP_PAGE_OPTIONS(&o->page),
        {0, "hosts", "N", "hosts to show by name, 0 to 10000; default 2000", .number = &o->hosts, .max = 10000},
        {0, "families", "N", "rules to show, 0 to 2000, each with all its hosts; default 200", .number = &o->families,
         .max = 2000},
        {0, "lost", "N", "lost pages to show, 0 to 20; default 20", .number = &o->lost, .max = 20},
        DP_EXAMPLES_OPTION(&o->page),
        DP_CHOICE_OPTIONS(&o->page.choice),
        DP_PAGE_INPUT_OPTIONS(&o->page),
    };
    const dp_usage usage = {"report", "[-r RULES] [FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_page_parse(&usage, &o->page, false, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    bool learns = !o->page.rules.n;
    for (size_t i = 0; i < o->page.in.files.n; i++)
        learns &= strcmp(o->page.in.files.v[i], "-") != 0;
    if (!o->page.rules.n && (!learns || !o->page.in.files.n))
        return dp_say_usage("report", "standard input is read once, and learning and reporting take two: name the "
                                      "files, or give -r RULES");
    return DP_GO_ON;
}

/* No rules were given: those that the records suggest. */
static dp_err learn(dp_page *p, options *o, dp_error *err)
{
    o->page.choice.with_likely = true;
    if (o->page.choice.min_precision <= 0)
        o->page.choice.min_precision = DP_PATTERNS_LEAST;
    return dp_patterns_learn(&p->rules, &o->page.in, err);
}

/* Rules that are likely only do nothing unless they are asked for: say so, lest the zeros be believed. */
static void say_unused(const dp_page *p, const options *o)
{
    size_t likely = 0;
    for (size_t i = 0; i < dp_rules_count(p->rules); i++)
        likely += dp_rules_state(p->rules, i) == DP_LIKELY;
    if (likely && !o->page.choice.with_likely)
        dp_say("%zu likely rule%s %s not used: --with-likely uses them, 'dustpan validate' tests them", likely,
               dp_s(likely), dp_plural(likely, "was", "were"));
}

/* The headline, for those who do not open the page: what is saved beside what could be, what is lost. */
static void say_headline(const dp_report *v)
{
    double urls = 0, fetched = 0, saved = 0, best = 0, lost = 0, pages = 0;
    dp_report_metric(v, "urls", &urls);
    dp_report_metric(v, "fetched", &fetched);
    dp_report_metric(v, "reduction", &saved);
    if (dp_report_metric(v, "lost", &lost) != DP_OK || dp_report_metric(v, "clusters", &pages) != DP_OK ||
        dp_report_metric(v, "best_reduction", &best) != DP_OK) {
        dp_say("%.0f URL%s, %.0f different key%s: %.1f %% of the URLs share a key with an earlier one", urls,
               dp_s((uint64_t)urls), fetched, dp_s((uint64_t)fetched), 100 * saved);
        dp_say("this input does not show which URLs are the same page, so these merges are unchecked");
        return;
    }
    dp_buf b = {0};
    dp_buf_printf(&b, "%.0f URL%s of %.0f page%s: %.1f %% fewer fetches", urls, dp_s((uint64_t)urls), pages,
                  dp_s((uint64_t)pages), 100 * saved);
    if (saved > best)
        dp_buf_printf(&b, ", but only %.1f %% are possible without losing pages", 100 * best);
    else
        dp_buf_printf(&b, " of %.1f %% possible", 100 * best);
    dp_buf_printf(&b, "; %.0f page%s lost", lost, dp_s((uint64_t)lost));
    if (!b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
}

int dp_cmd_report(int argc, char **argv, dp_arena *a)
{
    options  o = {.hosts = 2000, .families = 200, .lost = 20};
    dp_page  page = {0};
    dp_error err = {0};
    int      status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    const dp_page_setting set[] = {
        {DP_REPORT_HOSTS, o.hosts}, {DP_REPORT_FAMILIES, o.families}, {DP_REPORT_LOSSES, o.lost},
    };
    dp_err code = o.page.rules.n ? DP_OK : learn(&page, &o, &err);
    if (code == DP_OK)
        code = dp_page_count(&page, &o.page, set, DP_COUNT(set), &err);
    if (code == DP_OK)
        code = dp_page_write(&page, &o.page, &err);
    if (code == DP_OK && !o.page.quiet) {
        dp_page_say(&page, &o.page);
        say_headline(page.report);
        say_unused(&page, &o);
        if (!o.page.rules.n)
            dp_patterns_say(page.report, &o.page.in);
        dp_page_say_next(&o.page);
    }
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_page_done(&page);
    return status;
}
