/* The keys of a class, and the values of its rows.
 *
 * Where the sources of a class are of different depth, some segments are named from the start and some from the end,
 * and what lies between is not looked at. Of the ways to divide them that leave every segment named which the
 * transformation speaks of, the one with the least entropy of the named values is taken: those are the ones that the
 * sources have in common.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "learn/tree/class.h"

enum { SAMPLE = 512 /* rows that entropies are taken from */ };

double dp_tree_entropy(uint32_t *v, size_t n)
{
    double bits = 0;
    qsort(v, n, sizeof *v, dp_by_number);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j] == v[i]; j++) {}
        double p = (double)(j - i) / (double)n;
        bits -= p * log2(p);
    }
    return bits;
}

/* ---- where the path is divided -------------------------------------------------------------------------------- */

typedef struct depths {
    uint32_t least, most;
} depths;

static const dp_tree_url *url_of(const dp_tree_classes *c, const dp_tree_class *k, uint32_t row)
{
    return &c->h->url[c->row[k->row + row]];
}

static uint32_t depth_of(const dp_tree_classes *c, const dp_tree_url *u)
{
    return dp_tree_shape_of(c->h, u)->nseg;
}

static depths depths_of(const dp_tree_classes *c, const dp_tree_class *k)
{
    depths d = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < k->nrow; i++) {
        uint32_t depth = depth_of(c, url_of(c, k, i));
        d.least = depth < d.least ? depth : d.least;
        d.most = depth > d.most ? depth : d.most;
    }
    return d;
}

bool dp_tree_from_start(const dp_tree_class *k, const dp_tree_edit *t, uint32_t slot)
{
    bool by_start = k->exact || k->end != DP_TREE_FROM_END;
    if (!t->path || k->exact || k->end == DP_TREE_START_ALONE)
        return by_start;
    return slot < t->keep || (slot < t->keep + t->gone && by_start);
}

/* Segments that the transformation needs named, from either end. */
static void need(const dp_tree_class *k, const dp_tree_edit *t, uint32_t m, uint32_t slot, uint32_t *start,
                 uint32_t *end)
{
    bool from_start = dp_tree_from_start(k, t, slot);
    if (slot >= m)
        return;
    if (from_start && slot + 1 > *start)
        *start = slot + 1;
    if (!from_start && m - slot > *end)
        *end = m - slot;
}

static void needs(const dp_tree_classes *c, const dp_tree_class *k, const dp_tree_edit *t, uint32_t *start,
                  uint32_t *end)
{
    uint32_t m = depth_of(c, t->u);
    *start = t->path && k->end == DP_TREE_FROM_START ? t->keep + t->gone : 0;
    *end = t->path && k->end == DP_TREE_FROM_END ? t->keep_end + t->gone : 0;
    for (uint32_t i = 0; i < t->ncome + t->npair_out; i++) {
        const dp_tree_out *out = i < t->ncome ? &t->come[i] : &t->pair_out[i - t->ncome];
        size_t             n = out->pattern ? c->h->pattern[out->pattern].npiece : 1;
        for (size_t j = 0; j < n; j++)
            if (out->piece[j].is_ref)
                need(k, t, m, out->piece[j].ref.slot, start, end);
    }
}

/* Entropy of segment `at` from the start, or from the end, over a sample of the rows. */
static double segment_entropy(const dp_tree_classes *c, const dp_tree_class *k, uint32_t at, bool from_end)
{
    uint32_t v[SAMPLE], n = 0, step = k->nrow / SAMPLE + 1;
    for (uint32_t i = 0; i < k->nrow; i += step) {
        const dp_tree_url *u = url_of(c, k, i);
        v[n++] = dp_tree_value_at(c->h, u, from_end ? depth_of(c, u) - 1 - at : at);
    }
    return dp_tree_entropy(v, n);
}

