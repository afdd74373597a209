/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/anchor_select.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

/* ---- clusters ----------------------------------------------------------------------------------------- */

/* What stands on one side of run `i`; `step` is -1 or +1. */
static uint64_t side(const dp_anchor_token *t, uint32_t i, int step)
{
    dp_edge e = step < 0 ? t->run.v[i].left : t->run.v[i].right;
    if (e.kind == DP_EDGE_UNIT) {
        uint32_t neighbour = step < 0 ? i - 1 : i + 1;
        if (t->chosen[neighbour])
            return t->text_hash[neighbour];
    }
    return (uint64_t)e.kind << 8 | e.what;
}

static uint64_t cluster_key(const dp_anchor_token *t, uint32_t i)
{
    uint64_t h = dp_hash_fold(side(t, i, -1), side(t, i, 1));
    return dp_hash_fold(h, t->run.v[i].unit == DP_UNIT_DIGIT ? 3 : 5);
}

static uint64_t key_of(const void *self, uint32_t number)
{
    return ((const dp_anchor_chooser *)self)->v[number].key;
}

static dp_anchor_cluster *find_cluster(dp_anchor_chooser *c, uint64_t key)
{
    uint32_t i;
    if (!DP_ROOM(c->v, c->n, c->cap) || !dp_index_room(&c->index, key_of, c))
        return NULL;
    dp_index_walk w = dp_index_from(&c->index, key);
    while (dp_index_next(&w, &i))
        if (c->v[i].key == key)
            return &c->v[i];
    c->v[c->n++] = (dp_anchor_cluster){.key = key, .leftmost = UINT32_MAX};
    return &c->v[dp_index_end(&c->index, &w)];
}

/* Count run `i` of value number `number`. */
static void count(dp_anchor_cluster *k, const dp_anchor_token *t, uint32_t i, uint32_t number)
{
    const dp_deep_run *r = &t->run.v[i];
    k->values += k->last != number + 1;
    k->last = number + 1;
    k->numeric = r->unit == DP_UNIT_DIGIT;
    if (r->at < k->leftmost)
        k->leftmost = r->at;
    if (k->ntext > DP_ANCHOR_UNIQUE)
        return;
    uint32_t j = 0;
    while (j < k->ntext && k->text[j].hash != t->text_hash[i])
        j++;
    if (j == k->ntext) {
        k->ntext++;
        if (j == DP_ANCHOR_UNIQUE)
            return;
        k->text[j].hash = t->text_hash[i];
        k->text[j].values = k->text[j].last = 0;
    }
    k->text[j].values += k->text[j].last != number + 1;
    k->text[j].last = number + 1;
}

/* ---- which may be selected ------------------------------------------------------------------------------- */

static double spread_of(const dp_anchor_cluster *k)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < k->ntext; i++) {
        sum += k->text[i].values;
        squares += (double)k->text[i].values * k->text[i].values;
    }
    double mean = sum / k->ntext, variance = squares / k->ntext - mean * mean;
    return variance > 0 ? sqrt(variance) / mean : 0;
}

/* Texts that are rare are no anchors; the others must span enough without them. */
static bool may_be_selected(dp_anchor_cluster *k, size_t n, const dp_anchor_options *o)
{
    double   least = o->rare * (double)n, spans = 0;
    uint32_t kept = 0;
    if ((double)k->values < o->coverage * (double)n || k->ntext > DP_ANCHOR_UNIQUE)
        return false;
    for (uint32_t i = 0; i < k->ntext; i++) {
        if (k->text[i].values < 2 || (double)k->text[i].values < least)
            continue;
        spans += k->text[i].values;
        k->text[kept++] = k->text[i];
    }
    k->ntext = kept;
    if (!kept || kept > o->unique || spans < o->coverage * (double)n)
        return false;
    k->spread = spread_of(k);
    return k->spread <= o->spread && (kept == 1 || !k->numeric);
}

/* Few texts, even use, leftmost. */
static int by_merit(const void *x, const void *y)
{
    const dp_anchor_cluster *a = x, *b = y;
    if (a->ntext != b->ntext)
        return a->ntext < b->ntext ? -1 : 1;
    if (a->spread < b->spread || a->spread > b->spread)
        return a->spread < b->spread ? -1 : 1;
    if (a->leftmost != b->leftmost)
        return a->leftmost < b->leftmost ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

dp_err dp_anchor_choose(dp_anchor_chooser *c, const dp_anchor_token *token, const dp_keyed *v, size_t n)
{
    c->n = c->nunique = c->nmany = 0;
    dp_index_reset(&c->index);
    for (size_t i = 0; i < n; i++) {
        const dp_anchor_token *t = &token[v[i].item];
        for (uint32_t r = 0; r < t->run.n; r++) {
            if (t->chosen[r])
                continue;
            dp_anchor_cluster *k = find_cluster(c, cluster_key(t, r));
            if (!k)
                return DP_ENOMEM;
            count(k, t, r, (uint32_t)i);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (may_be_selected(&c->v[i], n, c->o))
            c->v[kept++] = c->v[i];
    if (kept)
        qsort(c->v, kept, sizeof *c->v, by_merit);
    while (c->nunique < kept && c->v[c->nunique].ntext == 1)
        c->nunique++;
    c->nmany = kept - c->nunique;
    return DP_OK;
}

void dp_anchor_chooser_done(dp_anchor_chooser *c)
{
    free(c->v);
    dp_index_done(&c->index);
    c->v = NULL;
    c->n = c->cap = 0;
}

void dp_anchor_pick_unique(dp_anchor_chooser *c)
{
    c->from = 0;
    c->to = c->nunique;
}

void dp_anchor_pick_many(dp_anchor_chooser *c, size_t i)
{
    c->from = c->nunique + i;
    c->to = c->from + 1;
}

static bool has_text(const dp_anchor_cluster *k, uint64_t hash)
{
    for (uint32_t i = 0; i < k->ntext; i++)
        if (k->text[i].hash == hash)
            return true;
    return false;
}

bool dp_anchor_mark(const dp_anchor_chooser *c, dp_anchor_token *t)
{
    uint32_t found[DP_ANCHOR_UNIQUE * 4];
    size_t   picked = c->to - c->from, most = picked < DP_COUNT(found) ? picked : DP_COUNT(found), n = 0;
    for (size_t k = c->from; k < c->from + most; k++) {
        uint32_t i = 0;
        while (i < t->run.n &&
               (t->chosen[i] || cluster_key(t, i) != c->v[k].key || !has_text(&c->v[k], t->text_hash[i])))
            i++;
        if (i == t->run.n)
            return false;
        found[n++] = i;
    }
    /* Only now: a mark changes the keys of its neighbours. */
    for (size_t i = 0; i < n; i++)
        t->chosen[found[i]] = c->level;
    return true;
}
