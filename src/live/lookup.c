/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lookup.h"

#include <stdlib.h>

#include "base/intern.h"

struct dp_lookup {
    dp_intern urls, clusters; /* a URL's value is the number of its cluster */
    bool      absent_is_gone;
};

dp_err dp_lookup_new(dp_lookup **out, bool absent_is_gone)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return DP_ENOMEM;
    (*out)->absent_is_gone = absent_is_gone;
    return DP_OK;
}

void dp_lookup_free(dp_lookup *l)
{
    if (!l)
        return;
    dp_intern_done(&l->urls);
    dp_intern_done(&l->clusters);
    free(l);
}

dp_err dp_lookup_add(dp_lookup *l, dp_str url, dp_str cluster)
{
    uint32_t number;
    if (dp_intern_find(&l->urls, url, &number))
        return DP_OK;
    if (!dp_intern_find(&l->clusters, cluster, &number)) {
        number = (uint32_t)l->clusters.n;
        if (!dp_intern_add(&l->clusters, cluster, number))
            return DP_ENOMEM;
    }
    return dp_intern_add(&l->urls, url, number) ? DP_OK : DP_ENOMEM;
}

static dp_err ask(void *self, dp_str url, dp_reply *out, dp_error *err)
{
    const dp_lookup *l = self;
    uint32_t           number;
    (void)err;
    *out = (dp_reply){.size = -1};
    if (!dp_intern_find(&l->urls, url, &number)) {
        out->kind = l->absent_is_gone ? DP_REPLY_GONE : DP_REPLY_UNKNOWN;
        out->cause.kind = DP_CAUSE_ABSENT;
        return DP_OK;
    }
    out->kind = DP_REPLY_PAGE;
    for (size_t i = 0; i < DP_SKETCH_SIZE; i++)
        out->sketch[i] = number;
    return DP_OK;
}

dp_teller dp_lookup_teller(dp_lookup *l)
{
    return (dp_teller){l, ask};
}
