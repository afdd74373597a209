/* GeneralizePairwiseRules (WSDM'10, algorithm 5): which keys of a class matter.
 *
 * The tree grows from its leaves, the classes. Keys are taken in the order of their information gain. At each key a
 * node looks at the values that the key has in all its classes: more than threshold_|V|, and the rows of the node go on
 * to the node (key, *), else each to the node (key, its value). Nodes with one (key, value) are one, so that from then
 * on the classes in it generalize together. A context is the way of a row through the tree.
 *
 * Two things are ours. A way is kept only where a row goes: what the paper reads off the tree includes combinations
 * that no URL has. And the contexts are also found for each class by itself, without joining nodes: joining makes what
 * comes later in the order wild, which finds general rules and spoils precise ones; coverage and precision choose.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/tree/class.h"

/* A key, and how much it tells of the class. */
typedef struct gain {
    double   rest;     /* entropy of the class that is left when the key is known */
    uint32_t distinct; /* values */
    uint32_t id;
    uint32_t use, nuse; /* classes that have it, in dp_tree_forest.use */
} gain;

/* A class has a key. */
typedef struct use {
    uint32_t id, of, key;
} use;

typedef struct forest {
    dp_tree_classes *c;
    uint32_t         least;
    use             *use;  /* [nuse] by key */
    uint32_t         nuse, use_cap;
    gain            *gain; /* [c->nid] */
    dp_keyed        *keyed, *tmp; /* [rows] */
    uint32_t        *class_of; /* [rows] */
    uint64_t        *wild;     /* [rows] */
    /* nodes */
    uint32_t        *node;     /* [rows] */
    dp_ordinals      nodes;
    uint32_t         node_cap;
    uint32_t        *seen;     /* [node_cap] class that the node has met at this key, + 1 */
    uint32_t        *range_of; /* [node_cap] range of the node at this key, + 1 */
    uint32_t        *value;    /* [nrange][wild + 2]: how many, then the values */
    uint32_t         nrange;
    size_t           value_cap;
    uint32_t        *met;      /* nodes that have a range */
    uint32_t         nmet, met_cap;
} forest;

static bool is_in(const forest *f, const dp_tree_class *k)
{
    return k->nrow >= f->least;
}

static uint32_t cell_at(const dp_tree_class *k, uint32_t row, uint32_t key)
{
    return k->cell[(size_t)row * k->nkey + key];
}

/* ---- values of a class --------------------------------------------------------------------------------- */

static bool no_majority(dp_tree_classes *c, const dp_tree_class *k, uint32_t key, bool *wild)
{
    uint32_t *v = malloc(((size_t)k->nrow + 1) * sizeof *v), most = 0;
    if (!v)
        return false;
    for (uint32_t i = 0; i < k->nrow; i++)
        v[i] = cell_at(k, i, key);
    dp_tree_entropy(v, k->nrow); /* sorts */
    for (uint32_t i = 0, j; i < k->nrow; i = j) {
        for (j = i + 1; j < k->nrow && v[j] == v[i]; j++) {}
        most = j - i > most ? j - i : most;
    }
    *wild = (double)most < c->o->majority * (double)k->nrow;
    free(v);
    return true;
}

/* Add a value to a list of at most `wild` + 1; true when it is full. */
static bool add_value(uint32_t *v, uint32_t *n, uint32_t value, uint32_t wild)
{
    for (uint32_t i = *n; i-- > 0;)
        if (v[i] == value)
            return *n > wild;
    if (*n <= wild)
        v[(*n)++] = value;
    return *n > wild;
}

static dp_err find_ranges(dp_tree_classes *c, dp_tree_class *k)
{
    uint32_t wild = c->o->wild;
    k->range = DP_NEWS(&c->arena, k->nkey, dp_tree_range);
    if (!k->range)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < k->nkey; i++) {
        dp_tree_range *r = &k->range[i];
        r->v = DP_NEWS(&c->arena, (size_t)(wild < k->nrow ? wild : k->nrow) + 1, uint32_t);
        if (!r->v)
            return DP_ENOMEM;
        for (uint32_t j = 0; j < k->nrow && !r->wild; j++)
            r->wild = dp_tree_counts(&k->key[i], cell_at(k, j, i)) && add_value(r->v, &r->n, cell_at(k, j, i), wild);
        if (c->o->majority > 0 && !no_majority(c, k, i, &r->wild))
            return DP_ENOMEM;
    }
    return DP_OK;
}

