/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/patterns.h"

#include "cli/say.h"

static dp_err learn(dp_learner *l, dp_text **text, const dp_record_files *in, dp_error *err)
{
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_learner_input(l, (dp_input_option)i, in->how[i]));
    DP_TRY(dp_learner_run(l, in->files.v, in->files.n, err));
    return dp_learner_rules(text, l);
}

dp_err dp_patterns_learn(dp_rules **out, const dp_record_files *in, dp_error *err)
{
    dp_learner *l = NULL;
    dp_text    *text = NULL;
    dp_rules   *r = NULL;
    dp_err      code = dp_learner_new(&l);
    if (code == DP_OK)
        code = learn(l, &text, in, err);
    if (code == DP_OK)
        code = dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "learned.rules", dp_text_data(text), dp_text_size(text), err);
    dp_text_free(text);
    dp_learner_free(l);
    if (code == DP_OK)
        *out = r;
    else
        dp_rules_free(r);
    return code;
}

void dp_patterns_say(const dp_report *report, const dp_record_files *in)
{
    const char *base = in->how[DP_INPUT_BASE_URL];
    dp_text    *text = NULL;
    if (dp_report_print(&text, report, DP_REPORT_ADVICE) != DP_OK)
        return;
    dp_say("no rules were given, so they were learned");
    dp_say_lines(text);
    dp_text_free(text);
    dp_say_next("dustpan learn%s%s -o site.rules %s (writes the rules, to test and to export them)",
                base ? " --base-url " : "", base ? base : "", dp_list_name(in->files, "FILE"));
}
