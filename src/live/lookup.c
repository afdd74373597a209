/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lookup.h"

#include <stdlib.h>

#include "base/intern.h"
#include "live/draws.h"

struct dp_lookup {
    dp_intern urls, clusters; /* a URL's value is the number of its cluster */
    bool      absent_is_gone;
};

dp_err dp_lookup_new(dp_lookup **out, bool absent_is_gone)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return DP_ENOMEM;
    (*out)->absent_is_gone = absent_is_gone;
    return DP_OK;
}

void dp_lookup_free(dp_lookup *l)
{
    if (!l)
        return;
    dp_intern_done(&l->urls);
    dp_intern_done(&l->clusters);
    free(l);
}

dp_err dp_lookup_add(dp_lookup *l, dp_str url, dp_str cluster)
{
    uint32_t number;
    if (dp_intern_find(&l->urls, url, &number))
        return DP_OK;
    if (!dp_intern_find(&l->clusters, cluster, &number)) {
        number = (uint32_t)l->clusters.n;
        if (!dp_intern_add(&l->clusters, cluster, number))
            return DP_ENOMEM;
    }
    return dp_intern_add(&l->urls, url, number) ? DP_OK : DP_ENOMEM;
}

/* ---- files --------------------------------------------------------------------------------- */

static dp_err read_truth(dp_truth *t, dp_records *in, dp_error *err)
{
    dp_labelled rec;
    dp_buf      form = {0};
    dp_err      code = DP_OK;
    bool        more, fresh;
    while (code == DP_OK && (code = dp_records_next(in, t, &rec, &more, err)) == DP_OK && more) {
        dp_buf_reset(&form);
        if (!dp_draws_form(&form, rec.url) && !form.failed)
            continue;
        code = form.failed ? DP_ENOMEM : dp_truth_add(t, dp_buf_view(&form), rec.host, &rec.says, &fresh);
        if (code != DP_OK)
            dp_fail(err, code, code == DP_ENOMEM ? "out of memory" : "too many URLs");
    }
    dp_buf_done(&form);
    if (code == DP_OK && !t->n)
        return dp_records_none(in, t, err);
    if (code == DP_OK && (code = dp_truth_settle(t)) != DP_OK)
        dp_fail(err, code, code == DP_ENOMEM ? "out of memory" : "too many URLs");
    return code;
}

dp_err dp_lookup_load(dp_lookup *l, dp_records *in, const char *const *paths, size_t count, const char **identity,
                      dp_error *err)
{
    dp_truth t = {.text_limit = SIZE_MAX};
    DP_TRY(dp_records_open(in, paths, count, err));
    dp_err code = read_truth(&t, in, err);
    dp_records_close(in);
    for (uint32_t i = 0; i < t.n && code == DP_OK; i++) {
        const char *number = (const char *)&t.cluster[i];
        if (t.cluster[i] != t.unknown &&
            dp_lookup_add(l, dp_truth_text(&t, i), (dp_str){number, sizeof t.cluster[i]}) != DP_OK)
            code = dp_no_memory(err);
    }
    *identity = dp_truth_identity(&t);
    dp_truth_done(&t);
    return code;
}

/* ---- asking -------------------------------------------------------------------------------- */

static dp_err ask(void *self, dp_str url, dp_reply *out, dp_error *err)
{
    const dp_lookup *l = self;
    uint32_t           number;
    (void)err;
    *out = (dp_reply){.size = -1};
    if (!dp_intern_find(&l->urls, url, &number)) {
        out->kind = l->absent_is_gone ? DP_REPLY_GONE : DP_REPLY_UNKNOWN;
        out->cause.kind = DP_CAUSE_ABSENT;
        return DP_OK;
    }
    out->kind = DP_REPLY_PAGE;
    for (size_t i = 0; i < DP_SKETCH_SIZE; i++)
        out->sketch[i] = number;
    return DP_OK;
}

dp_teller dp_lookup_teller(dp_lookup *l)
{
    return (dp_teller){l, ask};
}
