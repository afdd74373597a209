/* cmd_review.c - dustpan review: one page in which a person decides on rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/page.h"
#include "cli/say.h"
#include "cli/serve.h"

static const char about[] =
    "Write one self-contained HTML page to review the rules of a file: those that could lose the most\n"
    "pages first, each in words, with examples and counter-examples of the records. Accept, reject,\n"
    "pin or confine rules there, see at once what that saves and loses, and download the edited file.\n"
    "With --serve the page saves it in place.";

typedef struct options {
    dp_page_options page;
    int64_t         sample;
    bool            serves;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_PAGE_OPTIONS(&o->page),
        {0, "serve", NULL, "show the page on this machine instead, at the address that is printed,\n"
         "and save there what is changed, until Ctrl-C", .flag = &o->serves},
        {0, "sample", "N", "URLs on which the page counts what a choice saves, 0 to 100000;\ndefault 5000",
         .number = &o->sample, .max = 100000},
        DP_EXAMPLES_OPTION(&o->page),
        DP_PAGE_INPUT_OPTIONS(&o->page),
    };
    const dp_usage usage = {"review", "RULES [FILE...]", about, table, DP_COUNT(table), 1, SIZE_MAX};
    int            status = dp_page_parse(&usage, &o->page, true, argc, argv, a);
    if (status != DP_GO_ON || !o->serves)
        return status;
    if (o->page.output || o->page.json)
        return dp_say_usage("review", "--serve writes no page: it cannot go with --output or --json");
    if (!o->page.in.files.n || dp_list_has_stdin(o->page.in.files) || dp_list_has_stdin(o->page.rules))
        return dp_say_usage("review", "--serve reads the rules and the records again: both must be files");
    return DP_GO_ON;
}

static void say_summary(const dp_page *p, const dp_page_options *o)
{
    double urls = 0;
    size_t n = dp_rules_count(p->rules), open = 0;
    dp_page_say(p, o);
    dp_report_metric(p->report, "urls", &urls);
    for (size_t i = 0; i < n; i++)
        open += dp_rules_state(p->rules, i) == DP_LIKELY;
    dp_say("%zu rule%s, %zu of them likely, on %.0f URL%s", n, dp_s(n), open, urls, dp_s((uint64_t)urls));
    dp_page_say_next(o);
}

int dp_cmd_review(int argc, char **argv, dp_arena *a)
{
    options  o = {.sample = 5000};
    dp_page  page = {0};
    dp_error err = {0};
    int      status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    const dp_page_setting sample = {DP_REPORT_REVIEW, o.sample};
    dp_serving            serving;
    dp_err                code = o.serves ? dp_serving_begin(&serving, &page, &o.page, sample, &err) : DP_OK;
    if (code == DP_OK)
        code = dp_page_count(&page, &o.page, &sample, 1, &err);
    if (code == DP_OK && !o.serves)
        code = dp_page_write(&page, &o.page, &err);
    if (code == DP_OK && !o.page.quiet)
        say_summary(&page, &o.page);
    if (code == DP_OK && o.serves)
        code = dp_serving_run(&serving, &err);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_page_done(&page);
    return status;
}
