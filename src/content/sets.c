/* SPDX-License-Identifier: Apache-2.0 */
#include "content/sets.h"

#include <stdlib.h>

dp_err dp_sets_init(dp_sets *s, size_t n)
{
    *s = (dp_sets){.n = n};
    if (n > UINT32_MAX || !(s->up = malloc((n ? n : 1) * sizeof *s->up)))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        s->up[i] = (uint32_t)i;
    return DP_OK;
}

void dp_sets_done(dp_sets *s)
{
    free(s->up);
    *s = (dp_sets){0};
}
