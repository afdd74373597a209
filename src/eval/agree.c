/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/agree.h"

#include <stdlib.h>

dp_err dp_agree_init(dp_agree *g, uint32_t clusters)
{
    size_t n = clusters ? clusters : 1;
    *g = (dp_agree){.good = malloc(n * sizeof *g->good), .all = malloc(n * sizeof *g->all),
                    .voter = malloc(n * sizeof *g->voter)};
    if (!g->good || !g->all || !g->voter)
        return DP_ENOMEM;
    return dp_stamps_init(&g->stamps, clusters);
}

void dp_agree_done(dp_agree *g)
{
    free(g->good);
    free(g->all);
    free(g->voter);
    dp_stamps_done(&g->stamps);
    *g = (dp_agree){0};
}

static void vote(dp_agree *g, uint32_t c, uint32_t good, uint32_t all)
{
    if (!g->stamps.marked[c]) {
        g->stamps.marked[c] = 1;
        g->voter[g->nvoter++] = c;
        g->good[c] = g->all[c] = 0;
    }
    g->good[c] += good;
    g->all[c] += all;
}

void dp_agree_add(dp_agree *g, const uint32_t *cluster, const dp_member *changed, size_t nchanged,
                  const dp_member *still, size_t nstill)
{
    uint32_t n = (uint32_t)(nchanged + nstill), d = 0;
    dp_stamps_next(&g->stamps);
    for (size_t i = 0; i < nstill; i++)
        d += dp_stamps_add(&g->stamps, cluster[still[i].item]);
    for (size_t i = 0; i < nchanged; i++)
        d += dp_stamps_add(&g->stamps, cluster[changed[i].item]);
    /* Once a cluster: a second walk, in which those without a changed URL have no voice. */
    dp_stamps_next(&g->stamps);
    for (size_t i = 0; i < nchanged; i++) {
        if (dp_stamps_add(&g->stamps, cluster[changed[i].item]))
            vote(g, cluster[changed[i].item], n - d, n - 1);
    }
}

dp_votes dp_agree_votes(dp_agree *g)
{
    dp_votes v = {0, 0};
    for (size_t i = 0; i < g->nvoter; i++) {
        uint32_t c = g->voter[i];
        double   share = (double)g->good[c] / g->all[c];
        v.pos += share;
        v.neg += 1 - share;
        g->stamps.marked[c] = 0;
    }
    g->nvoter = 0;
    return v;
}
