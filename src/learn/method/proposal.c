/* A list that grows.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/method/proposal.h"

#include "base/room.h"

#include <stdlib.h>

static const char *const across_names[DP_ACROSSES] = {NULL, "copies", "canonical", "redirect", "owner"};

const char *dp_across_name(dp_across across)
{
    return across_names[across];
}

dp_across dp_across_find(dp_str name)
{
    int i = DP_ACROSSES - 1;
    while (i && !dp_str_eq(name, dp_str_c(across_names[i])))
        i--;
    return (dp_across)i;
}

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
