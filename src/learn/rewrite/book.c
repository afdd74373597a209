/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/book.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/intern.h"
#include "base/keyed.h"
#include "base/room.h"

/* ---- texts to numbers ------------------------------------------------------------------------ */

typedef struct values {
    dp_str   *text; /* [n]; those before DP_V_FIRST are empty */
    uint64_t *hash; /* [n - DP_V_FIRST] */
    uint32_t  n;
    size_t    cap;
    dp_index  index; /* of those from DP_V_FIRST on */
} values;

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const values *)self)->hash[number];
}

static dp_err number_text(uint32_t *out, values *v, dp_str s)
{
    uint32_t i;
    size_t   cap = v->cap;
    if (v->n >= INT32_MAX)
        return DP_ELIMIT;
    if (!DP_ROOM(v->text, v->n, cap) || !DP_ROOM(v->hash, v->n, v->cap) || !dp_index_room(&v->index, hash_of, v))
        return DP_ENOMEM;
    uint64_t      hash = dp_hash_str(s);
    dp_index_walk w = dp_index_from(&v->index, hash);
    while (dp_index_next(&w, &i)) {
        *out = DP_V_FIRST + i;
        if (dp_str_eq(v->text[*out], s))
            return DP_OK;
    }
    v->hash[dp_index_end(&v->index, &w)] = hash;
    v->text[v->n] = s;
    *out = v->n++;
    return DP_OK;
}

/* ---- one URL --------------------------------------------------------------------------------- */

/* A key as it stood in the URL before: sorted URLs mostly repeat it. */
typedef struct seen {
    uint8_t  kind;
    uint32_t x, nth;
    dp_str   name, text;
    bool     has_eq;
    dp_cell  cell;
} seen;

typedef struct builder {
    dp_book      *b;
    dp_arena     *a;
    values        values;
    dp_intern     names;
    dp_book_key  *key;
    size_t        key_cap;
    dp_cell      *cell;
    size_t        ncell, cell_cap;
    seen          last[DP_BOOK_KEYS];
    uint32_t      nlast;
    dp_frame      frame;
    dp_arena      scratch;
    dp_buf        text;
} builder;

static dp_err number_key(uint32_t *out, builder *w, const seen *k)
{
    dp_buf_reset(&w->text);
    dp_buf_printf(&w->text, "%u %u %u ", k->kind, k->x, k->nth);
    dp_buf_str(&w->text, k->name);
    if (w->text.failed)
        return DP_ENOMEM;
    if (dp_intern_find(&w->names, dp_buf_view(&w->text), out))
        return DP_OK;
    if (!DP_ROOM(w->key, w->b->nkey, w->key_cap))
        return DP_ENOMEM;
    *out = w->b->nkey;
    if (!dp_intern_add(&w->names, dp_buf_view(&w->text), *out))
        return DP_ENOMEM;
    w->key[w->b->nkey++] = (dp_book_key){.kind = k->kind, .x = k->x, .nth = k->nth, .name = k->name};
    return DP_OK;
}

static bool is_parameter(uint8_t kind)
{
    return kind == DP_K_PARAM || kind == DP_K_PAIR;
}

static dp_err number_cell(builder *w, seen *k, uint32_t place)
{
    const seen *p = &w->last[place];
    bool        same_key = place < w->nlast && p->kind == k->kind && p->x == k->x && p->nth == k->nth &&
                    dp_str_eq(p->name, k->name);
    if (same_key && p->has_eq == k->has_eq && dp_str_eq(p->text, k->text)) {
        k->cell = p->cell;
        return DP_OK;
    }
    if (same_key)
        k->cell.key = p->cell.key;
    else
        DP_TRY(number_key(&k->cell.key, w, k));
    if (is_parameter(k->kind) && !k->has_eq)
        k->cell.val = DP_V_BARE;
    else if (k->text.n == 0)
        k->cell.val = DP_V_EMPTY;
    else
        DP_TRY(number_text(&k->cell.val, &w->values, k->text));
    return DP_OK;
}