/* ---- keys of all classes, and their order ------------------------------------------------------------------- */

static dp_err add_use(forest *f, uint32_t of, uint32_t key)
{
    if (!DP_ROOM(f->use, f->nuse, f->use_cap))
        return DP_ENOMEM;
    f->use[f->nuse++] = (use){0, of, key};
    return DP_OK;
}

static const dp_tree_key *key_of(const forest *f, const use *u)
{
    return &f->c->v[u->of].key[u->key];
}

static int key_cmp(const dp_tree_key *a, const dp_tree_key *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    if (a->deep != b->deep)
        return a->deep < b->deep ? -1 : 1;
    return a->deep == DP_TREE_WHOLE || a->deep == DP_TREE_PATTERN ? 0 : (int)a->from_end - (int)b->from_end;
}

static int by_key(const void *x, const void *y, void *forest_)
{
    const forest *f = forest_;
    const use    *a = x, *b = y;
    int           c = key_cmp(key_of(f, a), key_of(f, b));
    return c ? c : (a->of > b->of) - (a->of < b->of);
}

/* Number the keys; equal ones of all classes alike. */
static dp_err list_keys(forest *f)
{
    dp_tree_classes *c = f->c;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; is_in(f, &c->v[i]) && k < c->v[i].nkey; k++)
            DP_TRY(add_use(f, i, k));
    if (f->nuse)
        qsort_r(f->use, f->nuse, sizeof *f->use, by_key, f);
    for (uint32_t i = 0; i < f->nuse; i++) {
        bool same = i && key_cmp(key_of(f, &f->use[i - 1]), key_of(f, &f->use[i])) == 0;
        c->nid += !same;
        f->use[i].id = c->nid - 1;
        c->v[f->use[i].of].key[f->use[i].key].id = c->nid - 1;
    }
    f->gain = calloc((size_t)c->nid + 1, sizeof *f->gain);
    if (!f->gain)
        return DP_ENOMEM;
    for (uint32_t i = f->nuse; i-- > 0;) {
        f->gain[f->use[i].id].id = f->use[i].id;
        f->gain[f->use[i].id].use = i;
        f->gain[f->use[i].id].nuse++;
    }
    return DP_OK;
}

static double part(double n, double of)
{
    return n / of * log2(n / of);
}

/* H(class | key) over the rows that have the key: sort by (value, class), and add up the runs. */
static void measure(forest *f, gain *g)
{
    const dp_tree_classes *c = f->c;
    size_t                 n = 0;
    if (g->nuse == 1) { /* one class: nothing to tell; only the number of values is asked for */
        g->distinct = c->v[f->use[g->use].of].range[f->use[g->use].key].n;
        return;
    }
    for (uint32_t i = g->use; i < g->use + g->nuse; i++) {
        const dp_tree_class *k = &c->v[f->use[i].of];
        for (uint32_t j = 0; j < k->nrow; j++)
            f->keyed[n++].key = (uint64_t)cell_at(k, j, f->use[i].key) << 32 | f->use[i].of;
    }
    dp_keyed_sort(f->keyed, f->tmp, n, UINT64_MAX);
    double rest = 0;
    for (size_t i = 0, j; i < n; i = j) {
        uint32_t value = (uint32_t)(f->keyed[i].key >> 32);
        double   bits = 0;
        for (j = i; j < n && f->keyed[j].key >> 32 == value; j++) {}
        for (size_t a = i, b; a < j; a = b) {
            for (b = a + 1; b < j && f->keyed[b].key == f->keyed[a].key; b++) {}
            bits -= part((double)(b - a), (double)(j - i));
        }
        rest += (double)(j - i) / (double)n * bits;
        g->distinct++;
    }
    g->rest = rest;
}

