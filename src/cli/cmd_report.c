/* cmd_report.c - dustpan report: one page that shows what rules save and what they risk.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Write one self-contained HTML page: what the rules save and which pages they miss, by host, by\n"
    "rule and by example; for access logs also how many requests crawlers waste on duplicates. Needs\n"
    "records with clusters or content to tell right merges from wrong ones.";

typedef struct options {
    dp_list         rules;
    dp_record_files in;
    const char     *output;
    bool            json, strict, quiet, progress;
    int             masking;
    int64_t         hosts, families, lost;
    dp_choice       choice;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &o->output},
        {0, "json", NULL, "print the same data as one JSON object", .flag = &o->json},
        {0, "hosts", "N", "hosts to show by name, 0 to 10000; default 2000", .number = &o->hosts, .max = 10000},
        {0, "families", "N", "rules to show, 0 to 2000, each with all its hosts; default 200", .number = &o->families,
         .max = 2000},
        {0, "lost", "N", "lost pages to show, 0 to 20; default 20", .number = &o->lost, .max = 20},
        {0, "examples", "masked|raw", "hide possible secrets in examples, or show them; default masked",
         .choice = &o->masking},
        DP_CHOICE_OPTIONS(&o->choice),
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"report", "-r RULES [FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON)
        return status;
    return o->rules.n ? DP_GO_ON : dp_say_usage("report", "-r RULES is missing");
}

static dp_err configure(dp_report *v, const options *o)
{
    const struct {
        dp_report_option option;
        int64_t          value;
    } set[] = {
        {DP_REPORT_RAW, o->masking == 1}, {DP_REPORT_STRICT, o->strict},     {DP_REPORT_HOSTS, o->hosts},
        {DP_REPORT_FAMILIES, o->families}, {DP_REPORT_LOSSES, o->lost},
    };
    for (size_t i = 0; i < DP_COUNT(set); i++)
        DP_TRY(dp_report_set(v, set[i].option, set[i].value));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_report_input(v, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

static dp_err run(dp_report *v, const options *o, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    dp_text *text = NULL;
    dp_err   code = configure(v, o);
    if (code != DP_OK)
        return dp_fail_as(err, code);
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_report_progress(v, meter.on ? dp_meter_show : NULL, &meter);
    code = dp_report_run(v, in.v, in.n, err);
    dp_meter_done(&meter);
    DP_TRY(code);
    if ((code = dp_report_print(&text, v, o->json ? DP_REPORT_JSON : DP_REPORT_HTML)) != DP_OK)
        return dp_fail_as(err, code);
    return dp_target_put(o->output, text, err);
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

static void say_summary(const dp_report *v, const dp_rules *rules, const options *o)
{
    dp_error bad;
    char     line[512];
    uint64_t lines = dp_report_bad_lines(v), shown = 0;
    for (; dp_report_bad(v, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    for (size_t i = 0; dp_report_warning(v, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    dp_load_compare_identity(rules, o->rules.v[0], dp_report_identity(v));
    say_headline(v);
    if (o->output && !o->json && strcmp(o->output, "-") != 0)
        dp_say_next("open %s in a browser", o->output);
}

/* The last part of a path: where files lie is nobody's business. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int dp_cmd_report(int argc, char **argv, dp_arena *a)
{
    options    o = {.hosts = 2000, .families = 200, .lost = 20};
    dp_rules  *rules = NULL;
    dp_report *v = NULL;
    dp_error   err = {0};
    int        status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (dp_records_clash(&o.in, o.rules))
        return dp_say_usage("report", "rules and records cannot both come from standard input");
    dp_err code = dp_load_rules(&rules, o.rules.v, o.rules.n, &err);
    if (code == DP_OK)
        code = dp_report_new(&v, base_name(o.rules.v[0]), rules, o.choice.with_likely ? DP_WITH_LIKELY : 0,
                             o.choice.min_precision, &err);
    if (code == DP_OK)
        code = run(v, &o, &err);
    if (code == DP_OK && !o.quiet)
        say_summary(v, rules, &o);
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_report_free(v);
    dp_rules_free(rules);
    return status;
}
