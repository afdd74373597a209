/* Greedy decoding.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/decode.h"

#include <stdlib.h>

enum { TOGETHER = 64 };

/* Memory for one batch. */
typedef struct desk {
    float   *state, *gates, *probability;
    uint32_t token[TOGETHER];
} desk;

static int by_length(const void *pa, const void *pb, void *questions)
{
    const dp_seq_question *q = questions;
    uint32_t               a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    if (q[a].n != q[b].n)
        return q[a].n < q[b].n ? -1 : 1;
    return (a > b) - (a < b);
}

static uint32_t likeliest(const float *p, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < n; k++)
        if (p[k] > p[best])
            best = k;
    return best;
}

/* Questions order[0 .. rows - 1], all of one length. The arithmetic is always that of TOGETHER rows, so that no
 * answer depends on how many there are. */
static void decode_batch(dp_seq_answer *out, const dp_gru *g, const dp_gru_tables *t, const dp_seq_question *q,
                         const uint32_t *order, size_t rows, desk *d)
{
    uint32_t length = q[order[0]].n, V = g->size.vocab;
    uint32_t limit = length + DP_SEQ_LONGER < DP_SEQ_LONGEST ? length + DP_SEQ_LONGER : DP_SEQ_LONGEST;
    float    sure[TOGETHER] = {0};
    bool     ended[TOGETHER] = {false};
    memset(d->state, 0, TOGETHER * g->size.hidden * sizeof *d->state);
    memset(d->token, 0, sizeof d->token);
    for (uint32_t k = 0; k < length; k++) {
        for (size_t i = 0; i < rows; i++)
            d->token[i] = q[order[i]].id[k];
        dp_gru_step(g, t->enc, g->enc_u, d->token, TOGETHER, d->state, d->gates);
    }
    for (size_t i = 0; i < rows; i++) {
        d->token[i] = DP_SEQ_EOS;
        out[order[i]].n = 0;
        out[order[i]].sure = 0;
    }
    size_t open = rows;
    for (uint32_t k = 0; k <= limit && open; k++) {
        dp_gru_step(g, t->dec, g->dec_u, d->token, TOGETHER, d->state, d->gates);
        dp_gru_output(g, d->state, TOGETHER, d->probability);
        for (size_t i = 0; i < rows; i++) {
            if (ended[i])
                continue;
            const float   *p = d->probability + i * V;
            dp_seq_answer *a = &out[order[i]];
            d->token[i] = likeliest(p, V);
            sure[i] += p[d->token[i]];
            if (d->token[i] == DP_SEQ_EOS) {
                ended[i] = true;
                a->n = k;
                a->sure = sure[i] / (float)(k + 1);
                open--;
            } else if (k < limit) {
                a->id[k] = d->token[i];
            }
        }
    }
}

dp_err dp_seq_decode(dp_seq_answer *out, const dp_gru *g, const dp_gru_tables *t, const dp_seq_question *q,
                     size_t count)
{
    size_t    h = g->size.hidden;
    uint32_t *order = malloc((count + 1) * sizeof *order);
    desk      d = {.state = malloc(TOGETHER * h * sizeof(float)),
                   .gates = malloc(TOGETHER * 3 * h * sizeof(float)),
                   .probability = malloc((size_t)TOGETHER * g->size.vocab * sizeof(float))};
    dp_err    code = order && d.state && d.gates && d.probability ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        for (size_t i = 0; i < count; i++)
            order[i] = (uint32_t)i;
        if (count)
            qsort_r(order, count, sizeof *order, by_length, (void *)(uintptr_t)q);
        for (size_t i = 0, j; i < count; i = j) {
            for (j = i + 1; j < count && j - i < TOGETHER && q[order[j]].n == q[order[i]].n; j++) {}
            decode_batch(out, g, t, q, order + i, j - i, &d);
        }
    }
    free(order);
    free(d.state);
    free(d.gates);
    free(d.probability);
    return code;
}
