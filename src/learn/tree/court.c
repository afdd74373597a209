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
    m->of = calloc((size_t)s->nclusters + 1, sizeof *m->of);
    m->moved = calloc(s->n + 1, sizeof *m->moved);
    return m->good && m->bad && m->of && m->moved;
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
        free(c->marks[i].of);
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
    uint32_t         at;    /* the URL that has that text; UINT32_MAX: none */
    bool             stays; /* there is one, and the candidate does not move it */
} group;

/* What its labelled URLs are. */
typedef struct makeup {
    uint32_t there;  /* cluster of the URL that has the text; DP_NO_CLUSTER: none, or not labelled */
    uint32_t moved;  /* labelled URLs that come */
    bool     met;    /* two labelled URLs or more are in the group */
    bool     mixed;  /* they are of several clusters */
} makeup;

/* of[k] becomes how many that come are of cluster k; it is 0 before. */
static makeup look_at(const group *g, const uint32_t *cluster, uint32_t *of)
{
    makeup   m = {.there = g->at == UINT32_MAX ? DP_NO_CLUSTER : cluster[g->at]};
    uint32_t first = g->stays ? m.there : DP_NO_CLUSTER;
    bool     stays = first != DP_NO_CLUSTER;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t k = cluster[g->v[i].item];
        if (k == DP_NO_CLUSTER)
            continue;
        if (first == DP_NO_CLUSTER)
            first = k;
        m.mixed |= k != first;
        m.moved++;
        of[k]++;
    }
    m.met = m.moved + stays >= 2;
    return m;
}

/* What a URL of cluster `k` that comes adds to f. */
static double wrong_share(const makeup *m, uint32_t k, const uint32_t *of)
{
    if (m->there != DP_NO_CLUSTER)
        return m->there != k;
    return m->moved < 2 ? 0 : (double)(m->moved - of[k]) / (double)(m->moved - 1);
}

static void count_group(dp_tree_candidate *x, const dp_tree_court *c, const dp_tree_case *of, const group *g)
{
    dp_tree_marks  *marks = &c->marks[of->worker];
    const uint32_t *cluster = c->s->cluster;
    makeup          m = look_at(g, cluster, marks->of);
    x->save += g->n - !g->stays;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t k = cluster[g->v[i].item];
        if (k == DP_NO_CLUSTER || !is_learned_from(c, of, k))
            continue;
        x->covered++;
        x->f += wrong_share(&m, k, marks->of);
        x->met += m.there != DP_NO_CLUSTER || m.moved >= 2;
        if (!m.met)
            continue;
        uint32_t *mark = m.mixed ? &marks->bad[k] : &marks->good[k];
        uint64_t *count = m.mixed ? &x->neg : &x->n;
        *count += *mark != marks->now;
        *mark = marks->now;
    }
    for (size_t i = 0; i < g->n; i++) {
        if (cluster[g->v[i].item] != DP_NO_CLUSTER)
            marks->of[cluster[g->v[i].item]] = 0;
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
        group g = {.v = v + i, .n = j - i, .at = find_form(c, v[i].key)};
        g.stays = g.at != UINT32_MAX && (c->p->host_of[g.at] != of->host || m->moved[g.at] != m->now);
        count_group(x, c, of, &g);
    }
    double strict = x->met ? 1 - x->f / (double)x->met : 0;
    x->passes = x->covered >= c->o->coverage && dp_tree_precision(x) >= c->ctx->min_precision - 1e-12;
    x->sure = x->passes && x->met && strict >= c->ctx->min_precision - 1e-12;
}
