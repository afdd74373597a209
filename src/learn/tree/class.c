/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/class.h"

#include <stdlib.h>

#include "base/ordinal.h"
#include "base/room.h"

/* A pair that takes part. */
typedef struct pair {
    const dp_tree_change *x;
    uint32_t              does[2]; /* what it does, by end: a number of its hash */
    uint32_t              of;      /* its end, then its class */
} pair;

/* ---- transformations -------------------------------------------------------------------------------------------- */

dp_err dp_tree_changes_find(dp_tree_change *p, size_t n, dp_tree_editor *e, const dp_tree_options *o)
{
    dp_tree_edit *t = malloc(sizeof *t);
    dp_err        code = t ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        code = dp_tree_edit_make(t, e, p[i].u, p[i].v, &p[i].sayable);
        if (code != DP_OK || !p[i].sayable)
            continue;
        p[i].replaces = t->replaces;
        p[i].changes = t->changes;
        dp_tree_end first = o->forward_only ? DP_TREE_START_ALONE : DP_TREE_FROM_START;
        p[i].hash[0] = dp_tree_edit_hash(t, e->h, first, false);
        p[i].hash[1] = o->forward_only ? p[i].hash[0] : dp_tree_edit_hash(t, e->h, DP_TREE_FROM_END, false);
    }
    free(t);
    return code;
}

/* Number what pairs do; `*n_does`: how many numbers there are. */
static dp_err number_pairs(pair *p, size_t n, uint32_t *n_does)
{
    dp_ordinals known = {0};
    dp_err      code = DP_OK;
    bool        fresh;
    for (size_t i = 0; i < 2 * n && code == DP_OK; i++)
        code = dp_ordinals_add(&known, p[i / 2].x->hash[i % 2], &p[i / 2].does[i % 2], &fresh);
    *n_does = known.n;
    dp_ordinals_done(&known);
    return code;
}

/* Give each pair to the naming under which more pairs do the same. pairs[] is 0, by what they do. */
static void vote(pair *p, size_t n, uint32_t *pairs)
{
    for (size_t i = 0; i < n; i++) {
        pairs[p[i].does[0]]++;
        pairs[p[i].does[1]]++;
    }
    for (size_t i = 0; i < n; i++)
        p[i].of = pairs[p[i].does[1]] > pairs[p[i].does[0]];
}

/* Classes by what pairs do, in the order of their first ones; p[].of is the end before, and the class after. class_of[]
 * is 0, then class + 1. */
static dp_err make_classes(dp_tree_classes *c, pair *p, size_t n, uint32_t *class_of)
{
    for (size_t i = 0; i < n; i++) {
        const dp_tree_change *x = p[i].x;
        uint32_t              end = p[i].of, cluster = c->h->site->cluster[c->h->url[x->u].item];
        uint32_t             *number = &class_of[p[i].does[end]];
        if (!*number) {
            if (!DP_ROOM(c->v, c->n, c->cap))
                return DP_ENOMEM;
            c->v[c->n] = (dp_tree_class){.hash = x->hash[end],
                                         .end = c->o->forward_only ? DP_TREE_START_ALONE : (dp_tree_end)end,
                                         .u = x->u,
                                         .v = x->v,
                                         .cluster = cluster,
                                         .changes = x->changes,
                                         .replaces = x->replaces};
            *number = ++c->n;
        }
        p[i].of = *number - 1;
        dp_tree_class *k = &c->v[p[i].of];
        k->several |= k->cluster != cluster;
        k->nrow++;
    }
    return DP_OK;
}

static dp_err classify(dp_tree_classes *c, pair *p, size_t n)
{
    uint32_t n_does;
    DP_TRY(number_pairs(p, n, &n_does));
    uint32_t *by = calloc((size_t)n_does + 1, sizeof *by);
    if (!by)
        return DP_ENOMEM;
    vote(p, n, by);
    memset(by, 0, n_does * sizeof *by);
    dp_err code = make_classes(c, p, n, by);
    free(by);
    return code;
}

