/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/update.h"

#include <unistd.h>

#include "base/plural.h"
#include "cli/say.h"
#include "cli/target.h"

static dp_err read_rules(dp_rules **out, const char *path, dp_error *err)
{
    DP_TRY(dp_rules_new(out));
    return dp_rules_read(*out, path, err);
}

dp_err dp_update_learned(dp_learner *l, const char *output, bool quiet, dp_error *err)
{
    dp_rules *old = NULL;
    dp_text  *changes = NULL;
    if (!output || strcmp(output, "-") == 0 || access(output, F_OK) != 0)
        return DP_OK;
    dp_err code = read_rules(&old, output, err);
    if (code == DP_OK)
        code = dp_learner_carry(l, old, &changes, err);
    if (code == DP_OK && !quiet)
        dp_say_lines(changes);
    dp_text_free(changes);
    dp_rules_free(old);
    return code;
}

static void say_counts(const dp_audit *a, const char *output, size_t changed, size_t retired)
{
    char line[512];
    dp_say("no --state: nothing new is learned; the rules of %s were checked on these records", output);
    for (size_t i = 0; dp_audit_warning(a, i, line, sizeof line) == DP_OK; i++)
        dp_say("warning: %s", line);
    dp_buf b = {.max = 512};
    dp_count_add(&b, dp_audit_total(a, DP_AUDIT_HOLD), "rule holds", "rules hold");
    dp_count_add(&b, dp_audit_total(a, DP_AUDIT_DOUBTFUL), "rule is doubtful", "rules are doubtful");
    dp_count_add(&b, retired, "broken rule turned off", "broken rules turned off");
    dp_count_add(&b, dp_audit_total(a, DP_AUDIT_SILENT), "rule without evidence", "rules without evidence");
    dp_count_add(&b, changed, "rule with new counts", "rules with new counts");
    if (b.n && !b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
    dp_say_next("dustpan apply -r %s URLS (writes the key of each URL)", output);
}

static dp_err recount(dp_rules *rules, dp_audit *a, const char *output, bool quiet, dp_error *err)
{
    size_t   changed, retired, renewed;
    dp_text *text = NULL;
    DP_TRY(dp_audit_recount(a, rules, &changed));
    DP_TRY(dp_audit_renew(a, rules, &renewed));
    DP_TRY(dp_audit_retire(a, rules, &retired));
    DP_TRY(dp_rules_print(&text, rules));
    DP_TRY(dp_target_put(output, text, err));
    if (!quiet)
        say_counts(a, output, changed, retired);
    return DP_OK;
}

dp_err dp_update_recount(const char *output, const dp_record_files *in, bool quiet, dp_meter *meter, dp_error *err)
{
    dp_rules *old = NULL, *new = NULL;
    dp_audit *a = NULL;
    dp_list   files = dp_list_or_stdin(in->files);
    dp_err    code = read_rules(&old, output, err);
    if (code == DP_OK)
        code = read_rules(&new, output, err);
    if (code == DP_OK)
        code = dp_audit_new(&a, old, err);
    for (int i = 0; i < DP_RECORDS_HOW && code == DP_OK; i++)
        code = dp_audit_input(a, (dp_input_option)i, in->how[i]);
    if (code == DP_OK) {
        dp_audit_progress(a, meter->on ? dp_meter_show : NULL, meter);
        code = dp_audit_run(a, files.v, files.n, err);
    }
    dp_meter_done(meter);
    if (code == DP_OK)
        code = recount(new, a, output, quiet, err);
    dp_audit_free(a);
    dp_rules_free(new);
    dp_rules_free(old);
    return code;
}
