/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/page.h"

#include <string.h>

#include "cli/say.h"
#include "cli/target.h"

int dp_page_parse(const dp_usage *usage, dp_page_options *o, bool first, int argc, char **argv, dp_arena *a)
{
    dp_list *files = &o->in.files;
    int      status = dp_options_parse(usage, argc, argv, files, a);
    if (status != DP_GO_ON)
        return status;
    if (first) {
        o->rules = (dp_list){files->v, 1};
        *files = (dp_list){files->v + 1, files->n - 1};
    }
    if (dp_records_clash(&o->in, o->rules))
        return dp_say_usage(usage->command, "rules and records cannot both come from standard input");
    return DP_GO_ON;
}

/* The name of the rule file on the page: the last part of its path. Where files lie is nobody's business. Empty where
 * the rules were learned. */
static const char *name_of(const dp_page_options *o)
{
    const char *path = o->rules.n ? o->rules.v[0] : "", *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static dp_err configure(dp_report *v, const dp_page_options *o, const dp_page_setting *set, size_t n)
{
    DP_TRY(dp_report_set(v, DP_REPORT_RAW, o->masking == 1));
    DP_TRY(dp_report_set(v, DP_REPORT_STRICT, o->strict));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_report_input(v, (dp_input_option)i, o->in.how[i]));
    for (size_t i = 0; i < n; i++)
        DP_TRY(dp_report_set(v, set[i].option, set[i].value));
    return DP_OK;
}

dp_err dp_page_count(dp_page *p, const dp_page_options *o, const dp_page_setting *v, size_t n, dp_error *err)
{
    dp_list  in = dp_list_or_stdin(o->in.files);
    dp_meter meter;
    if (!p->rules)
        DP_TRY(dp_load_rules(&p->rules, o->rules.v, o->rules.n, err));
    DP_TRY(dp_report_new(&p->report, name_of(o), p->rules, o->choice.with_likely ? DP_WITH_LIKELY : 0,
                         o->choice.min_precision, err));
    dp_err code = configure(p->report, o, v, n);
    if (code != DP_OK)
        return dp_fail_as(err, code);
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_report_progress(p->report, meter.on ? dp_meter_show : NULL, &meter);
    code = dp_report_run(p->report, in.v, in.n, err);
    dp_meter_done(&meter);
    return code;
}

dp_err dp_page_write(const dp_page *p, const dp_page_options *o, dp_error *err)
{
    dp_text *text = NULL;
    dp_err   code = dp_report_print(&text, p->report, o->json ? DP_REPORT_JSON : DP_REPORT_HTML);
    return code == DP_OK ? dp_target_put(o->output, text, err) : dp_fail_as(err, code);
}

void dp_page_done(dp_page *p)
{
    dp_report_free(p->report);
    dp_rules_free(p->rules);
    *p = (dp_page){0};
}

void dp_page_say(const dp_page *p, const dp_page_options *o)
{
    dp_error bad;
    char     line[512];
    uint64_t lines = dp_report_bad_lines(p->report), shown = 0;
    for (; dp_report_bad(p->report, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    for (size_t i = 0; dp_report_warning(p->report, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    if (o->rules.n)
        dp_load_compare_identity(p->rules, o->rules.v[0], dp_report_identity(p->report));
}

void dp_page_say_next(const dp_page_options *o)
{
    if (o->output && !o->json && strcmp(o->output, "-") != 0)
        dp_say_next("open %s in a browser", o->output);
}
