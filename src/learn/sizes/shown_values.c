/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/shown_values.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "site/usual.h"
#include "url/asset.h"

enum {
    LINK = 6,        /* bytes of a link beside a name and its value: "&amp;", "=" */
    FIELD = 32,      /* bytes of a field of a form beside them */
    LEAST_SIZES = 5, /* of the pages where a parameter's values lie on a line */
    FITS = 85        /* per cent of the pages that can tell, where they do */
};

/* One value on one page. */
typedef struct seen {
    uint64_t name;
    uint32_t base, url; /* the page without the value, and with it */
    uint32_t length;    /* of the value, decoded */
    uint32_t name_n, url_n; /* bytes of the name, and of the URL */
    int64_t  by;        /* bytes that it adds */
    bool     takes;     /* it is taken off */
} seen;

typedef struct looking {
    dp_pair_places *places;
    uint32_t       *usual;
    seen           *v; /* [n] by name, base, length */
    size_t          n, cap;
} looking;

typedef enum fit { TELLS_NOTHING, LIES_ON_LINE, DOES_NOT } fit;

/* The URL without a pair, or with it empty; UINT32_MAX: none. */
static uint32_t find_base(const looking *l, const dp_pair *p, uint64_t whole)
{
    const dp_frame *f = &l->places->frame;
    dp_pair         bare = *p, empty = *p;
    uint64_t        rest = whole - dp_pair_hash(f, p);
    bare.end = p->eq;
    empty.end = p->eq + 1;
    uint32_t at = dp_pair_places_find(l->places, l->usual, rest);
    if (at == UINT32_MAX)
        at = dp_pair_places_find(l->places, l->usual, rest + dp_pair_hash(f, &empty));
    return at == UINT32_MAX ? dp_pair_places_find(l->places, l->usual, rest + dp_pair_hash(f, &bare)) : at;
}

static dp_err look_at(looking *l, uint32_t i)
{
    const dp_frame *f = &l->places->frame;
    bool            ok;
    DP_TRY(dp_pair_places_read(l->places, i, &ok));
    if (!ok)
        return DP_OK;
    uint64_t whole = dp_pairs_hash(f);
    for (uint32_t k = 0; k < f->npair; k++) {
        const dp_pair *p = &f->pair[k];
        dp_str         name = dp_pair_name(f, p), value = dp_pair_value(f, p);
        uint32_t       base = value.n ? find_base(l, p, whole) : UINT32_MAX;
        if (base == UINT32_MAX)
            continue;
        if (!DP_ROOM(l->v, l->n, l->cap))
            return DP_ENOMEM;
        l->v[l->n++] = (seen){dp_hash_str(name), base, i, dp_shown_length(value), (uint32_t)name.n,
                              (uint32_t)l->places->site->url[i].n, (int64_t)l->usual[i] - l->usual[base], false};
    }
    return DP_OK;
}

static int by_page(const void *x, const void *y)
{
    const seen *a = x, *b = y;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->url > b->url) - (a->url < b->url);
}

/* What n values on one page tell, which are sorted by length. */
static fit look_at_page(const seen *v, size_t n)
{
    int64_t letters = (int64_t)v[n - 1].length - v[0].length, slope = 0;
    if (letters)
        slope = (v[n - 1].by - v[0].by) / letters;
    int64_t first = v[0].by - slope * v[0].length;
    for (size_t i = 0; i < n; i++) {
        if (v[i].by != first + slope * v[i].length)
            return DOES_NOT;
    }
    if (!letters)
        return TELLS_NOTHING;
    return slope >= 1 && first >= 0 && first <= slope * (v[0].name_n + LINK) + FIELD ? LIES_ON_LINE : DOES_NOT;
}

static size_t end_of_page(const seen *v, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && v[end].name == v[i].name && v[end].base == v[i].base)
        end++;
    return end;
}

static int by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* Whether the values of one name, n of them, are merely shown; `sizes` has room for n. */
static bool is_shown(const looking *l, const seen *v, size_t n, uint64_t *sizes)
{
    size_t fits = 0, told = 0, different = 0;
    for (size_t i = 0, j; i < n; i = j) {
        j = end_of_page(v, n, i);
        fit got = look_at_page(v + i, j - i);
        told += got != TELLS_NOTHING;
        if (got == LIES_ON_LINE)
            sizes[fits++] = l->usual[v[i].base];
    }
    qsort(sizes, fits, sizeof *sizes, by_number);
    for (size_t i = 0; i < fits; i++)
        different += !i || sizes[i] != sizes[i - 1];
    return different >= LEAST_SIZES && 100 * fits >= (size_t)FITS * told;
}

/* A length and the bytes that it adds. */
static uint64_t sum_of(const seen *v)
{
    return (uint64_t)v->length << 32 | (uint32_t)v->by;
}

/* Say of the values of one name which lie on a line with others, or where no others are, add what those of their
 * length do elsewhere. */
static void mark(seen *v, size_t n, uint64_t *sums)
{
    size_t known = 0;
    for (size_t i = 0, j; i < n; i = j) {
        j = end_of_page(v, n, i);
        bool fits = look_at_page(v + i, j - i) == LIES_ON_LINE;
        for (size_t k = i; k < j && fits; k++) {
            v[k].takes = true;
            sums[known++] = sum_of(&v[k]);
        }
    }
    qsort(sums, known, sizeof *sums, by_number);
    for (size_t i = 0, j; i < n; i = j) {
        j = end_of_page(v, n, i);
        bool fits = look_at_page(v + i, j - i) == TELLS_NOTHING;
        for (size_t k = i; k < j && fits; k++) {
            uint64_t sum = sum_of(&v[k]);
            v[k].takes = known && bsearch(&sum, sums, known, sizeof *sums, by_number);
        }
    }
}

/* Leave in l->v what is merely shown. */
static dp_err choose(looking *l)
{
    size_t    kept = 0;
    uint64_t *room = malloc((l->n + 1) * sizeof *room);
    if (!room)
        return DP_ENOMEM;
    for (size_t i = 0, j; i < l->n; i = j) {
        for (j = i + 1; j < l->n && l->v[j].name == l->v[i].name; j++) {}
        if (is_shown(l, l->v + i, j - i, room))
            mark(l->v + i, j - i, room);
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->v[i].takes)
            l->v[kept++] = l->v[i];
    }
    l->n = kept;
    free(room);
    return DP_OK;
}

/* A page without a value comes before those with it: its own size may change, too. */
static int by_length(const void *x, const void *y)
{
    const seen *a = x, *b = y;
    if (a->url_n != b->url_n)
        return a->url_n < b->url_n ? -1 : 1;
    return (a->url > b->url) - (a->url < b->url);
}

static void take(looking *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_length);
    for (size_t i = 0; i < l->n; i++)
        l->usual[l->v[i].url] = l->usual[l->v[i].base];
}

dp_err dp_shown_values_take(uint32_t *usual, dp_pair_places *places)
{
    const dp_site *s = places->site;
    looking        l = {.places = places, .usual = usual};
    dp_err         code = DP_OK;
    if (s->spread)
        return DP_OK;
    for (uint32_t i = 0; i < s->n && code == DP_OK; i++) {
        if (usual[i] != DP_NO_SIZE && !dp_url_is_asset(s->url[i]))
            code = look_at(&l, i);
    }
    if (code == DP_OK && l.n) {
        qsort(l.v, l.n, sizeof *l.v, by_page);
        code = choose(&l);
    }
    if (code == DP_OK)
        take(&l);
    free(l.v);
    return code;
}
