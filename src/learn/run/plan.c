/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/plan.h"

#include <stdlib.h>

#include "base/order.h"

static int by_name(const void *a, const void *b)
{
    return dp_str_cmp(((const dp_plan_site *)a)->name, ((const dp_plan_site *)b)->name);
}

/* One site a set. */
static void list_sites(dp_plan *p, const dp_facts *f, dp_sets *sets, uint32_t *place)
{
    for (uint32_t d = 0; d < f->name.n; d++) {
        uint32_t root = sets ? dp_sets_root(sets, d) : d; /* the least number of the set comes first */
        if (root == d) {
            place[d] = p->n;
            p->v[p->n++] = (dp_plan_site){.name = dp_facts_name(f, d), .first = d};
        }
        dp_plan_site *s = &p->v[place[root]];
        s->ndomain++;
        s->facts += f->facts[d];
        s->bytes += f->bytes[d];
        if (dp_str_cmp(dp_facts_name(f, d), s->name) < 0)
            s->name = dp_facts_name(f, d);
    }
}

dp_err dp_plan_make(dp_plan *out, const dp_facts *facts, dp_sets *sets)
{
    size_t    n = facts->name.n;
    dp_plan   p = {.v = malloc((n + 1) * sizeof *p.v),
                   .site_of = malloc((n + 1) * sizeof *p.site_of),
                   .domain = malloc((n + 1) * sizeof *p.domain)};
    uint32_t *place = malloc((n + 1) * sizeof *place); /* by root */
    if (!p.v || !p.site_of || !p.domain || !place) {
        free(place);
        dp_plan_done(&p);
        return DP_ENOMEM;
    }
    list_sites(&p, facts, sets, place);
    if (p.n)
        qsort(p.v, p.n, sizeof *p.v, by_name);
    for (uint32_t i = 0, from = 0; i < p.n; i++) {
        place[p.v[i].first] = i;
        p.v[i].bucket = (uint32_t)dp_facts_bucket(p.v[i].name);
        p.v[i].from = from;
        from += p.v[i].ndomain;
        p.v[i].ndomain = 0;
    }
    for (uint32_t d = 0; d < n; d++) {
        uint32_t      site = place[sets ? dp_sets_root(sets, d) : d];
        dp_plan_site *s = &p.v[site];
        p.site_of[d] = site;
        p.domain[s->from + s->ndomain++] = dp_facts_name(facts, d);
    }
    for (uint32_t i = 0; i < p.n; i++)
        qsort(p.domain + p.v[i].from, p.v[i].ndomain, sizeof *p.domain, dp_by_bytes);
    free(place);
    *out = p;
    return DP_OK;
}

uint32_t *dp_plan_pick(const dp_plan *p, size_t domains, bool linked, bool large)
{
    uint32_t *out = malloc((domains + 1) * sizeof *out);
    for (size_t d = 0; out && d < domains; d++) {
        const dp_plan_site *s = &p->v[p->site_of[d]];
        bool                is_in = !s->skip && !s->ready && s->large == large && (s->ndomain > 1) == linked;
        out[d] = is_in ? p->site_of[d] : DP_NO_SITE;
    }
    return out;
}

void dp_plan_done(dp_plan *p)
{
    free(p->v);
    free(p->site_of);
    free(p->domain);
    *p = (dp_plan){0};
}