/* Keys of the URL into `last`; false when no rule can speak of it. */
static dp_err read_url(builder *w, dp_str url, bool *usable)
{
    dp_keys  keys;
    uint32_t n = 0;
    *usable = false;
    dp_frame_result got = dp_frame_read(&w->frame, url);
    if (got == DP_FRAME_NOMEM)
        return DP_ENOMEM;
    if (got != DP_FRAME_OK || w->frame.user_end || (url.n && memchr(url.p, '*', url.n)))
        return DP_OK;
    dp_arena_reset(&w->scratch);
    DP_TRY(dp_keys_read(&keys, &w->frame, &w->scratch));
    for (uint32_t i = 0; i < keys.n; i++) {
        const dp_key *key = &keys.v[i];
        seen          k = {.kind = key->kind, .x = key->x, .nth = key->nth, .has_eq = key->has_eq,
                           .name = dp_key_name(&keys, key), .text = dp_key_value(&keys, key)};
        if (key->kind == DP_K_PORT)
            continue;
        if (n == DP_BOOK_KEYS)
            return DP_OK;
        if (key->kind == DP_K_HOST && w->frame.port >= 0)
            k.text.n = w->frame.path - w->frame.host;
        DP_TRY(number_cell(w, &k, n));
        w->last[n++] = k;
    }
    w->nlast = n;
    *usable = true;
    return DP_OK;
}

static dp_err add_map(builder *w, uint32_t url, uint32_t cluster)
{
    dp_book *b = w->b;
    if (!DP_ROOM_FOR(w->cell, w->ncell + w->nlast, w->cell_cap))
        return DP_ENOMEM;
    if (w->ncell + w->nlast > UINT32_MAX)
        return DP_ELIMIT;
    dp_cell *c = w->cell + w->ncell;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < w->nlast; i++) {
        dp_cell  one = w->last[i].cell;
        uint32_t j = i;
        for (; j > 0 && c[j - 1].key > one.key; j--)
            c[j] = c[j - 1];
        c[j] = one;
        hash += dp_cell_hash(one.key, one.val);
    }
    w->ncell += w->nlast;
    b->url[b->n] = url;
    b->cluster[b->n] = cluster;
    b->hash[b->n] = hash;
    b->at[++b->n] = (uint32_t)w->ncell;
    return DP_OK;
}

/* ---- whole ----------------------------------------------------------------------------------- */

/* Of maps that are equal the first stays. */
static dp_err join_orders(dp_book *b, dp_cell *cell, const dp_site *s)
{
    size_t    n = b->n;
    dp_keyed *v = calloc(n + 1, sizeof *v), *tmp = calloc(n + 1, sizeof *tmp);
    uint8_t  *gone = calloc(n + 1, 1);
    dp_err    e = v && tmp && gone ? DP_OK : DP_ENOMEM;
    bool      any = false;
    if (e == DP_OK) {
        for (size_t i = 0; i < n; i++)
            v[i] = (dp_keyed){b->hash[i], (uint32_t)i};
        dp_keyed_group(v, tmp, n);
        for (size_t i = 0, j; i < n; i = j) {
            uint32_t first = v[i].item;
            for (j = i + 1; j < n && v[j].key == v[i].key; j++)
                first = v[j].item < first ? v[j].item : first;
            for (size_t k = i; k < j; k++) {
                if (v[k].item == first)
                    continue;
                gone[v[k].item] = any = true;
                if (s->url[b->url[v[k].item]].n == s->url[b->url[first]].n) /* else one has no scheme */
                    *(b->cluster[v[k].item] == b->cluster[first] ? &b->orders.same : &b->orders.other) += 1;
            }
        }
    }
    uint32_t m = 0, at = 0;
    for (uint32_t i = 0; e == DP_OK && any && i < n; i++) {
        uint32_t from = b->at[i], to = b->at[i + 1];
        if (gone[i])
            continue;
        memmove(cell + at, cell + from, (to - from) * sizeof *cell);
        at += to - from;
        b->url[m] = b->url[i];
        b->cluster[m] = b->cluster[i];
        b->hash[m] = b->hash[i];
        b->at[++m] = at;
    }
    b->n = any ? m : b->n;
    free(v);
    free(tmp);
    free(gone);
    return e;
}

