/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/page.h"

#include <string.h>

#include "cli/load.h"
#include "cli/say.h"
#include "cli/target.h"

const char *dp_page_name(const dp_page_options *o)
{
    const char *path = o->rules.n ? o->rules.v[0] : "learned.rules", *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static dp_err configure(dp_report *v, const dp_page_options *o)
{
    DP_TRY(dp_report_set(v, DP_REPORT_RAW, o->masking == 1));
    DP_TRY(dp_report_set(v, DP_REPORT_STRICT, o->strict));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_report_input(v, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

dp_err dp_page_write(dp_report *v, const dp_page_options *o, dp_error *err)
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

void dp_page_say(const dp_report *v, const dp_rules *rules, const dp_page_options *o)
{
    dp_error bad;
    char     line[512];
    uint64_t lines = dp_report_bad_lines(v), shown = 0;
    for (; dp_report_bad(v, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    for (size_t i = 0; dp_report_warning(v, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    if (o->rules.n)
        dp_load_compare_identity(rules, o->rules.v[0], dp_report_identity(v));
}

void dp_page_say_next(const dp_page_options *o)
{
    if (o->output && !o->json && strcmp(o->output, "-") != 0)
        dp_say_next("open %s in a browser", o->output);
}