/* ---- literals that differ ------------------------------------------------------------------------------------- */

/* Transformation generalization at its root: "k = literal" learned from one cluster each, with more different literals
 * than threshold_|V|, is one class "k = *". In the paper the contexts of such classes must become equal first, which
 * only clusters of more than threshold_|V| URLs bring about; small ones would teach nothing. join[] maps classes. */
static dp_err pool_literals(dp_tree_classes *c, uint32_t *join)
{
    dp_ordinals   families = {0};
    dp_tree_edit *e = malloc(sizeof *e);
    uint32_t     *count = calloc((size_t)c->n + 1, sizeof *count);
    dp_err        code = e && count ? DP_OK : DP_ENOMEM;
    uint32_t      number;
    for (uint32_t i = 0; i < c->n && code == DP_OK; i++) {
        bool sayable, fresh;
        join[i] = i;
        if (!c->v[i].replaces || c->v[i].several)
            continue;
        code = dp_tree_edit_make(e, &c->editor, c->v[i].u, c->v[i].v, &sayable);
        if (code != DP_OK)
            break;
        c->v[i].family = dp_tree_edit_hash(e, c->h, c->v[i].end, true) | 1;
        code = dp_ordinals_add(&families, c->v[i].family, &number, &fresh);
        if (code == DP_OK)
            count[number]++;
    }
    uint32_t *first = calloc((size_t)families.n + 1, sizeof *first); /* class + 1 */
    if (!first)
        code = DP_ENOMEM;
    for (uint32_t i = 0; i < c->n && code == DP_OK; i++) {
        if (!c->v[i].family || !dp_ordinals_find(&families, c->v[i].family, &number) || count[number] <= c->o->wild)
            continue;
        if (!first[number])
            first[number] = i + 1;
        join[i] = first[number] - 1;
        dp_tree_class *k = &c->v[join[i]];
        k->pooled = true;
        if (join[i] != i) {
            k->several = true;
            k->nrow += c->v[i].nrow;
            c->v[i].nrow = 0;
        }
    }
    free(first);
    free(e);
    free(count);
    dp_ordinals_done(&families);
    return code;
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static dp_err make_rows(dp_tree_classes *c, const pair *p, size_t n, const uint32_t *join)
{
    for (uint32_t i = 0; i < c->n; i++) {
        c->v[i].row = c->nrow;
        c->nrow += c->v[i].nrow;
    }
    c->row = malloc(((size_t)c->nrow + 1) * sizeof *c->row);
    c->target = malloc(((size_t)c->nrow + 1) * sizeof *c->target);
    if (!c->row || !c->target)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = c->v[join[p[i].of]].row++;
        c->row[row] = p[i].x->u;
        c->target[row] = p[i].x->v;
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->v[i].row -= c->v[i].nrow;
    return DP_OK;
}

dp_err dp_tree_classes_make(dp_tree_classes *c, const dp_tree_change *x, size_t all, uint32_t folds)
{
    uint32_t *join = NULL;
    size_t    n = 0;
    pair     *p = malloc((all + 1) * sizeof *p);
    if (!p)
        return DP_ENOMEM;
    for (size_t i = 0; i < all; i++) {
        if (x[i].sayable && folds >> x[i].fold & 1)
            p[n++] = (pair){.x = &x[i]};
    }
    c->pairs = (uint32_t)n;
    dp_err code = classify(c, p, n);
    if (code == DP_OK && !(join = malloc(((size_t)c->n + 1) * sizeof *join)))
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = pool_literals(c, join);
    if (code == DP_OK)
        code = make_rows(c, p, n, join);
    free(join);
    free(p);
    return code;
}

void dp_tree_classes_done(dp_tree_classes *c)
{
    dp_tree_editor_done(&c->editor);
    free(c->v);
    free(c->row);
    free(c->target);
    dp_arena_done(&c->arena);
}