static int by_rank(const void *l, const void *r, void *keys)
{
    const dp_book_key *x = (const dp_book_key *)keys + *(const uint32_t *)l;
    const dp_book_key *y = (const dp_book_key *)keys + *(const uint32_t *)r;
    int px = is_parameter(x->kind) + (x->kind == DP_K_PAIR), py = is_parameter(y->kind) + (y->kind == DP_K_PAIR);
    if (px != py)
        return px - py;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    int c = dp_str_cmp(x->name, y->name);
    return c ? c : (x->nth > y->nth) - (x->nth < y->nth);
}

static dp_err rank_keys(dp_book *b)
{
    uint32_t *order = calloc(b->nkey + 1u, sizeof *order);
    if (!order)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < b->nkey; i++)
        order[i] = i;
    qsort_r(order, b->nkey, sizeof *order, by_rank, b->key);
    for (uint32_t i = 0; i < b->nkey; i++)
        b->key[order[i]].rank = i;
    free(order);
    return DP_OK;
}

static void *keep(dp_arena *a, const void *p, size_t n)
{
    void *copy = dp_arena_alloc(a, n);
    if (copy && n)
        memcpy(copy, p, n);
    return copy;
}

static dp_err fill(builder *w, const dp_site *s)
{
    dp_book *b = w->b;
    seen     origin[] = {{.kind = DP_K_SCHEME, .x = 1}, {.kind = DP_K_HOST, .x = 2}};
    uint32_t id;
    size_t   cap = 0;
    if (!DP_ROOM_FOR(w->values.text, DP_V_FIRST, cap) || !DP_ROOM_FOR(w->values.hash, DP_V_FIRST, w->values.cap))
        return DP_ENOMEM;
    for (; w->values.n < DP_V_FIRST; w->values.n++)
        w->values.text[w->values.n] = (dp_str){NULL, 0};
    for (size_t i = 0; i < DP_COUNT(origin); i++)
        DP_TRY(number_key(&id, w, &origin[i]));
    for (size_t i = 0; i < s->n; i++) {
        bool usable = false;
        if (s->cluster[i] != DP_NO_CLUSTER)
            DP_TRY(read_url(w, s->url[i], &usable));
        if (usable)
            DP_TRY(add_map(w, (uint32_t)i, s->cluster[i]));
        else
            b->left_out++;
    }
    DP_TRY(join_orders(b, w->cell, s));
    b->key = keep(w->a, w->key, b->nkey * sizeof *w->key);
    b->cell = keep(w->a, w->cell, b->at[b->n] * sizeof *w->cell);
    b->value = keep(w->a, w->values.text, w->values.n * sizeof *w->values.text);
    b->nvalue = w->values.n;
    return b->key && b->cell && b->value ? rank_keys(b) : DP_ENOMEM;
}

dp_err dp_book_read(dp_book *out, const dp_site *s, dp_arena *a)
{
    *out = (dp_book){.at = DP_NEWS(a, s->n + 1, uint32_t), .url = DP_NEWS(a, s->n, uint32_t),
                     .cluster = DP_NEWS(a, s->n, uint32_t), .hash = DP_NEWS(a, s->n, uint64_t)};
    if (!out->at || !out->url || !out->cluster || !out->hash)
        return DP_ENOMEM;
    builder *w = calloc(1, sizeof *w);
    if (!w)
        return DP_ENOMEM;
    w->b = out;
    w->a = a;
    dp_err e = fill(w, s);
    free(w->values.text);
    free(w->values.hash);
    dp_index_done(&w->values.index);
    dp_intern_done(&w->names);
    free(w->key);
    free(w->cell);
    dp_frame_done(&w->frame);
    dp_arena_done(&w->scratch);
    dp_buf_done(&w->text);
    free(w);
    return e;
}