static void divide(const dp_tree_classes *c, dp_tree_class *k, const dp_tree_edit *t)
{
    depths   d = depths_of(c, k);
    uint32_t start, end;
    k->exact = d.least == d.most;
    if (k->exact) {
        k->nstart = d.least;
        return;
    }
    if (k->end == DP_TREE_START_ALONE) { /* --forward-only */
        k->nstart = d.least;
        return;
    }
    needs(c, k, t, &start, &end);
    double from_start[DP_TREE_SEGMENTS + 1] = {0}, from_end[DP_TREE_SEGMENTS + 1] = {0}; /* of the first n */
    for (uint32_t i = 0; i < d.least; i++) {
        from_start[i + 1] = from_start[i] + segment_entropy(c, k, i, false);
        from_end[i + 1] = from_end[i] + segment_entropy(c, k, i, true);
    }
    k->nstart = d.least - end;
    for (uint32_t s = d.least - end; s-- > start;)
        if (from_start[s] + from_end[d.least - s] < from_start[k->nstart] + from_end[d.least - k->nstart] - 1e-9)
            k->nstart = s;
    k->nend = d.least - k->nstart;
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

/* The slot of a key in a URL, UINT32_MAX: it has none. */
static uint32_t slot_of(const dp_tree_classes *c, const dp_tree_url *u, const dp_tree_key *key)
{
    const dp_tree_shape *s = dp_tree_shape_of(c->h, u);
    if (key->kind == DP_TREE_PAIR)
        return dp_tree_find_pair(c->h, s, (dp_tree_name){key->at, key->nth});
    return key->kind == DP_TREE_START ? key->at : s->nseg - 1 - key->at;
}

typedef struct key_list {
    dp_tree_key v[DP_TREE_KEYS];
    uint32_t    n;
    bool        cut;
} key_list;

/* What the rows of a class have at a place. */
typedef struct place {
    bool deep[UINT8_MAX + 1]; /* tokens, by their place */
    bool some, none;          /* values that fit a pattern; that do not */
} place;

static void look_at(place *out, const dp_tree_classes *c, const dp_tree_class *k, const dp_tree_key *key)
{
    dp_str piece[DP_ANCHOR_PIECES];
    for (uint32_t i = 0; i < k->nrow; i++) {
        const dp_tree_url *u = url_of(c, k, i);
        uint32_t           slot = slot_of(c, u, key);
        uint32_t           pattern = slot == UINT32_MAX ? 0 : dp_tree_pattern_of(c->h, u, slot, piece);
        out->none |= !pattern;
        out->some |= pattern != 0;
        for (size_t j = 0; pattern && j < c->h->pattern[pattern].npiece; j++)
            out->deep[dp_anchor_place(&c->h->pattern[pattern], j, key->from_end)] = true;
    }
}

static void push_key(key_list *l, dp_tree_key key, uint8_t deep)
{
    key.deep = deep;
    l->v[l->n++] = key;
}

/* The keys of a place: pattern, whole value, deep tokens; where there is no room for those, or no pattern, the whole
 * value alone. */
static void add_key(key_list *l, const dp_tree_classes *c, const dp_tree_class *k, dp_tree_key key)
{
    place  p = {.none = key.kind == DP_TREE_SCHEME};
    size_t more = 0;
    key.first = l->n;
    key.from_end = k->end == DP_TREE_FROM_END;
    if (key.kind != DP_TREE_SCHEME)
        look_at(&p, c, k, &key);
    for (size_t i = 1; i < DP_TREE_PATTERN; i++)
        more += p.deep[i];
    bool deep = p.some && l->n + 2 + more <= DP_TREE_KEYS;
    if (l->n == DP_TREE_KEYS) {
        l->cut = true;
        return;
    }
    if (deep)
        push_key(l, key, DP_TREE_PATTERN);
    if (p.none || !deep)
        push_key(l, key, DP_TREE_WHOLE);
    for (unsigned i = 1; deep && i < DP_TREE_PATTERN; i++)
        if (p.deep[i])
            push_key(l, key, (uint8_t)i);
}

static bool has_pair(const key_list *l, dp_tree_name name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].kind == DP_TREE_PAIR && l->v[i].at == name.name && l->v[i].nth == name.nth)
            return true;
    return false;
}

static void add_pairs(key_list *l, const dp_tree_classes *c, const dp_tree_class *k)
{
    uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i < k->nrow; i++) {
        const dp_tree_url   *u = url_of(c, k, i);
        const dp_tree_shape *s = dp_tree_shape_of(c->h, u);
        if (u->shape == before)
            continue;
        before = u->shape;
        for (uint32_t j = 0; j < s->npair; j++) {
            dp_tree_name name = c->h->names[s->name + j];
            if (!has_pair(l, name))
                add_key(l, c, k, (dp_tree_key){.kind = DP_TREE_PAIR, .at = name.name, .nth = name.nth});
        }
    }
}

static void list_keys(key_list *l, const dp_tree_classes *c, const dp_tree_class *k)
{
    add_key(l, c, k, (dp_tree_key){.kind = DP_TREE_SCHEME});
    for (uint32_t i = 0; i < k->nstart; i++)
        add_key(l, c, k, (dp_tree_key){.kind = DP_TREE_START, .at = i});
    for (uint32_t i = k->nend; i-- > 0;)
        add_key(l, c, k, (dp_tree_key){.kind = DP_TREE_END, .at = i});
    add_pairs(l, c, k);
}

/* ---- cells --------------------------------------------------------------------------------------------------- */

