/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/memo.h"

#include <stdlib.h>

dp_err dp_memos_init(dp_memos *m, dp_taken *v, size_t n)
{
    *m = (dp_memos){.n = n};
    m->of = calloc(n + 1, sizeof *m->of);
    m->changed = calloc(n + 1, sizeof *m->changed);
    m->changing = calloc(n + 1, sizeof *m->changing);
    if (!m->of || !m->changed || !m->changing) {
        dp_memos_done(m);
        return DP_ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        v[i].id = (uint32_t)i;
    return DP_OK;
}

void dp_memos_done(dp_memos *m)
{
    free(m->of);
    free(m->changed);
    free(m->changing);
    dp_arena_done(&m->arena);
    *m = (dp_memos){0};
}

bool dp_memos_hold(const dp_memos *m, const dp_taken *t, uint64_t sign)
{
    const dp_memo *one = &m->of[t->id];
    if (!one->known || one->sign != sign || m->changed[t->id])
        return false;
    for (size_t i = 0; i < one->nused; i++)
        if (m->changed[one->used[i]])
            return false;
    return true;
}

dp_err dp_memos_note(dp_memos *m, const dp_taken *v, size_t n, size_t i, uint64_t sign, const uint8_t *used)
{
    dp_memo *one = &m->of[v[i].id];
    size_t   nused = 0;
    *one = (dp_memo){.known = !used[n], .sign = sign};
    for (size_t k = 0; k < n; k++)
        nused += used[k];
    one->used = DP_NEWS(&m->arena, nused + 1, uint32_t);
    if (!one->used)
        return DP_ENOMEM;
    for (size_t k = 0; k < n; k++)
        if (used[k])
            one->used[one->nused++] = v[k].id;
    return DP_OK;
}

void dp_memos_correct(dp_memos *m, const dp_taken *t)
{
    m->changing[t->id] = true;
}

void dp_memos_next(dp_memos *m)
{
    bool *t = m->changed;
    m->changed = m->changing;
    m->changing = t;
    memset(m->changing, 0, (m->n + 1) * sizeof *m->changing);
}