/* Most gain first; of equal ones more values, then place. */
static int by_gain(const void *x, const void *y)
{
    const gain *a = x, *b = y;
    if (fabs(a->rest - b->rest) > 1e-9)
        return a->rest < b->rest ? -1 : 1;
    if (a->distinct != b->distinct)
        return a->distinct > b->distinct ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

/* The node (key, value); value UINT32_MAX is any. */
static dp_err node_of(forest *f, uint32_t id, uint32_t value, uint32_t *out)
{
    uint32_t cap = f->node_cap;
    bool     fresh;
    if (!DP_ROOM(f->seen, f->nodes.n, cap) || !DP_ROOM(f->range_of, f->nodes.n, f->node_cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&f->nodes, dp_tree_mix(dp_tree_mix(id + 1u, 17), value + 1u), out, &fresh));
    if (fresh)
        f->seen[*out] = f->range_of[*out] = 0;
    return DP_OK;
}

/* Values of the key in the class, added to those of the node. */
static dp_err meet(forest *f, uint32_t node, const dp_tree_range *r)
{
    uint32_t wild = f->c->o->wild, width = wild + 2;
    if (!f->range_of[node]) {
        if (!DP_ROOM_FOR(f->value, ((size_t)f->nrange + 1) * width, f->value_cap) ||
            !DP_ROOM(f->met, f->nmet, f->met_cap))
            return DP_ENOMEM;
        f->met[f->nmet++] = node;
        f->value[(size_t)f->nrange * width] = 0;
        f->range_of[node] = ++f->nrange;
    }
    uint32_t *v = f->value + (size_t)(f->range_of[node] - 1) * width;
    if (r->wild)
        *v = wild + 1;
    for (uint32_t i = 0; i < r->n && *v <= wild; i++)
        add_value(v + 1, v, r->v[i], wild);
    return DP_OK;
}

static uint32_t row_number(const dp_tree_class *k, uint32_t i)
{
    return k->row + i;
}

/* One key: every row that has it goes on to its next node. */
static dp_err descend(forest *f, const gain *g)
{
    const dp_tree_classes *c = f->c;
    uint32_t               wild = c->o->wild, last = 0, node_of_last = UINT32_MAX;
    for (uint32_t i = g->use; i < g->use + g->nuse; i++) {
        const dp_tree_class *k = &c->v[f->use[i].of];
        for (uint32_t j = 0; j < k->nrow; j++) {
            uint32_t node = f->node[row_number(k, j)];
            if (f->seen[node] == f->use[i].of + 1)
                continue;
            f->seen[node] = f->use[i].of + 1;
            DP_TRY(meet(f, node, &k->range[f->use[i].key]));
        }
    }
    for (uint32_t i = g->use; i < g->use + g->nuse; i++) {
        const dp_tree_class *k = &c->v[f->use[i].of];
        for (uint32_t j = 0; j < k->nrow; j++) {
            uint32_t *node = &f->node[row_number(k, j)], value = cell_at(k, j, f->use[i].key);
            bool      many = f->value[(size_t)(f->range_of[*node] - 1) * (wild + 2)] > wild;
            if (many)
                f->wild[row_number(k, j)] |= (uint64_t)1 << f->use[i].key;
            /* New nodes have no range yet: range_of is read before they are made, and this row is done. */
            value = many ? UINT32_MAX : value;
            if (node_of_last == UINT32_MAX || value != last) /* rows of a class mostly agree */
                DP_TRY(node_of(f, g->id, value, &node_of_last));
            last = value;
            *node = node_of_last;
        }
    }
    for (uint32_t i = 0; i < f->nmet; i++) {
        f->range_of[f->met[i]] = 0;
        f->seen[f->met[i]] = 0;
    }
    f->nmet = f->nrange = 0;
    return DP_OK;
}

/* ---- contexts --------------------------------------------------------------------------------------------- */

/* A wildcard matches no empty value: those stay as they are. */
static uint64_t context_hash(const forest *f, const dp_tree_class *k, uint32_t row, uint64_t *wild, uint64_t seed)
{
    uint64_t hash = seed;
    for (uint32_t i = 0; i < k->nkey; i++) {
        uint32_t value = cell_at(k, row, i);
        bool     covered = dp_tree_is_covered(k, i, *wild);
        if (covered || !dp_tree_can_be_any(f->c, &k->key[i], value))
            *wild &= ~((uint64_t)1 << i);
        if (covered)
            continue;
        hash = dp_tree_mix(hash, *wild >> i & 1 ? 3 : (uint64_t)k->key[i].id << 34 | (uint64_t)value << 2);
    }
    return hash;
}

static dp_err add_context(dp_tree_contexts *out, dp_tree_context one)
{
    if (!DP_ROOM(out->v, out->n, out->cap))
        return DP_ENOMEM;
    out->v[out->n++] = one;
    return DP_OK;
}

/* Whether some value of the row fits no pattern, and only few of the class do so. */
static bool is_unlike(const dp_tree_class *k, uint32_t row)
{
    for (uint32_t i = 0; i < k->nkey; i++)
        if (k->key[i].deep == DP_TREE_PATTERN && cell_at(k, row, i) == DP_TREE_UNLIKE)
            return true;
    return false;
}

/* Rows with one hash share a context. With `joined` classes of one family do, too, and then its literals differ. */
static dp_err collect(dp_tree_contexts *out, forest *f, bool joined)
{
    const dp_tree_classes *c = f->c;
    size_t                 n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const dp_tree_class *k = &c->v[i];
        bool                 family = joined && k->family && !k->pooled;
        for (uint32_t j = 0; is_in(f, k) && j < k->nrow; j++) {
            uint32_t row = row_number(k, j);
            if (is_unlike(k, j))
                continue;
            f->keyed[n++] = (dp_keyed){context_hash(f, k, j, &f->wild[row], family ? k->family : k->hash), row};
        }
    }
    dp_keyed_sort(f->keyed, f->tmp, n, UINT64_MAX);
    for (size_t i = 0, j; i < n; i = j) {
        uint32_t        row = f->keyed[i].item, of = f->class_of[row];
        dp_tree_context x = {.hash = f->keyed[i].key, .wild = f->wild[row], .of = of, .row = row - c->v[of].row,
                             .joined = joined};
        for (j = i; j < n && f->keyed[j].key == f->keyed[i].key; j++) {
            x.support++;
            x.star |= f->class_of[f->keyed[j].item] != of;
        }
        if (x.support >= f->least)
            DP_TRY(add_context(out, x));
    }
    return DP_OK;
}

