/* SPDX-License-Identifier: Apache-2.0 */
#include "output/inquiry.h"

#include <stdlib.h>

enum { MOST = 512, MOST_BYTES = 1 << 25 }; /* of a batch */

struct dp_question {
    dp_record   r;
    dp_evidence e;
    bool        look;
};

dp_err dp_inquiry_init(dp_inquiry *q, const dp_evidence_maker *like, unsigned threads, dp_on_answer *tell, void *self)
{
    *q = (dp_inquiry){.tell = tell, .self = self};
    DP_TRY(dp_pool_new(&q->pool, threads));
    q->threads = dp_pool_threads(q->pool);
    q->maker = calloc(q->threads, sizeof *q->maker);
    q->v = calloc(MOST, sizeof *q->v);
    if (!q->maker || !q->v)
        return DP_ENOMEM;
    for (unsigned i = 0; i < q->threads; i++)
        q->maker[i] = *like;
    return DP_OK;
}

void dp_inquiry_done(dp_inquiry *q)
{
    for (unsigned i = 0; q->maker && i < q->threads; i++)
        dp_evidence_maker_done(&q->maker[i]);
    free(q->maker);
    free(q->v);
    dp_arena_done(&q->texts);
    dp_pool_free(q->pool);
    *q = (dp_inquiry){0};
}

static dp_err answer(dp_evidence_maker *w, struct dp_question *x)
{
    return x->look ? dp_evidence_make(w, &x->e, &x->r) : DP_OK;
}

static dp_err answer_one(void *self, size_t i, unsigned worker)
{
    dp_inquiry *q = self;
    return answer(&q->maker[worker], &q->v[i]);
}

dp_err dp_inquiry_end(dp_inquiry *q)
{
    DP_TRY(dp_pool_run(q->pool, q->n, answer_one, q));
    for (size_t i = 0; i < q->n; i++)
        DP_TRY(q->tell(q->self, &q->v[i].r, &q->v[i].e));
    dp_arena_reset(&q->texts);
    for (unsigned i = 0; i < q->threads; i++)
        dp_evidence_forget(&q->maker[i]);
    q->n = q->bytes = 0;
    return DP_OK;
}

/* Texts that nobody asks for are left out. */
static dp_err keep(dp_inquiry *q, struct dp_question *x, const dp_record *r)
{
    x->r = *r;
    x->r.client = x->r.agent = x->r.method = x->r.raw = x->r.target = (dp_str){0};
    dp_str *text[] = {&x->r.url,       &x->r.cluster, &x->r.digest, &x->r.title,
                      &x->r.canonical, &x->r.mime,    &x->r.body,   &x->r.header};
    for (size_t i = 0; i < DP_COUNT(text); i++) {
        q->bytes += text[i]->n;
        if (text[i]->n && !(*text[i] = dp_arena_str(&q->texts, *text[i])).p)
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_inquiry_ask(dp_inquiry *q, const dp_record *r, bool look)
{
    struct dp_question now = {.r = *r, .look = look};
    if (!q->n && !r->body.n) {
        DP_TRY(answer(&q->maker[0], &now));
        return q->tell(q->self, r, &now.e);
    }
    struct dp_question *x = &q->v[q->n++];
    *x = now;
    DP_TRY(keep(q, x, r));
    return q->n == MOST || q->bytes >= MOST_BYTES ? dp_inquiry_end(q) : DP_OK;
}
