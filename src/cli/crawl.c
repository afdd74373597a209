/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/crawl.h"

#include <stdio.h>

#include "cli/say.h"

static dp_err configure(dp_eval *v, const dp_record_files *in, double share)
{
    DP_TRY(dp_eval_set(v, DP_EVAL_CRAWL, DP_CRAWL_BY_RECORD));
    DP_TRY(dp_eval_set(v, DP_EVAL_SHARE, (int64_t)(share * 1e6 + .5)));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_eval_input(v, (dp_input_option)i, in->how[i]));
    return DP_OK;
}

static dp_err measure(dp_text **out, const dp_engine *e, const dp_record_files *in, double share, bool json,
                      dp_error *err)
{
    dp_eval *v = NULL;
    dp_err   code = dp_eval_new(&v);
    if (code == DP_OK)
        code = configure(v, in, share);
    if (code == DP_OK)
        code = dp_eval_add(v, "learned rules", e);
    if (code == DP_OK)
        code = dp_eval_run(v, in->files.v, in->files.n, err);
    if (code == DP_OK)
        code = dp_eval_print(out, v, json ? DP_JSON : DP_PLAIN);
    dp_eval_free(v);
    return code;
}

dp_err dp_crawl_measure(const dp_text *text, const dp_record_files *in, double share, bool json, dp_error *err)
{
    dp_rules  *r = NULL;
    dp_engine *e = NULL;
    dp_text   *out = NULL;
    dp_err     code = dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "learned", dp_text_data(text), dp_text_size(text), err);
    if (code == DP_OK)
        code = dp_engine_new(&e, r, 0, 0, err);
    if (code == DP_OK)
        code = measure(&out, e, in, share, json, err);
    if (code == DP_OK)
        fprintf(stderr, "%s", dp_text_data(out));
    dp_text_free(out);
    dp_engine_free(e);
    dp_rules_free(r);
    return code;
}
