/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/majority.h"

#include "base/order.h"

static bool same_source(const dp_seq_pair *a, const dp_seq_pair *b)
{
    return dp_seq_order(a->source, a->nsource, b->source, b->nsource) == 0;
}

/* The row of pairs of one source; the first of the heaviest wins. */
static dp_err add_row(dp_majority *out, const dp_seq_pair *v, size_t n, dp_arena *a)
{
    const dp_seq_pair *best = v;
    uint64_t           sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i].weight;
        best = v[i].weight > best->weight ? &v[i] : best;
    }
    if (!sum)
        return DP_OK;
    uint32_t *id = DP_NEWS(a, best->nsource + best->ntarget, uint32_t);
    if (!id)
        return DP_ENOMEM;
    memcpy(id, best->source, best->nsource * sizeof *id);
    memcpy(id + best->nsource, best->target, best->ntarget * sizeof *id);
    out->v[out->n++] = (dp_majority_row){id, id + best->nsource, best->nsource, best->ntarget,
                                         (float)((double)best->weight / (double)sum)};
    return DP_OK;
}

dp_err dp_majority_make(dp_majority *out, const dp_seq_pairs *pairs, dp_arena *a)
{
    *out = (dp_majority){.v = DP_NEWS(a, pairs->n, dp_majority_row)};
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0, j; i < pairs->n; i = j) {
        for (j = i + 1; j < pairs->n && same_source(&pairs->v[i], &pairs->v[j]); j++) {}
        DP_TRY(add_row(out, pairs->v + i, j - i, a));
    }
    return DP_OK;
}

const dp_majority_row *dp_majority_find(const dp_majority *m, const uint32_t *id, uint32_t n)
{
    size_t i;
    DP_BISECT(i, m->n, dp_seq_order(m->v[i].source, m->v[i].nsource, id, n) < 0);
    return i < m->n && dp_seq_order(m->v[i].source, m->v[i].nsource, id, n) == 0 ? &m->v[i] : NULL;
}
