/* SPDX-License-Identifier: Apache-2.0 */
#include "store/sharing.h"

#include <stdlib.h>

#include "base/room.h"

/* Evidence that makes clusters without a name. */
static const uint32_t nameless = DP_FACT_DIGEST | DP_FACT_TEXT | DP_FACT_SKETCH | DP_FACT_SIMHASH | DP_FACT_LINK;

void dp_sharing_done(dp_sharing *s)
{
    dp_ordinals_done(&s->cluster);
    free(s->domain);
    *s = (dp_sharing){0};
}

dp_err dp_sharing_note(dp_sharing *s, const dp_fact *f, uint32_t domain)
{
    uint32_t number;
    bool     fresh;
    if (!s->limit)
        return DP_OK;
    if (f->kind != DP_FACT_PAGE || f->has & nameless ||
        dp_ordinals_bytes(&s->cluster) + s->domain_cap * sizeof *s->domain > s->limit) {
        dp_sharing_done(s);
        return DP_OK;
    }
    if (!(f->has & DP_FACT_CLUSTER) || (s->cluster.n && f->cluster == s->last_cluster && domain == s->last_domain))
        return DP_OK;
    if (!DP_ROOM(s->domain, s->cluster.n, s->domain_cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&s->cluster, f->cluster, &number, &fresh));
    if (fresh)
        s->domain[number] = domain;
    s->shared += s->domain[number] != domain;
    s->last_cluster = f->cluster;
    s->last_domain = domain;
    return DP_OK;
}
