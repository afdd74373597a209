/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/court.h"

#include <stdlib.h>

#include "base/hash.h"

/* ---- all URLs -------------------------------------------------------------------------------------------- */

static void add_forms(dp_tree_court *c)
{
    for (size_t i = 0; i < c->s->n; i++) {
        uint64_t hash = dp_hash_str(c->s->url[i]);
        c->hash[dp_index_put(&c->index, hash)] = hash;
    }
}

/* The URL with that hash, UINT32_MAX: none. */
static uint32_t find_form(const dp_tree_court *c, uint64_t hash)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&c->index, hash); dp_index_next(&w, &i);)
        if (c->hash[i] == hash)
            return i;
    return UINT32_MAX;
}

static bool init_marks(dp_tree_marks *m, const dp_site *s)
{
    m->good = calloc((size_t)s->nclusters + 1, sizeof *m->good);
    m->bad = calloc((size_t)s->nclusters + 1, sizeof *m->bad);
    m->moved = calloc(s->n + 1, sizeof *m->moved);
    return m->good && m->bad && m->moved;
}

dp_err dp_tree_court_init(dp_tree_court *c, unsigned workers)
{
    c->workers = workers;
    c->hash = calloc(c->s->n + 1, sizeof *c->hash);
    c->marks = calloc(workers, sizeof *c->marks);
    bool good = c->hash && c->marks && dp_index_reserve(&c->index, c->s->n);
    for (unsigned i = 0; i < workers && good; i++)
        good = init_marks(&c->marks[i], c->s);
    if (!good)
        return DP_ENOMEM;
    add_forms(c);
    return DP_OK;
}

void dp_tree_court_done(dp_tree_court *c)
{
    for (unsigned i = 0; i < c->workers && c->marks; i++) {
        free(c->marks[i].good);
        free(c->marks[i].bad);
        free(c->marks[i].moved);
    }
    free(c->marks);
    free(c->hash);
    dp_index_done(&c->index);
    *c = (dp_tree_court){0};
}

/* ---- counting ---------------------------------------------------------------------------------------------- */

static bool is_learned_from(const dp_tree_court *c, const dp_tree_case *of, uint32_t cluster)
{
    const uint8_t *fold = c->s->fold;
    return !fold || of->folds >> fold[cluster] & 1;
}

/* URLs that a candidate makes one. */
typedef struct group {
    const dp_member *v; /* [n] */
    size_t           n;
    uint32_t         still; /* the URL that has that text already; UINT32_MAX: none */
} group;

/* Of how many labelled URLs it is, and whether they are of several clusters. */
static size_t count_labelled(const group *g, const uint32_t *cluster, bool *mixed)
{
    uint32_t first = g->still == UINT32_MAX ? DP_NO_CLUSTER : cluster[g->still];
    size_t   labelled = first != DP_NO_CLUSTER;
    *mixed = false;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t k = cluster[g->v[i].item];
        if (k == DP_NO_CLUSTER)
            continue;
        if (first == DP_NO_CLUSTER)
            first = k;
        *mixed |= k != first;
        labelled++;
    }
    return labelled;
}

static void count_group(dp_tree_candidate *x, const dp_tree_court *c, const dp_tree_case *of, const group *g)
{
    dp_tree_marks  *m = &c->marks[of->worker];
    const uint32_t *cluster = c->s->cluster;
    bool            mixed;
    size_t          labelled = count_labelled(g, cluster, &mixed);
    x->save += g->n - (g->still == UINT32_MAX);
    for (size_t i = 0; i < g->n; i++) {
        uint32_t k = cluster[g->v[i].item];
        if (k == DP_NO_CLUSTER || !is_learned_from(c, of, k))
            continue;
        x->covered++;
        x->wrong += mixed;
        if (labelled < 2)
            continue;
        x->met++;
        uint32_t *mark = mixed ? &m->bad[k] : &m->good[k];
        uint64_t *count = mixed ? &x->neg : &x->n;
        *count += *mark != m->now;
        *mark = m->now;
    }
}

void dp_tree_court_count(const dp_tree_court *c, const dp_tree_case *of, dp_tree_candidate *x)
{
    dp_tree_marks   *m = &c->marks[of->worker];
    const dp_member *v = x->did.v;
    size_t           n = x->did.n;
    m->now++;
    for (size_t i = 0; i < n; i++)
        m->moved[v[i].item] = m->now;
    for (size_t i = 0, j; i < n; i = j) {
        j = dp_group_end(v, n, i);
        uint32_t still = find_form(c, v[i].key);
        if (still != UINT32_MAX && c->p->host_of[still] == of->host && m->moved[still] == m->now)
            still = UINT32_MAX; /* it does not stay */
        count_group(x, c, of, &(group){v + i, j - i, still});
    }
    double strict = x->met ? (double)(x->met - x->wrong) / (double)x->met : 0;
    x->passes = x->covered >= c->o->coverage && dp_tree_precision(x) >= c->ctx->min_precision - 1e-12;
    x->sure = x->passes && x->met && strict >= c->ctx->min_precision - 1e-12;
}
