/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/trial.h"

#include <stdlib.h>

void dp_tree_trial_done(dp_tree_trial *t)
{
    free(t->v.v);
    t->v = (dp_tree_candidates){0};
}

dp_err dp_tree_trial_round(dp_tree_trial *t, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = t[k].tried; i < t[k].v.n; i++)
            DP_TRY(dp_tree_record_add(t->record, t[k].v.v[i].text));
    DP_TRY(dp_tree_record_run(t->record, t->court, t->of.host, t->pool));
    for (size_t k = 0; k < n; k++) {
        for (; t[k].tried < t[k].v.n; t[k].tried++) {
            dp_tree_candidate *x = &t[k].v.v[t[k].tried];
            x->did = dp_tree_record_find(t->record, x->text);
            if (x->did.n)
                dp_tree_court_count(t->court, &t[k].of, x);
        }
    }
    return DP_OK;
}

static bool is_sure(const dp_tree_candidate *x)
{
    return x->sure;
}

/* Sure candidates, and room for the keys that they make. */
typedef struct asking {
    dp_tree_engine g;
    dp_scratch    *s;
    dp_buf         key;
} asking;

/* The sample is asked until its answer is clear. */
static dp_err ask(asking *a, const dp_str *url, dp_tree_sample *sample)
{
    size_t good = 0;
    for (size_t i = 0; i < sample->n && good < sample->enough && good + (sample->n - i) >= sample->enough; i++) {
        dp_buf_reset(&a->key);
        dp_str u = dp_engine_run(&a->g.e, a->s, DP_KEY, url[sample->u[i]], NULL, NULL);
        dp_buf_str(&a->key, u);
        dp_str v = u.p ? dp_engine_run(&a->g.e, a->s, DP_KEY, url[sample->v[i]], NULL, NULL) : u;
        if (!v.p || a->key.failed)
            return DP_ENOMEM;
        good += dp_str_eq(dp_buf_view(&a->key), v);
    }
    sample->same = good >= sample->enough;
    return DP_OK;
}

dp_err dp_tree_trial_explain(const dp_tree_trial *t, dp_tree_sample *sample, size_t n)
{
    asking a = {0};
    DP_TRY(dp_tree_engine_make(&a.g, &t->v, t->court->p->host[t->of.host], is_sure));
    dp_err code = dp_scratch_new(&a.s);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        code = ask(&a, t->court->s->url, &sample[i]);
    dp_scratch_free(a.s);
    dp_buf_done(&a.key);
    dp_tree_engine_done(&a.g);
    return code;
}
