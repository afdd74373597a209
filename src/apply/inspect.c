/* `rules check`: what rule/check.h finds, and rules that feed themselves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rule/check.h"

#include <stdio.h>

#include "apply/compile.h"
#include "apply/feedback.h"
#include "base/text.h"
#include "rule/rulefile.h"

static int add_run(void *ctx, const dp_rule *r, dp_str run)
{
    dp_findings *out = ctx;
    dp_buf       message = {0};
    dp_buf_printf(&message, "this rule fires again on its own result\n%.*s",
                  DP_FMT(dp_str_cut(run, 0, run.n ? run.n - 1 : 0)));
    dp_findings_add(out, r->file, r->line, r->column, dp_buf_view(&message));
    out->failed |= message.failed;
    dp_buf_done(&message);
    return out->failed;
}

/* Look for rules of `r` that feed themselves. */
static dp_err check_feedback(dp_findings *out, const dp_rules *r, dp_error *err)
{
    dp_engine e = {0};
    DP_TRY(dp_compile(&e.im, r, err));
    dp_err result = dp_feedback_find(&e, r, add_run, out);
    dp_image_done(&e.im);
    return result;
}

/* Print what was found in `text`. */
static dp_err check_text(dp_text **out, const char *path, dp_str text, dp_format format, size_t *findings,
                         dp_error *err)
{
    dp_rules   *r = NULL;
    dp_findings found = {0};
    dp_buf      printed = {0};
    dp_err      e = dp_rules_new(&r);
    if (e == DP_OK)
        e = dp_check_text(&found, r, path, text);
    if (e == DP_OK)
        e = dp_check_rules(&found, r);
    if (e == DP_OK)
        e = check_feedback(&found, r, err);
    if (e == DP_OK) {
        dp_findings_print(&printed, &found, r, format);
        e = found.failed ? DP_ENOMEM : dp_text_take(out, &printed);
        *findings = found.n;
    }
    dp_buf_done(&printed);
    dp_findings_done(&found);
    dp_rules_free(r);
    return e;
}

dp_err dp_rules_check(dp_text **out, const char *path, dp_format format, size_t *findings, dp_error *err)
{
    dp_buf file = {0};
    dp_err e = dp_rulefile_slurp(&file, path, err);
    if (e == DP_OK && dp_str_starts(dp_buf_view(&file), DP_STR(DP_IMAGE_MAGIC))) {
        dp_image im;
        e = dp_image_map(&im, path, err);
        if (e == DP_OK) {
            e = check_text(out, path, dp_im_str(&im, im.head->rules_text), format, findings, err);
            dp_image_done(&im);
        }
    } else if (e == DP_OK) {
        e = check_text(out, dp_path_name(path), dp_buf_view(&file), format, findings, err);
    }
    dp_buf_done(&file);
    if (e == DP_ENOMEM)
        dp_fail_at(err, e, path, 0, 0, "out of memory");
    return e;
}
