/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/known_firings.h"

#include <stdlib.h>

#include "learn/accept/write.h"
#include "url/split.h"

enum { EFFORT = 16 }; /* names that may be compared, a URL */

typedef struct recalling {
    dp_firings       *f;
    const dp_program *g;
    const dp_site    *s;
    uint32_t         *rank;   /* [nrule] the number that a rule of the program has in `f` */
    uint64_t          effort; /* left */
} recalling;

/* Whether rules of the block may hold on a host. */
static bool may_hold(recalling *r, const dp_block *b, dp_str host)
{
    for (size_t i = 0; i < b->nscope; i++) {
        r->effort -= r->effort > 0;
        if (b->scope[i].any || b->scope[i].wildcard || dp_str_eq(b->scope[i].name, host))
            return true;
    }
    return false;
}

static bool keeps_order(recalling *r, dp_str host)
{
    const dp_block *block = NULL;
    bool            holds = false;
    uint32_t        next = 0;
    for (size_t i = 0; i < r->g->rules->nrule; i++) {
        const dp_rule *rule = r->g->rules->rule[i];
        if (rule->block != block) {
            block = rule->block;
            holds = may_hold(r, block, host);
        }
        if (holds && r->rank[i] < next)
            return false;
        next = holds ? r->rank[i] + 1 : next;
    }
    return r->effort > 0;
}

/* Forget what became of the URLs of hosts where the rules have another order. URLs of a host lie together. */
static void forget_some(recalling *r)
{
    dp_str start = {0}; /* a URL up to the slash behind its host */
    bool   known = false;
    for (size_t i = 0; i < r->s->n; i++) {
        dp_str   url = r->s->url[i];
        dp_split s;
        if (!start.n || !dp_str_starts(url, start)) {
            known = dp_split_url(&s, url) && keeps_order(r, s.host);
            start = known && s.path.n ? dp_str_cut(url, 0, (size_t)(s.path.p - url.p) + 1) : (dp_str){0};
        }
        if (!known)
            r->f->key[i] = 0;
    }
}

/* The rank of each rule of the program, and what number each rank has there; whether these are the same. */
static bool rank_rules(recalling *r, const dp_proposals *p, uint32_t *number)
{
    bool     same = true;
    uint32_t rank = 0;
    for (size_t i = 0; i < p->n; i++) /* of a proposal, for a while */
        number[i] = p->v[i].is_order ? rank : rank++;
    for (uint32_t i = 0; i < r->g->rules->nrule; i++) {
        r->rank[i] = number[r->g->proposal[i]];
        same &= r->rank[i] == i;
    }
    for (uint32_t i = 0; i < r->g->rules->nrule; i++)
        number[r->rank[i]] = i;
    return same;
}

dp_err dp_known_firings(dp_firings *f, const dp_program *g, const dp_proposals *p, const dp_site *s)
{
    recalling r = {.f = f, .g = g, .s = s, .effort = EFFORT * (uint64_t)s->n};
    if (!f->key || f->rules != g->rules->nrule) {
        dp_firings_done(f);
        return DP_OK;
    }
    uint32_t *number = malloc((p->n + 1) * sizeof *number);
    r.rank = malloc((g->rules->nrule + 1) * sizeof *r.rank);
    dp_err code = number && r.rank ? DP_OK : DP_ENOMEM;
    if (code == DP_OK && !rank_rules(&r, p, number)) {
        forget_some(&r);
        for (size_t i = 0; i < f->n; i++)
            f->v[i].rule = f->v[i].rule < f->rules ? number[f->v[i].rule] : f->v[i].rule;
    }
    free(number);
    free(r.rank);
    return code;
}
