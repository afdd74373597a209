/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/trial.h"

#include "base/order.h"
#include "base/room.h"

#include <stdlib.h>

enum { VOTES_FOR = 1, VOTES_AGAINST = 2, MERGED_WRONGLY = 4 }; /* marks of a cluster */

dp_err dp_trier_init(dp_trier *t, const dp_labels *labels)
{
    *t = (dp_trier){.labels = *labels};
    return dp_stamps_init(&t->stamps, labels->clusters);
}

void dp_trier_done(dp_trier *t)
{
    dp_stamps_done(&t->stamps);
    free(t->voter);
    *t = (dp_trier){0};
}

/* Remember that the cluster has a mark, so that it is taken off again. */
static bool mark(dp_trier *t, uint32_t cluster, uint8_t how)
{
    if (t->stamps.marked[cluster] == 0) {
        if (!DP_ROOM(t->voter, t->nvoter, t->cap))
            return false;
        t->voter[t->nvoter++] = cluster;
    }
    t->stamps.marked[cluster] |= how;
    return true;
}

/* Ordered pairs within one cluster: sum of n (n - 1) over the clusters of the group. */
static dp_err same_pairs(uint64_t *out, const dp_labels *l, const dp_rule_group *g)
{
    size_t    n = g->nchanged + g->nstill;
    uint32_t *of = malloc(n * sizeof *of);
    if (!of)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        of[i] = l->cluster[i < g->nchanged ? g->changed[i].item : g->still[i - g->nchanged].item];
    qsort(of, n, sizeof *of, dp_by_number);
    *out = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && of[j] == of[i]; j++) {}
        *out += (uint64_t)(j - i) * (j - i - 1);
    }
    free(of);
    return DP_OK;
}

/* A URL of the group that is not of the cluster of `item`. */
static uint32_t other_cluster(const dp_labels *l, const dp_rule_group *g, uint32_t item)
{
    for (size_t i = 0; i < g->nstill; i++) {
        if (l->cluster[g->still[i].item] != l->cluster[item])
            return g->still[i].item;
    }
    for (size_t i = 0; i < g->nchanged; i++) {
        if (l->cluster[g->changed[i].item] != l->cluster[item])
            return g->changed[i].item;
    }
    return DP_NO_ITEM;
}

dp_err dp_trier_add(dp_trier *t, const dp_rule_group *g, dp_trial *out)
{
    const uint32_t *cluster = t->labels.cluster;
    uint64_t        n = g->nchanged + g->nstill, d = 0, same = n * (n - 1);
    out->changed += g->nchanged;
    if (n < 2) {
        out->unknown += g->nchanged;
        return DP_OK;
    }
    dp_stamps_next(&t->stamps);
    for (size_t i = 0; i < g->nchanged; i++)
        d += dp_stamps_add(&t->stamps, cluster[g->changed[i].item]);
    for (size_t i = 0; i < g->nstill; i++)
        d += dp_stamps_add(&t->stamps, cluster[g->still[i].item]);
    for (size_t i = 0; i < g->nchanged; i++) {
        if (!mark(t, cluster[g->changed[i].item], d > 1 ? VOTES_AGAINST : VOTES_FOR))
            return DP_ENOMEM;
    }
    for (size_t i = 0; d > 1 && i < g->nstill; i++) {
        if (!mark(t, cluster[g->still[i].item], MERGED_WRONGLY))
            return DP_ENOMEM;
    }
    if (d > 1) {
        DP_TRY(same_pairs(&same, &t->labels, g));
        if (out->bad_a == DP_NO_ITEM) {
            out->bad_a = g->changed[0].item;
            out->bad_b = other_cluster(&t->labels, g, out->bad_a);
        }
    }
    out->good += n - d;
    out->bad += d - 1;
    out->pairs += n * (n - 1);
    out->false_pairs += n * (n - 1) - same;
    return DP_OK;
}

void dp_trier_vote(dp_trier *t, dp_trial *out)
{
    for (size_t i = 0; i < t->nvoter; i++) {
        uint32_t c = t->voter[i];
        uint8_t  how = t->stamps.marked[c];
        int      fold = t->labels.fold ? t->labels.fold[c] : 0;
        t->stamps.marked[c] = 0;
        if (how == MERGED_WRONGLY) /* it has no changed URL among these groups */
            continue;
        if (how == VOTES_FOR && t->labels.is_soft && t->labels.is_soft[c]) {
            out->soft++;
            continue;
        }
        out->n[fold]++;
        out->s[fold] += how == VOTES_FOR;
    }
    t->nvoter = 0;
}
