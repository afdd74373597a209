/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/recount_pass.h"

#include <stdlib.h>

#include "learn/run/budget.h"
#include "learn/recount/recount.h"
#include "store/pack.h"

typedef struct pass {
    const dp_all_sites *c;
    const dp_source    *from;
    dp_recount          sum;
    dp_buckets         *parts;
    dp_buf              packed;
    dp_budget           budget;
    uint64_t            need; /* bytes a part, about */
    pthread_mutex_t     lock; /* of sum and err */
    dp_error           *err;
} pass;

/* ---- facts to parts ----------------------------------------------------------------------------------------- */

static dp_err put(void *ctx, const dp_fact *f)
{
    pass    *p = ctx;
    unsigned part[2];
    DP_TRY(dp_recount_places(&p->sum, p->sum.scratch, f, part));
    dp_buf_reset(&p->packed);
    dp_pack_fact(&p->packed, f, 0);
    if (p->packed.failed)
        return DP_ENOMEM;
    DP_TRY(dp_buckets_put(p->parts, part[0], dp_buf_view(&p->packed), p->err));
    return part[1] == part[0] ? DP_OK : dp_buckets_put(p->parts, part[1], dp_buf_view(&p->packed), p->err);
}

/* ---- a part --------------------------------------------------------------------------------------------------- */

static dp_err fill(dp_corpus *c, dp_buckets *parts, size_t part, dp_error *err)
{
    dp_bucket_reader r = {0};
    dp_str           rest;
    dp_err           code;
    dp_bucket_reader_open(&r, parts, part, true);
    while ((code = dp_bucket_reader_next(&r, &rest, err)) == DP_OK && rest.n) {
        while (rest.n && code == DP_OK) {
            dp_fact  f;
            uint32_t none;
            code = dp_unpack_fact(&rest, &f, &none)
                       ? dp_corpus_take(c, &f)
                       : dp_fail(err, DP_EIO, "a work file was changed by somebody else; run again");
        }
        if (code != DP_OK)
            break;
    }
    dp_bucket_reader_done(&r);
    dp_buckets_empty(parts, part);
    return code == DP_OK ? dp_corpus_label(c) : code;
}

static dp_err count_part(void *ctx, size_t part, unsigned worker)
{
    pass      *p = ctx;
    dp_error   err = {0};
    dp_recount own = p->sum;
    dp_corpus  c = dp_source_corpus(p->from);
    (void)worker;
    own.urls = 0;
    uint64_t taken = dp_budget_take(&p->budget, p->need);
    own.sum = calloc(DP_COUNTS * own.n + 1, sizeof *own.sum);
    c.no_soft = true; /* who merges what does not depend on them */
    dp_err code = own.sum ? fill(&c, p->parts, part, &err) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_recount_add_part(&own, &c, (unsigned)part, p->c->how->trust, NULL);
    dp_corpus_done(&c);
    pthread_mutex_lock(&p->lock);
    if (code == DP_OK)
        dp_recount_add(&p->sum, &own);
    else if (err.message[0] && p->err && !p->err->message[0])
        *p->err = err;
    pthread_mutex_unlock(&p->lock);
    free(own.sum);
    dp_budget_give(&p->budget, taken);
    return code;
}

/* ---- all together ----------------------------------------------------------------------------------------------- */

static dp_err work(pass *p, dp_site_result *f, uint64_t memory)
{
    unsigned parts = dp_recount_parts(p->from->sample);
    p->need = p->from->bytes / parts + p->from->facts / parts * DP_NEED_COUNTED;
    DP_TRY(dp_recount_init(&p->sum, dp_buf_view(&f->learned.text), p->from->sample, parts));
    DP_TRY(dp_buckets_new(&p->parts, parts, dp_share_of(memory, DP_SHARE_PARTS), p->c->folder, DP_FILE_SALTS));
    DP_TRY(dp_source_each(p->from, true, put, p, p->err));
    DP_TRY(dp_buckets_close(p->parts, p->err));
    DP_TRY(dp_pool_run(p->c->how->ctx.pool, parts, count_part, p));
    f->urls = p->sum.urls;
    return dp_recount_write(&p->sum, &f->learned, p->c->settings->min_precision);
}

dp_err dp_recount_pass(dp_site_result *f, const dp_all_sites *c, const dp_source *from, uint64_t memory, dp_error *err)
{
    pass p = {.c = c, .from = from, .err = err};
    pthread_mutex_init(&p.lock, NULL);
    dp_budget_init(&p.budget, dp_share_of(memory, DP_SHARE_COUNTED));
    dp_err code = work(&p, f, memory);
    dp_buckets_free(p.parts);
    dp_recount_done(&p.sum);
    dp_buf_done(&p.packed);
    dp_budget_done(&p.budget);
    pthread_mutex_destroy(&p.lock);
    return code;
}
