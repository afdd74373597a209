/* A list that grows.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/proposal.h"

#include <stdlib.h>

dp_err dp_proposals_add(dp_proposals *c, const dp_proposal *one)
{
    if (c->n == c->cap) {
        size_t        cap = c->cap ? c->cap * 2 : 64;
        dp_proposal *v = realloc(c->v, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        c->v = v;
        c->cap = cap;
    }
    c->v[c->n++] = *one;
    return DP_OK;
}

void dp_proposals_done(dp_proposals *c)
{
    free(c->v);
    *c = (dp_proposals){0};
}
