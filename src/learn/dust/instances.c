/* The instances of rules that were kept: the evidence, pair by pair.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/core.h"

#include <stdlib.h>

typedef struct finder {
    const dp_dust_rules   *r;
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_tree           tree;
    dp_dust_core           in;
    uint64_t              *hash; /* [nslot] of a rule's texts */
    uint32_t              *slot; /* [nslot] rule + 1; a power of two */
    uint8_t               *core; /* [nslot] whether some rule may have that core */
    size_t                 nslot;
    dp_dust_on_instance   *on_instance;
    void                  *self;
} finder;

/* The pair of pages a rule was seen on. */
static dp_dust_pair pair_of(const dp_dust_site *s, const dp_dust_rule *r)
{
    dp_dust_pair    p = {.x = r->x, .y = r->y};
    const uint32_t *x = s->unit + s->first[p.x], *y = s->unit + s->first[p.y];
    uint32_t        n = dp_dust_units(s, p.x), m = dp_dust_units(s, p.y), least = n < m ? n : m;
    while (p.prefix < least && x[p.prefix] == y[p.prefix])
        p.prefix++;
    while (p.suffix < least && x[n - 1 - p.suffix] == y[m - 1 - p.suffix])
        p.suffix++;
    return p;
}

static dp_err index_rules(finder *f)
{
    f->nslot = 1024;
    while (f->nslot / 8 < f->r->n)
        f->nslot *= 2;
    f->hash = calloc(f->nslot, sizeof *f->hash);
    f->slot = calloc(f->nslot, sizeof *f->slot);
    f->core = calloc(f->nslot, 1);
    if (!f->hash || !f->slot || !f->core)
        return DP_ENOMEM;
    for (size_t i = 0; i < f->r->n; i++) {
        const dp_dust_rule *r = &f->r->v[i];
        dp_dust_pair        p = pair_of(f->s, r);
        uint64_t            core, hash = dp_dust_core_text(&f->in, &p, r->i, r->k);
        dp_dust_core_hash(&f->in, &p, &core);
        f->core[core & (f->nslot - 1)] = 1;
        size_t k = hash & (f->nslot - 1);
        while (f->slot[k])
            k = (k + 1) & (f->nslot - 1);
        f->slot[k] = (uint32_t)i + 1;
        f->hash[k] = hash;
    }
    return DP_OK;
}

static dp_err on_text(finder *f, const dp_dust_pair *p, const dp_dust_text *text)
{
    for (size_t k = text->hash & (f->nslot - 1); f->slot[k]; k = (k + 1) & (f->nslot - 1)) {
        const dp_dust_rule *r = &f->r->v[f->slot[k] - 1];
        int same = f->hash[k] == text->hash ? dp_dust_core_same(&f->in, r->x, r->y, r->i, r->k, p, text) : 0;
        if (same)
            return f->on_instance(f->self, f->slot[k] - 1, f->s->given[same == 1 ? p->x : p->y],
                                  f->s->given[same == 1 ? p->y : p->x],
                                  dp_dust_similar(f->s, p->x, p->y, f->o));
    }
    return DP_OK;
}

static dp_err on_texts(void *self, const dp_dust_pair *p, const dp_dust_text *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        DP_TRY(on_text(self, p, &text[i]));
    return DP_OK;
}

static dp_err on_pair(void *self, const dp_dust_pair *p)
{
    finder  *f = self;
    uint64_t core;
    dp_dust_core_hash(&f->in, p, &core);
    return f->core[core & (f->nslot - 1)] ? dp_dust_core_texts(&f->in, p, on_texts, f) : DP_OK;
}

dp_err dp_dust_instances(const dp_dust_rules *r, const dp_dust_site *s, const dp_dust_options *o,
                         dp_dust_on_instance *on_instance, void *self)
{
    finder f = {.r = r, .s = s, .o = o, .on_instance = on_instance, .self = self};
    if (r->n == 0)
        return DP_OK;
    DP_TRY(dp_dust_tree_init(&f.tree, s, o));
    f.tree.most = f.tree.most_shown = o->T_low;
    dp_err e = dp_dust_core_init(&f.in, &f.tree);
    if (e == DP_OK)
        e = index_rules(&f);
    if (e == DP_OK)
        e = dp_dust_tree_walk(&f.tree, on_pair, &f);
    free(f.hash);
    free(f.slot);
    free(f.core);
    dp_dust_core_done(&f.in);
    dp_dust_tree_done(&f.tree);
    return e;
}
