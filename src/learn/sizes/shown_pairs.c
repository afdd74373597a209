/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/shown_pairs.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/order.h"
#include "base/room.h"
#include "site/usual.h"
#include "url/asset.h"
#include "url/frame.h"

enum {
    MOST_PAIRS = 40,  /* of a URL that are looked at */
    MOST_ADDED = 256, /* bytes; beyond that it is a part of a page */
    LEAST_TIMES = 6,  /* that a pair was seen to add something */
    LEAST_SIZES = 5,  /* of the pages without it */
    AGREE = 95        /* per cent of the times */
};

/* A URL with a pair, and the same without it. */
typedef struct change {
    uint64_t key; /* of the pair, or of its name and length */
    int64_t  by;  /* bytes that it adds */
    uint32_t base;
} change;

/* What all agree that a pair adds. */
typedef struct added {
    uint64_t key;
    uint32_t bytes;
} added;

typedef struct looking {
    const dp_site *site;
    dp_keyed      *place; /* [site->n] hash of a URL whatever the order of its pairs, its number; sorted */
    change        *v;     /* [n] */
    size_t         n, cap;
    added         *found; /* [nfound] by key */
    size_t         nfound, found_cap;
    dp_frame       frame;
} looking;

/* ---- hashes ------------------------------------------------------------------------------------------------- */

static uint64_t pair_hash(const dp_frame *f, const dp_pair *p)
{
    return dp_hash_mix(dp_hash_str(dp_frame_cut(f, p->at, p->end)));
}

/* Of all pairs with that name whose values have one length. */
static uint64_t shape_hash(const dp_frame *f, const dp_pair *p)
{
    return dp_hash_fold(dp_hash_mix(p->end - p->at), dp_hash_str(dp_pair_name(f, p)));
}

/* Of the whole URL: a pair less is its hash less. */
static uint64_t url_hash(const dp_frame *f)
{
    uint64_t h = dp_hash_str(dp_frame_cut(f, 0, f->npair ? f->pair[0].at - 1 : f->n));
    for (uint32_t i = 0; i < f->npair; i++)
        h += pair_hash(f, &f->pair[i]);
    return h;
}

static dp_err read_url(looking *l, size_t i, bool *ok)
{
    dp_frame_result got = dp_frame_read(&l->frame, l->site->url[i]);
    *ok = got == DP_FRAME_OK && l->frame.npair <= MOST_PAIRS;
    return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
}

static dp_err index_urls(looking *l)
{
    const dp_site *s = l->site;
    l->place = calloc(2 * s->n + 1, sizeof *l->place);
    if (!l->place)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++) {
        bool ok;
        DP_TRY(read_url(l, i, &ok));
        l->place[i] = (dp_keyed){ok ? url_hash(&l->frame) : 0, (uint32_t)i};
    }
    dp_keyed_sort(l->place, l->place + s->n, s->n, UINT64_MAX);
    return DP_OK;
}

/* ---- what pairs add ----------------------------------------------------------------------------------------- */

/* The first URL with that hash and a size; UINT32_MAX: none. */
static uint32_t find_url(const looking *l, const uint32_t *usual, uint64_t hash)
{
    size_t i;
    DP_BISECT(i, l->site->n, l->place[i].key < hash);
    for (; i < l->site->n && l->place[i].key == hash; i++) {
        if (usual[l->place[i].item] != DP_NO_SIZE)
            return l->place[i].item;
    }
    return UINT32_MAX;
}

static bool add_change(looking *l, uint64_t key, int64_t by, uint32_t base)
{
    if (!DP_ROOM(l->v, l->n, l->cap))
        return false;
    l->v[l->n++] = (change){key, by, base};
    return true;
}

static dp_err look_at(looking *l, const uint32_t *usual, size_t i)
{
    const dp_frame *f = &l->frame;
    bool            ok;
    DP_TRY(read_url(l, i, &ok));
    if (!ok || !f->npair)
        return DP_OK;
    uint64_t whole = url_hash(f);
    for (uint32_t k = 0; k < f->npair; k++) {
        uint32_t base = find_url(l, usual, whole - pair_hash(f, &f->pair[k]));
        if (base == UINT32_MAX)
            continue;
        int64_t by = (int64_t)usual[i] - usual[base];
        if (!add_change(l, pair_hash(f, &f->pair[k]), by, usual[base]) ||
            !add_change(l, shape_hash(f, &f->pair[k]), by, usual[base]))
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
        uint32_t bytes = agreed(l->v + i, j - i, l->site->spread);
        if (!bytes)
            continue;
        if (!DP_ROOM(l->found, l->nfound, l->found_cap))
            return DP_ENOMEM;
        l->found[l->nfound++] = (added){l->v[i].key, bytes};
    }
    return DP_OK;
}

static uint32_t bytes_of(const looking *l, uint64_t key)
{
    size_t i;
    DP_BISECT(i, l->nfound, l->found[i].key < key);
    return i < l->nfound && l->found[i].key == key ? l->found[i].bytes : 0;
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static bool has_size(const uint32_t *usual, const dp_site *s, size_t i)
{
    return usual[i] != DP_NO_SIZE && !dp_url_is_asset(s->url[i]);
}

static dp_err take_off(looking *l, uint32_t *usual)
{
    for (size_t i = 0; i < l->site->n; i++) {
        bool ok;
        if (!has_size(usual, l->site, i))
            continue;
        DP_TRY(read_url(l, i, &ok));
        for (uint32_t k = 0; ok && k < l->frame.npair; k++) {
            uint32_t own = bytes_of(l, pair_hash(&l->frame, &l->frame.pair[k]));
            uint32_t bytes = own ? own : bytes_of(l, shape_hash(&l->frame, &l->frame.pair[k]));
            usual[i] -= bytes < usual[i] ? bytes : 0;
        }
    }
    return DP_OK;
}

dp_err dp_shown_pairs_take(uint32_t *usual, const dp_site *s)
{
    looking l = {.site = s};
    dp_err  code = index_urls(&l);
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        if (has_size(usual, s, i))
            code = look_at(&l, usual, i);
    }
    if (code == DP_OK)
        code = find_added(&l);
    if (code == DP_OK && l.nfound)
        code = take_off(&l, usual);
    free(l.place);
    free(l.v);
    free(l.found);
    dp_frame_done(&l.frame);
    return code;
}
