/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/oracle.h"

#include <stdlib.h>

#include "base/room.h"

enum { MOST = 4096 /* rules more general than one */ };

void dp_rw_oracle_done(dp_rw_oracle *o)
{
    dp_rw_rules_done(&o->known);
    free(o->fpr);
}

/* Filter_efpr: 1 - |T| / |S| < maxP. As printed, S holds also the URL that the rule leads to, which matches the
 * context and is no source of a pair: with fewer than 1 / maxP URLs a key can never be generalized. --unchanged skip
 * leaves such URLs out of S. */
static dp_err estimated(bool *let, const dp_rw_oracle *o, const dp_rw_draft *r)
{
    dp_rw_rules one = {.most = 1};
    dp_rw_count c = {0};
    uint32_t    zero = 0;
    dp_err      e = dp_rw_rules_add(&one, r);
    if (e == DP_OK)
        e = dp_rw_support(&c, o->index, &one, &zero, 1, NULL);
    dp_rw_rules_done(&one);
    uint64_t all = c.matched - (o->options->unchanged == DP_REWRITE_SKIP ? c.unchanged : 0);
    *let = all && 1 - (double)c.explained / (double)all < o->options->max_fpr;
    return e;
}

/* Where part i of a rule can become *: the text of its context, then what is made there. */
static bool step(dp_rw_draft *r, uint32_t i)
{
    dp_rw_part p = r->part[i];
    if (dp_is_text(p.c))
        dp_rw_put(r, i, DP_V_STAR, p.a);
    else if (dp_rw_is_open(p.a))
        dp_rw_put(r, i, p.c, DP_V_STAR);
    else
        return false;
    return true;
}

/* A rule and those more general, the nearest first. */
static dp_err list_general(dp_rw_rules *out, const dp_rw_draft *r)
{
    *out = (dp_rw_rules){.most = MOST};
    DP_TRY(dp_rw_rules_add(out, r));
    for (uint32_t i = 0; i < out->n && !out->full; i++) {
        dp_rw_draft from;
        dp_rw_draft_of(&from, out, i);
        for (uint32_t k = 0; k < from.n; k++) {
            dp_rw_draft to = from;
            if (step(&to, k))
                DP_TRY(dp_rw_rules_add(out, &to));
        }
    }
    return DP_OK;
}

/* Ask about those rules of a list that are not known. */
static dp_err ask(dp_rw_oracle *o, const dp_rw_rules *list)
{
    uint32_t from = o->known.n;
    o->known.most = UINT32_MAX;
    for (uint32_t i = 0; i < list->n; i++) {
        dp_rw_draft r;
        dp_rw_draft_of(&r, list, i);
        DP_TRY(dp_rw_rules_add(&o->known, &r));
    }
    uint32_t n = o->known.n - from;
    if (!n)
        return DP_OK;
    dp_rw_count *c = malloc(n * sizeof *c);
    uint32_t    *which = malloc(n * sizeof *which);
    dp_err       e = c && which && DP_ROOM_FOR(o->fpr, o->known.n, o->cap) ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; i < n && e == DP_OK; i++)
        which[i] = from + i;
    if (e == DP_OK)
        e = dp_rw_support(c, o->index, &o->known, which, n, NULL);
    for (uint32_t i = 0; i < n && e == DP_OK; i++)
        o->fpr[from + i] = c[i].support ? (double)c[i].wrong / (double)c[i].support : 1;
    free(c);
    free(which);
    return e;
}

/* Filter_ideal (Algorithm 1). */
static dp_err ideal(bool *let, dp_rw_oracle *o, const dp_rw_draft *r)
{
    dp_rw_rules list;
    dp_err      e = list_general(&list, r);
    if (e == DP_OK)
        e = ask(o, &list);
    *let = false;
    for (uint32_t i = 0; i < list.n && e == DP_OK && !*let; i++)
        *let = o->fpr[dp_rw_rules_find(&o->known, list.v[i].hash)] < o->options->max_fpr;
    dp_rw_rules_done(&list);
    return e;
}

bool dp_rw_oracle_lets(void *self, const dp_rw_draft *r)
{
    dp_rw_oracle *o = self;
    bool          let = false;
    dp_err        e = o->options->filter == DP_REWRITE_IDEAL ? ideal(&let, o, r) : estimated(&let, o, r);
    o->error = o->error == DP_OK ? e : o->error;
    return e == DP_OK && let;
}
