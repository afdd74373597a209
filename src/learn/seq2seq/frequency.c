/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/frequency.h"

#include <stdlib.h>

#include "base/room.h"

void dp_frequency_done(dp_frequency *f)
{
    free(f->v);
    dp_intern_done(&f->index);
    *f = (dp_frequency){0};
}

static dp_token_count *find_or_add(dp_frequency *f, dp_str token)
{
    uint32_t i;
    if (dp_intern_find(&f->index, token, &i))
        return &f->v[i];
    i = (uint32_t)f->n;
    if (!DP_ROOM(f->v, f->n, f->cap) || !dp_intern_add(&f->index, token, i))
        return NULL;
    f->v[f->n++] = (dp_token_count){.text = token, .last = UINT32_MAX};
    return &f->v[i];
}

dp_err dp_frequency_add(dp_frequency *f, const dp_seq_tokens *t, uint32_t url, uint32_t weight)
{
    for (size_t k = 0; k < t->n; k++) {
        dp_token_count *c = find_or_add(f, t->v[k]);
        if (!c)
            return DP_ENOMEM;
        c->df += c->last != url ? weight : 0;
        c->last = url;
    }
    return DP_OK;
}

uint32_t dp_frequency_of(const dp_frequency *f, dp_str token)
{
    uint32_t i;
    return dp_intern_find(&f->index, token, &i) ? f->v[i].df : 0;
}
