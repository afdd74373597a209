/* A list that grows.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/method/proposal.h"

#include "base/room.h"

#include <stdlib.h>

dp_err dp_proposals_add(dp_proposals *c, const dp_proposal *one)
{
    if (!DP_ROOM(c->v, c->n, c->cap))
        return DP_ENOMEM;
    c->v[c->n++] = *one;
    return DP_OK;
}

void dp_proposals_done(dp_proposals *c)
{
    free(c->v);
    *c = (dp_proposals){0};
}