/* The cells of a place with patterns, from cell[0] on: its keys stand side by side. */
static dp_err fill_deep(dp_tree_classes *c, const dp_tree_key *key, size_t nkey, const dp_tree_url *u, uint32_t *cell)
{
    dp_str   piece[DP_ANCHOR_PIECES];
    uint32_t slot = slot_of(c, u, key), value = slot == UINT32_MAX ? DP_TREE_ABSENT : dp_tree_value_at(c->h, u, slot);
    uint32_t pattern = value > DP_TREE_EMPTY ? dp_tree_pattern_of(c->h, u, slot, piece) : 0;
    const dp_anchor_pattern *p = &c->h->pattern[pattern];
    memset(cell, 0, nkey * sizeof *cell); /* DP_TREE_ABSENT */
    if (value <= DP_TREE_EMPTY)
        cell[0] = value;
    else
        cell[0] = dp_tree_is_solid(&c->h->values, value) ? dp_tree_fits(pattern, false) : (uint32_t)DP_TREE_UNLIKE;
    for (size_t i = 1; i < nkey; i++) {
        if (key[i].deep == DP_TREE_WHOLE && !pattern)
            cell[i] = value;
        for (size_t j = 0; pattern && j < p->npiece; j++) {
            if (dp_anchor_place(p, j, key->from_end) != key[i].deep)
                continue;
            if (!(cell[i] = dp_tree_value_of(&c->h->values, piece[j])))
                return DP_ENOMEM;
        }
    }
    return DP_OK;
}

/* The values of one row. */
static dp_err fill_row(dp_tree_classes *c, const dp_tree_class *k, const dp_tree_url *u, uint32_t *cell)
{
    for (uint32_t i = 0, n; i < k->nkey; i += n) {
        const dp_tree_key *key = &k->key[i];
        for (n = 1; i + n < k->nkey && k->key[i + n].first == i; n++) {}
        if (key->deep == DP_TREE_PATTERN) {
            DP_TRY(fill_deep(c, key, n, u, cell + i));
            continue;
        }
        uint32_t slot = key->kind == DP_TREE_SCHEME ? 0 : slot_of(c, u, key);
        if (key->kind == DP_TREE_SCHEME)
            cell[i] = u->scheme + (uint32_t)DP_TREE_EMPTY + 1; /* no value of a text, but solid */
        else
            cell[i] = slot == UINT32_MAX ? (uint32_t)DP_TREE_ABSENT : dp_tree_value_at(c->h, u, slot);
    }
    return DP_OK;
}

static int by_count(const void *x, const void *y)
{
    const dp_keyed *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

/* Mark patterns that few rows fit, and rows that fit none where they are few. */
static dp_err mark_rare(const dp_tree_classes *c, const dp_tree_class *k, uint32_t key)
{
    dp_keyed *v = malloc(2 * ((size_t)k->nrow + 1) * sizeof *v), *group = v + k->nrow;
    uint32_t  left = (uint32_t)(c->o->unlike * (double)k->nrow), n = 0;
    if (!v)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < k->nrow; i++)
        v[i] = (dp_keyed){k->cell[(size_t)i * k->nkey + key], i};
    dp_keyed_sort(v, group, k->nrow, UINT32_MAX);
    for (size_t i = 0, j; i < k->nrow; i = j) { /* what few rows have first */
        j = dp_keyed_end(v, k->nrow, i);
        if (v[i].key >= DP_TREE_FITS)
            group[n++] = (dp_keyed){(uint64_t)(j - i) << 32 | v[i].key, (uint32_t)i};
    }
    qsort(group, n, sizeof *group, by_count);
    for (uint32_t i = 0; i + 1 < n && group[i].key >> 32 <= left; i++) {
        uint32_t rows = (uint32_t)(group[i].key >> 32), pattern = dp_tree_fitting((uint32_t)group[i].key);
        uint32_t mark = pattern ? dp_tree_fits(pattern, true) : (uint32_t)DP_TREE_UNLIKE;
        left -= rows;
        for (uint32_t j = group[i].item; j < group[i].item + rows; j++)
            k->cell[(size_t)v[j].item * k->nkey + key] = mark;
    }
    free(v);
    return DP_OK;
}

dp_err dp_tree_class_lay(dp_tree_classes *c, dp_tree_class *k)
{
    key_list      l = {.n = 0};
    bool          sayable;
    dp_tree_edit *t = malloc(sizeof *t);
    if (!t)
        return DP_ENOMEM;
    dp_err code = dp_tree_edit_make(t, &c->editor, k->u, k->v, &sayable);
    if (code == DP_OK)
        divide(c, k, t);
    free(t);
    DP_TRY(code);
    list_keys(&l, c, k);
    k->nkey = l.n;
    k->cut = l.cut;
    k->key = DP_NEWS(&c->arena, l.n, dp_tree_key);
    k->cell = dp_arena_alloc(&c->arena, (size_t)k->nrow * l.n * sizeof *k->cell);
    if (!k->key || !k->cell)
        return DP_ENOMEM;
    memcpy(k->key, l.v, l.n * sizeof *k->key);
    for (uint32_t i = 0; i < k->nrow; i++)
        DP_TRY(fill_row(c, k, url_of(c, k, i), k->cell + (size_t)i * l.n));
    for (uint32_t i = 0; i < l.n; i++)
        if (k->key[i].deep == DP_TREE_PATTERN)
            DP_TRY(mark_rare(c, k, i));
    return DP_OK;
}
