/* dp_site_sample and dp_recount_step of dustpan.h: a site that is too large for one machine, in the hands of many.
 *
 *     packed facts ─► sample_site, joined after each step ─► its part ─► dp_site_step ─► result
 *     packed facts ─► by key, in parts ─► dp_site_step ─► recount, joined ─► result
 *
 * The same as learn/run/schedule.h and learn/run/recount_pass.h do on one machine.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/steps/recount_step.h"

#include <stdlib.h>

#include "base/text.h"
#include "learn/sample/sample_site.h"
#include "learn/learner.h"
#include "learn/steps/packed_facts.h"
#include "store/pack.h"

/* ---- samples -------------------------------------------------------------------------------------------------- */

uint64_t dp_learner_sample(const dp_learner *l)
{
    return dp_settings_sample(&l->settings);
}

dp_err dp_site_sample_new(dp_site_sample **out, const dp_learner *l, uint64_t facts)
{
    dp_site_sample *d = dp_site_sample_make(facts, dp_learner_sample(l));
    if (!d)
        return DP_ENOMEM;
    *out = d;
    return DP_OK;
}

static dp_err see(void *ctx, const dp_fact *f)
{
    return dp_site_sample_see(ctx, f);
}

dp_err dp_site_sample_add(dp_site_sample *d, const char *data, size_t n, dp_error *err)
{
    if (d->step == DP_SITE_SAMPLE_TAKE)
        return dp_fail(err, DP_EINVALID, "the sample is already complete");
    return dp_packed_facts_each((dp_str){data, n}, see, d, err);
}

dp_err dp_site_sample_save(dp_text **out, dp_site_sample *d)
{
    dp_buf b = {0};
    dp_site_sample_pack(&b, d);
    return dp_text_take(out, &b);
}

dp_err dp_site_sample_join(dp_site_sample *d, const char *saved, size_t n, dp_error *err)
{
    dp_err code = dp_site_sample_unpack(d, (dp_str){saved, n});
    return code == DP_ESYNTAX ? dp_fail(err, code, "this was saved for another sample, or in another step") : code;
}

typedef struct taking {
    const dp_site_sample *d;
    dp_buf                out;
} taking;

static dp_err take(void *ctx, const dp_fact *f)
{
    taking *t = ctx;
    if (dp_site_sample_takes(t->d, f->url))
        dp_pack_fact(&t->out, f, 0);
    return t->out.failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_site_sample_take(dp_text **out, const dp_site_sample *d, const char *data, size_t n, dp_error *err)
{
    taking t = {.d = d};
    if (d->step != DP_SITE_SAMPLE_TAKE)
        return dp_fail(err, DP_EINVALID, "the sample is not complete yet");
    dp_err code = dp_packed_facts_each((dp_str){data, n}, take, &t, err);
    if (code == DP_OK)
        return dp_text_take(out, &t.out);
    dp_buf_done(&t.out);
    return code;
}

/* ---- the last count -------------------------------------------------------------------------------------------- */

static dp_err open_recount(dp_recount_step *r, dp_str result, const dp_site_sample *sample, dp_error *err)
{
    const dp_settings *s = &r->l->settings;
    dp_err             code = dp_site_results_unpack(&r->found, result);
    if (code == DP_ESYNTAX || (code == DP_OK && r->found.n != 1))
        return dp_fail(err, DP_ESYNTAX, "this is not the result of one site, or it is of another version");
    DP_TRY(code);
    unsigned parts = s->accept == DP_ACCEPT_PAPER || s->certify || sample->all ? 0 : dp_recount_parts(sample);
    DP_TRY(dp_recount_init(&r->sum, dp_buf_view(&r->found.v[0].learned.text), sample, parts));
    r->data = calloc(parts + 1u, sizeof *r->data);
    return r->data ? DP_OK : DP_ENOMEM;
}

dp_err dp_recount_step_new(dp_recount_step **out, dp_learner *l, const char *result, size_t n,
                           const dp_site_sample *sample, dp_error *err)
{
    if (sample->step != DP_SITE_SAMPLE_TAKE)
        return dp_fail(err, DP_EINVALID, "the sample is not complete yet");
    dp_recount_step *r = calloc(1, sizeof *r);
    if (!r)
        return DP_ENOMEM;
    r->l = l;
    dp_err code = open_recount(r, (dp_str){result, n}, sample, err);
    if (code != DP_OK) {
        dp_recount_step_free(r);
        return code;
    }
    *out = r;
    return DP_OK;
}

void dp_recount_step_free(dp_recount_step *r)
{
    if (!r)
        return;
    for (unsigned i = 0; r->data && i < r->sum.parts; i++)
        dp_buf_done(&r->data[i]);
    free(r->data);
    dp_recount_done(&r->sum);
    dp_site_results_done(&r->found);
    free(r);
}

size_t dp_recount_step_count(const dp_recount_step *r)
{
    return r->sum.parts;
}

static dp_err put(void *ctx, const dp_fact *f)
{
    dp_recount_step *r = ctx;
    unsigned         part[2];
    DP_TRY(dp_recount_places(&r->sum, r->sum.scratch, f, part));
    for (int i = 0; i < 1 + (part[0] != part[1]); i++) {
        dp_pack_fact(&r->data[part[i]], f, 0);
        if (r->data[part[i]].failed)
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_recount_step_split(dp_recount_step *r, const char *data, size_t n, dp_error *err)
{
    if (!r->sum.parts)
        return dp_fail(err, DP_EINVALID, "these rules need no recount");
    for (unsigned i = 0; i < r->sum.parts; i++)
        dp_buf_reset(&r->data[i]);
    return dp_packed_facts_each((dp_str){data, n}, put, r, err);
}

const char *dp_recount_step_data(const dp_recount_step *r, size_t part, size_t *n)
{
    *n = r->data[part].n;
    return r->data[part].p;
}

dp_err dp_recount_step_join(dp_recount_step *r, const char *counted, size_t n, dp_error *err)
{
    dp_err code = dp_recount_unpack(&r->sum, (dp_str){counted, n});
    return code == DP_ESYNTAX ? dp_fail(err, code, "these counts are not those of these rules") : code;
}

dp_err dp_recount_step_close(dp_text **out, dp_recount_step *r, dp_error *err)
{
    dp_site_result *f = &r->found.v[0];
    dp_buf          b = {0};
    (void)err;
    f->sampled = r->sum.sample->all ? 0 : f->urls;
    if (r->sum.parts) {
        f->urls = f->across ? 0 : r->sum.urls; /* they are counted with their own sites */
        DP_TRY(dp_recount_write(&r->sum, &f->learned, r->l->settings.min_precision));
    }
    dp_site_results_pack(&b, &r->found);
    return dp_text_take(out, &b);
}
