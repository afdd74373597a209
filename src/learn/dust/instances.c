/* The instances of rules that were kept: the evidence, pair by pair.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/core.h"

#include <stdlib.h>

#include "base/index.h"

typedef struct finder {
    const dp_dust_rules   *r;
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_tree           tree;
    dp_dust_core           in;
    uint64_t              *hash; /* [r->n] of a rule's texts */
    dp_index               index;
    uint8_t               *core; /* [ncore] whether some rule may have that core; a power of two */
    size_t                 ncore;
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
    f->ncore = 1024;
    while (f->ncore / 8 < f->r->n)
        f->ncore *= 2;
    f->hash = calloc(f->r->n, sizeof *f->hash);
    f->core = calloc(f->ncore, 1);
    if (!f->hash || !f->core || !dp_index_reserve(&f->index, f->r->n))
        return DP_ENOMEM;
    for (size_t i = 0; i < f->r->n; i++) {
        const dp_dust_rule *r = &f->r->v[i];
        dp_dust_pair        p = pair_of(f->s, r);
        uint64_t            core, hash = dp_dust_core_text(&f->in, &p, r->i, r->k);
        dp_dust_core_hash(&f->in, &p, &core);
        f->core[core & (f->ncore - 1)] = 1;
        f->hash[dp_index_put(&f->index, hash)] = hash;
    }
    return DP_OK;
}

static dp_err on_text(finder *f, const dp_dust_pair *p, const dp_dust_text *text)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&f->index, text->hash); dp_index_next(&w, &i);) {
        const dp_dust_rule *r = &f->r->v[i];
        int same = f->hash[i] == text->hash ? dp_dust_core_same(&f->in, r->x, r->y, r->i, r->k, p, text) : 0;
        if (same)
            return f->on_instance(f->self, i, f->s->given[same == 1 ? p->x : p->y],
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
    return f->core[core & (f->ncore - 1)] ? dp_dust_core_texts(&f->in, p, on_texts, f) : DP_OK;
}

dp_err dp_dust_instances(const dp_dust_rules *r, const dp_dust_site *s, const dp_dust_options *o, uint32_t most,
                         dp_dust_on_instance *on_instance, void *self)
{
    finder f = {.r = r, .s = s, .o = o, .on_instance = on_instance, .self = self};
    if (r->n == 0)
        return DP_OK;
    DP_TRY(dp_dust_tree_init(&f.tree, s, o));
    f.tree.most = f.tree.most_shown = most;
    dp_err e = dp_dust_core_init(&f.in, &f.tree);
    if (e == DP_OK)
        e = index_rules(&f);
    if (e == DP_OK)
        e = dp_dust_tree_walk(&f.tree, on_pair, &f);
    free(f.hash);
    dp_index_done(&f.index);
    free(f.core);
    dp_dust_core_done(&f.in);
    dp_dust_tree_done(&f.tree);
    return e;
}
