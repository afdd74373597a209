/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/shown_pairs.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"
#include "site/usual.h"
#include "url/asset.h"

enum {
    MOST_ADDED = 256, /* bytes; beyond that it is a part of a page */
    LEAST_TIMES = 6,  /* that a pair was seen to add something */
    LEAST_SIZES = 5,  /* of the pages without it */
    AGREE = 95        /* per cent of the times */
};

/* A URL with a pair, and the same without it. */
typedef struct change {
    uint64_t key, name; /* of the pair, or of its name and length; of the name */
    int64_t  by;        /* bytes that it adds */
    uint32_t base, length; /* bytes of the page; of the value, decoded */
    bool     is_pair;
} change;

/* What all agree that a pair adds. */
typedef struct added {
    uint64_t key, name;
    uint32_t bytes, length;
    bool     is_pair, is_proven, is_bad;
} added;

typedef struct looking {
    dp_pair_places *places;
    change         *v;     /* [n] */
    size_t          n, cap;
    added          *found; /* [nfound] by key */
    size_t          nfound, found_cap;
} looking;

/* ---- hashes ------------------------------------------------------------------------------------------------- */

/* Of all pairs with that name whose values have one length. */
static uint64_t shape_hash(const dp_frame *f, const dp_pair *p)
{
    return dp_hash_fold(dp_hash_mix(p->end - p->at), dp_hash_str(dp_pair_name(f, p)));
}

/* ---- what pairs add ----------------------------------------------------------------------------------------- */

static bool add_change(looking *l, const change *c)
{
    if (!DP_ROOM(l->v, l->n, l->cap))
        return false;
    l->v[l->n++] = *c;
    return true;
}

static dp_err look_at(looking *l, const uint32_t *usual, size_t i)
{
    const dp_frame *f = &l->places->frame;
    bool            has_pairs;
    DP_TRY(dp_pair_places_read(l->places, i, &has_pairs));
    if (!has_pairs)
        return DP_OK;
    uint64_t whole = dp_pairs_hash(f);
    for (uint32_t k = 0; k < f->npair; k++) {
        uint32_t base = dp_pair_places_find(l->places, usual, whole - dp_pair_hash(f, &f->pair[k]));
        if (base == UINT32_MAX)
            continue;
        const dp_pair *p = &f->pair[k];
        change c = {dp_pair_hash(f, p), dp_hash_str(dp_pair_name(f, p)), (int64_t)usual[i] - usual[base], usual[base],
                    dp_shown_length(dp_pair_value(f, p)), true};
        bool   ok = add_change(l, &c);
        c.key = shape_hash(f, p);
        c.is_pair = false;
        if (!ok || !add_change(l, &c))
            return DP_ENOMEM;
    }
    return DP_OK;
}

static int by_key(const void *x, const void *y)
{
    const change *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->by != b->by)
        return a->by < b->by ? -1 : 1;
    return (a->base > b->base) - (a->base < b->base);
}

/* What n changes by one pair agree on; 0: nothing. They are sorted. */
static uint32_t agreed(const change *v, size_t n, uint32_t spread)
{
    int64_t middle = v[n / 2].by;
    size_t  agree = 0, sizes = 0;
    if (n < LEAST_TIMES || middle <= 0 || middle > MOST_ADDED)
        return 0;
    for (size_t i = 0; i < n; i++) {
        bool does = v[i].by >= middle - 2 * (int64_t)spread && v[i].by <= middle + 2 * (int64_t)spread;
        agree += does;
        sizes += does && (!i || v[i].by != v[i - 1].by || v[i].base != v[i - 1].base);
    }
    return 100 * agree >= (size_t)AGREE * n && sizes >= LEAST_SIZES ? (uint32_t)middle : 0;
}

static dp_err find_added(looking *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_key);
    for (size_t i = 0, j; i < l->n; i = j) {
        for (j = i + 1; j < l->n && l->v[j].key == l->v[i].key; j++) {}
        uint32_t bytes = agreed(l->v + i, j - i, l->places->site->spread);
        if (!bytes)
            continue;
        if (!DP_ROOM(l->found, l->nfound, l->found_cap))
            return DP_ENOMEM;
        const change *c = &l->v[i];
        l->found[l->nfound++] = (added){c->key, c->name, bytes, c->length, c->is_pair, false, false};
    }
    return DP_OK;
}

