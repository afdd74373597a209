/* cmd_review.c - dustpan review: one page in which a person decides on rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/page.h"
#include "cli/say.h"

static const char about[] =
    "Write one self-contained HTML page to review the rules of a file: those that could lose the most\n"
    "pages first, each in words, with examples and counter-examples of the records. Accept, reject,\n"
    "pin or confine rules there, see at once what that saves and loses, and download the edited file.";

typedef struct options {
    dp_page_options page;
    int64_t         sample;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_PAGE_OPTIONS(&o->page),
        {0, "sample", "N", "URLs on which the page counts what a choice saves, 0 to 100000;\ndefault 5000",
         .number = &o->sample, .max = 100000},
        DP_EXAMPLES_OPTION(&o->page),
        DP_PAGE_INPUT_OPTIONS(&o->page),
    };
    const dp_usage usage = {"review", "RULES [FILE...]", about, table, DP_COUNT(table), 1, SIZE_MAX};
    dp_list       *files = &o->page.in.files;
    int            status = dp_options_parse(&usage, argc, argv, files, a);
    if (status != DP_GO_ON)
        return status;
    o->page.rules = (dp_list){files->v, 1};
    *files = (dp_list){files->v + 1, files->n - 1};
    return DP_GO_ON;
}

static void say_summary(const dp_report *v, const dp_rules *rules, const dp_page_options *page)
{
    double urls = 0;
    size_t n = dp_rules_count(rules), open = 0;
    dp_page_say(v, rules, page);
    dp_report_metric(v, "urls", &urls);
    for (size_t i = 0; i < n; i++)
        open += dp_rules_state(rules, i) == DP_LIKELY;
    dp_say("%zu rule%s, %zu of them likely, on %.0f URL%s", n, dp_s(n), open, urls, dp_s((uint64_t)urls));
    dp_page_say_next(page);
}

int dp_cmd_review(int argc, char **argv, dp_arena *a)
{
    options    o = {.sample = 5000};
    dp_rules  *rules = NULL;
    dp_report *v = NULL;
    dp_error   err = {0};
    int        status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (dp_records_clash(&o.page.in, o.page.rules))
        return dp_say_usage("review", "rules and records cannot both come from standard input");
    dp_err code = dp_load_rules(&rules, o.page.rules.v, o.page.rules.n, &err);
    if (code == DP_OK)
        code = dp_report_new(&v, dp_page_name(&o.page), rules, 0, 0, &err);
    if (code == DP_OK && (code = dp_report_set(v, DP_REPORT_REVIEW, o.sample)) != DP_OK)
        dp_fail_as(&err, code);
    if (code == DP_OK)
        code = dp_page_write(v, &o.page, &err);
    if (code == DP_OK && !o.page.quiet)
        say_summary(v, rules, &o.page);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_report_free(v);
    dp_rules_free(rules);
    return status;
}