static void start(forest *f, bool joined)
{
    const dp_tree_classes *c = f->c;
    for (uint32_t i = 0; i < c->n; i++) {
        const dp_tree_class *k = &c->v[i];
        uint64_t             wild = 0;
        for (uint32_t j = 0; is_in(f, k) && !joined && j < k->nkey; j++)
            wild |= (uint64_t)k->range[j].wild << j;
        for (uint32_t j = 0; is_in(f, k) && j < k->nrow; j++) {
            f->wild[row_number(k, j)] = wild;
            f->class_of[row_number(k, j)] = i;
            f->node[row_number(k, j)] = i;
        }
    }
}

static dp_err grow_tree(dp_tree_contexts *out, forest *f)
{
    dp_tree_classes *c = f->c;
    for (uint32_t i = 0; i < c->n; i++)
        if (is_in(f, &c->v[i])) {
            DP_TRY(dp_tree_class_lay(c, &c->v[i]));
            DP_TRY(find_ranges(c, &c->v[i]));
        }
    DP_TRY(list_keys(f));
    start(f, false);
    DP_TRY(collect(out, f, false));
    for (uint32_t i = 0; i < c->nid; i++)
        measure(f, &f->gain[i]);
    qsort(f->gain, c->nid, sizeof *f->gain, by_gain);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t leaf;
        DP_TRY(node_of(f, UINT32_MAX - 1, i, &leaf)); /* leaves have the numbers of their classes */
    }
    start(f, true);
    for (uint32_t i = 0; i < c->nid; i++)
        DP_TRY(descend(f, &f->gain[i]));
    return collect(out, f, true);
}

dp_err dp_tree_contexts_find(dp_tree_contexts *out, dp_tree_classes *c, uint32_t least)
{
    forest f = {.c = c, .least = least ? least : 1};
    size_t rows = (size_t)c->nrow + 1;
    f.keyed = malloc(rows * sizeof *f.keyed);
    f.tmp = malloc(rows * sizeof *f.tmp);
    f.class_of = malloc(rows * sizeof *f.class_of);
    f.wild = malloc(rows * sizeof *f.wild);
    f.node = malloc(rows * sizeof *f.node);
    dp_err code = DP_ENOMEM;
    if (f.keyed && f.tmp && f.class_of && f.wild && f.node)
        code = grow_tree(out, &f);
    free(f.use);
    free(f.gain);
    free(f.keyed);
    free(f.tmp);
    free(f.class_of);
    free(f.wild);
    free(f.node);
    dp_ordinals_done(&f.nodes);
    free(f.seen);
    free(f.range_of);
    free(f.value);
    free(f.met);
    return code;
}