/* NULL: nothing. */
static const added *find(const looking *l, uint64_t key)
{
    size_t i;
    DP_BISECT(i, l->nfound, l->found[i].key < key);
    return i < l->nfound && l->found[i].key == key && !l->found[i].is_bad ? &l->found[i] : NULL;
}

/* ---- whether names are believed ----------------------------------------------------------------------------- */

static int change_by_name(const void *x, const void *y)
{
    const change *a = x, *b = y;
    return a->name != b->name ? (a->name < b->name ? -1 : 1) : 0;
}

static int added_by_name(const void *x, const void *y)
{
    const added *a = x, *b = y;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    if (a->is_pair != b->is_pair)
        return b->is_pair - a->is_pair;
    return a->length != b->length ? (a->length < b->length ? -1 : 1) : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int added_by_key(const void *x, const void *y)
{
    const added *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

/* Whether some values of a parameter change the page by more than they could be shown. */
static bool chooses(const change *v, size_t n)
{
    size_t all = 0, few = 0;
    for (size_t i = 0; i < n; i++) {
        all += v[i].is_pair;
        few += v[i].is_pair && v[i].by >= 0 && v[i].by <= MOST_ADDED;
    }
    return 100 * few < (size_t)AGREE * all;
}

/* Whether the values of a name add what their length says: n of them, pairs first, by length. */
static bool lie_on_line(const added *v, size_t n)
{
    size_t last = 0;
    while (last + 1 < n && v[last + 1].is_pair)
        last++;
    if (!v[last].is_pair || v[last].length == v[0].length || v[last].bytes <= v[0].bytes)
        return false;
    uint32_t slope = (v[last].bytes - v[0].bytes) / (v[last].length - v[0].length), own = slope * v[0].length;
    for (size_t i = 0; i <= last && slope; i++) {
        if (v[i].bytes + own != v[0].bytes + slope * v[i].length)
            return false;
    }
    return slope && v[0].bytes >= own;
}

/* Say of all that was found whether its name is believed. */
static void look_at_names(looking *l)
{
    qsort(l->v, l->n, sizeof *l->v, change_by_name);
    qsort(l->found, l->nfound, sizeof *l->found, added_by_name);
    for (size_t i = 0, j, at = 0; i < l->nfound; i = j) {
        size_t end;
        for (j = i + 1; j < l->nfound && l->found[j].name == l->found[i].name; j++) {}
        while (at < l->n && l->v[at].name < l->found[i].name)
            at++;
        for (end = at; end < l->n && l->v[end].name == l->found[i].name; end++) {}
        bool bad = chooses(l->v + at, end - at), proven = lie_on_line(l->found + i, j - i);
        for (size_t k = i; k < j; k++) {
            l->found[k].is_bad = bad;
            l->found[k].is_proven = proven;
        }
    }
    qsort(l->found, l->nfound, sizeof *l->found, added_by_key);
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static bool has_size(const uint32_t *usual, const dp_site *s, size_t i)
{
    return usual[i] != DP_NO_SIZE && !dp_url_is_asset(s->url[i]);
}

static dp_err take_off(looking *l, uint32_t *usual, uint32_t *guessed)
{
    for (size_t i = 0; i < l->places->site->n; i++) {
        bool ok;
        if (!has_size(usual, l->places->site, i))
            continue;
        DP_TRY(dp_pair_places_read(l->places, i, &ok));
        for (uint32_t k = 0; ok && k < l->places->frame.npair; k++) {
            const dp_frame *f = &l->places->frame;
            const added    *a = find(l, dp_pair_hash(f, &f->pair[k]));
            a = a ? a : find(l, shape_hash(f, &f->pair[k]));
            if (!a || a->bytes >= usual[i])
                continue;
            usual[i] -= a->bytes;
            guessed[i] += a->is_proven ? 0 : a->bytes;
        }
    }
    return DP_OK;
}

dp_err dp_shown_pairs_take(uint32_t *usual, uint32_t *guessed, dp_pair_places *places)
{
    const dp_site *s = places->site;
    looking        l = {.places = places};
    dp_err         code = DP_OK;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        if (has_size(usual, s, i))
            code = look_at(&l, usual, i);
    }
    if (code == DP_OK)
        code = find_added(&l);
    if (code == DP_OK && l.nfound) {
        look_at_names(&l);
        code = take_off(&l, usual, guessed);
    }
    free(l.v);
    free(l.found);
    return code;
}
