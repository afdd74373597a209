/* Deep tokenization of a host's slots (WSDM'10, 3.1.2).
 *
 * Values are taken together by host and key, as in the paper; a key is a place in URLs of one shape, and once more in
 * those of them with the same segment before it: values of pages of different kinds would hide each other's anchors.
 * A slot with too few values to learn from borrows the patterns of the same place (counted from both ends), or of the
 * same name, in other shapes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/keyed.h"
#include "base/room.h"
#include "learn/tree/host.h"

enum {
    SAMPLE = 1024, /* values of a slot that patterns are learned from */
    PATTERNS = 64  /* of a slot at most */
};

typedef struct deepener {
    dp_tree_host *h;
    dp_keyed     *order;  /* [nurl] URLs by shape, and by one of their values */
    dp_keyed     *tmp;    /* [nurl] */
    uint32_t     *stamp;  /* [values] group in which a value was seen last */
    uint32_t      mark;   /* of the group at hand */
    dp_str       *text;   /* [SAMPLE] */
    uint32_t     *sample; /* [SAMPLE] */
} deepener;

/* Number of a pattern, by its text. */
static dp_err pattern_number(dp_tree_host *h, const dp_anchor_pattern *p, uint32_t *out)
{
    if (h->npattern == 0)
        h->npattern = 1;
    for (uint32_t i = 1; i < h->npattern; i++)
        if (dp_str_eq(h->pattern[i].text, p->text)) {
            *out = i;
            return DP_OK;
        }
    if (!DP_ROOM(h->pattern, h->npattern, h->pattern_cap))
        return DP_ENOMEM;
    h->pattern[h->npattern] = *p;
    *out = h->npattern++;
    return DP_OK;
}

/* A number that is spread evenly and depends on the text alone. */
static uint32_t spread(const dp_tree_values *t, uint32_t value)
{
    dp_str   s = dp_tree_text(t, value);
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return h ^ h >> 13;
}

/* The distinct values of slot `slot` in URLs url[0 .. nurl); at most SAMPLE of them, by least spread number. Returns
 * how many there are. */
static size_t sample_values(deepener *d, const dp_keyed *url, size_t nurl, uint32_t slot, size_t *distinct)
{
    dp_tree_host *h = d->h;
    uint32_t      limit = UINT32_MAX;
    size_t        n = 0;
    *distinct = 0;
    d->mark++;
    for (size_t i = 0; i < nurl; i++) {
        uint32_t value = dp_tree_value_at(h, &h->url[url[i].item], slot);
        if (!dp_tree_is_solid(&h->values, value) || d->stamp[value] == d->mark)
            continue;
        d->stamp[value] = d->mark;
        ++*distinct;
        if (spread(&h->values, value) > limit)
            continue;
        if (n == SAMPLE) {
            size_t kept = 0;
            limit /= 2;
            for (size_t k = 0; k < n; k++)
                if (spread(&h->values, d->sample[k]) <= limit)
                    d->sample[kept++] = d->sample[k];
            n = kept;
            if (n == SAMPLE || spread(&h->values, value) > limit)
                continue;
        }
        d->sample[n++] = value;
    }
    for (size_t k = 0; k < n; k++)
        d->text[k] = dp_tree_text(&h->values, d->sample[k]);
    return n;
}

/* Add the patterns of the values of a slot in url[0 .. nurl) to all[]. */
static dp_err learn_values(deepener *d, const dp_keyed *url, size_t nurl, uint32_t slot, uint32_t *all, uint32_t *nall,
                           size_t *distinct)
{
    dp_anchor_options  o = DP_ANCHOR_OPTIONS_INIT;
    dp_anchor_patterns p = {0};
    size_t             n = sample_values(d, url, nurl, slot, distinct);
    if (*distinct < o.least)
        return DP_OK;
    DP_TRY(dp_anchor_learn(&p, d->text, n, &o, &d->h->arena));
    for (size_t i = 0; i < p.n && *nall < PATTERNS; i++) {
        uint32_t number, k = 0;
        DP_TRY(pattern_number(d->h, &p.v[i], &number));
        while (k < *nall && all[k] != number)
            k++;
        if (k == *nall)
            all[(*nall)++] = number;
    }
    return DP_OK;
}

/* More literal bytes first, then by text. */
static void sort_patterns(const dp_tree_host *h, uint32_t *v, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k > 0; k--) {
            const dp_anchor_pattern *a = &h->pattern[v[k - 1]], *b = &h->pattern[v[k]];
            size_t                   x = a->text.n - a->npiece, y = b->text.n - b->npiece;
            if (x > y || (x == y && dp_str_cmp(a->text, b->text) <= 0))
                break;
            uint32_t swap = v[k];
            v[k] = v[k - 1];
            v[k - 1] = swap;
        }
}

static dp_err set_patterns(dp_tree_host *h, dp_tree_patterns *out, uint32_t *all, uint32_t n)
{
    sort_patterns(h, all, n);
    out->v = DP_NEWS(&h->arena, n, uint32_t);
    if (!out->v)
        return DP_ENOMEM;
    memcpy(out->v, all, n * sizeof *all);
    out->n = n;
    return DP_OK;
}

/* A slot in the URLs of its shape, url[0 .. nurl): all together, and by the segment before it. */
static dp_err learn_slot(deepener *d, dp_keyed *url, size_t nurl, uint32_t slot, const dp_tree_shape *s)
{
    dp_tree_host     *h = d->h;
    dp_tree_patterns *out = &h->patterns[s->slot + slot];
    uint32_t          all[PATTERNS], nall = 0;
    size_t            distinct, part;
    DP_TRY(learn_values(d, url, nurl, slot, all, &nall, &distinct));
    out->few = distinct > 0 && distinct < ((dp_anchor_options)DP_ANCHOR_OPTIONS_INIT).least;
    if (!out->few && distinct > 0 && slot > 0 && slot < s->nseg) {
        for (size_t i = 0; i < nurl; i++)
            url[i].key = dp_tree_value_at(h, &h->url[url[i].item], slot - 1);
        dp_keyed_sort(url, d->tmp, nurl, UINT32_MAX);
        for (size_t i = 0, j; i < nurl; i = j) {
            j = dp_keyed_end(url, nurl, i);
            if (j - i < nurl)
                DP_TRY(learn_values(d, url + i, j - i, slot, all, &nall, &part));
        }
    }
    return nall ? set_patterns(h, out, all, nall) : DP_OK;
}

/* ---- borrowing ------------------------------------------------------------------------------------------ */

/* A slot by what others may borrow from it: place from both ends, or name. */
typedef struct place {
    uint64_t key;
    uint32_t slot;
} place;

static int by_key(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static size_t list_places(const dp_tree_host *h, place *v)
{
    size_t n = 0;
    for (uint32_t i = 0; i < h->nshape; i++) {
        const dp_tree_shape *s = &h->shape[i];
        for (uint32_t k = 0; k < s->nseg + s->npair; k++) {
            const dp_tree_name *name = &h->names[s->name + k - s->nseg];
            uint64_t            key = k < s->nseg ? (uint64_t)k << 32 | s->nseg
                                                  : (uint64_t)1 << 63 | (uint64_t)name->name << 8 | name->nth;
            v[n++] = (place){key, s->slot + k};
        }
    }
    return n;
}

/* Append to `all` the patterns of slots [i, j) that are not in it yet. */
static void collect(const dp_tree_host *h, const place *v, size_t i, size_t j, uint32_t *all, uint32_t *n)
{
    *n = 0;
    for (; i < j; i++) {
        const dp_tree_patterns *p = &h->patterns[v[i].slot];
        for (uint32_t k = 0; !p->few && k < p->n && *n < PATTERNS; k++) {
            uint32_t m = 0;
            while (m < *n && all[m] != p->v[k])
                m++;
            if (m == *n)
                all[(*n)++] = p->v[k];
        }
    }
}

static dp_err borrow(dp_tree_host *h)
{
    place *v = malloc((h->nslot + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    dp_err code = DP_OK;
    size_t n = list_places(h, v);
    qsort(v, n, sizeof *v, by_key);
    for (size_t i = 0, j; i < n && code == DP_OK; i = j) {
        uint32_t all[PATTERNS], nall;
        for (j = i + 1; j < n && v[j].key == v[i].key; j++) {}
        collect(h, v, i, j, all, &nall);
        if (!nall)
            continue;
        dp_tree_patterns lent = {.few = true};
        code = set_patterns(h, &lent, all, nall);
        for (size_t k = i; k < j; k++)
            if (h->patterns[v[k].slot].few)
                h->patterns[v[k].slot] = lent;
    }
    free(v);
    return code;
}

/* ---- all slots --------------------------------------------------------------------------------------------- */

static void order_by_shape(deepener *d, uint32_t *start)
{
    dp_tree_host *h = d->h;
    for (uint32_t i = 0, at = 0; i < h->nshape; i++) {
        start[i] = at;
        at += h->shape[i].nurl;
    }
    for (uint32_t i = 0; i < h->nurl; i++)
        d->order[start[h->url[i].shape]++].item = i;
}

static dp_err learn_all(deepener *d, uint32_t *start)
{
    dp_tree_host *h = d->h;
    order_by_shape(d, start); /* start[] are ends now */
    for (uint32_t i = 0; i < h->nshape; i++) {
        const dp_tree_shape *s = &h->shape[i];
        for (uint32_t k = 0; k < s->nseg + s->npair; k++)
            DP_TRY(learn_slot(d, d->order + start[i] - s->nurl, s->nurl, k, s));
    }
    return borrow(h);
}

dp_err dp_tree_host_deepen(dp_tree_host *h, bool learn)
{
    h->patterns = calloc(h->nslot + 1, sizeof *h->patterns);
    if (!h->patterns || !learn)
        return h->patterns ? DP_OK : DP_ENOMEM;
    deepener  d = {.h = h};
    uint32_t *start = malloc((h->nshape + 1) * sizeof *start);
    d.order = malloc(2 * ((size_t)h->nurl + 1) * sizeof *d.order);
    d.tmp = d.order + h->nurl;
    d.stamp = calloc(h->values.n + 1, sizeof *d.stamp);
    d.text = malloc(SAMPLE * sizeof *d.text);
    d.sample = malloc(SAMPLE * sizeof *d.sample);
    dp_err code = DP_ENOMEM;
    if (start && d.order && d.stamp && d.text && d.sample)
        code = learn_all(&d, start);
    free(start);
    free(d.order);
    free(d.stamp);
    free(d.text);
    free(d.sample);
    return code;
}

uint32_t dp_tree_pattern_of(dp_tree_host *h, const dp_tree_url *u, uint32_t slot, dp_str *piece)
{
    const dp_tree_patterns *p = &h->patterns[dp_tree_shape_of(h, u)->slot + slot];
    if (!p->n)
        return 0;
    dp_str text = dp_tree_text(&h->values, dp_tree_value_at(h, u, slot));
    for (uint32_t i = 0; i < p->n; i++)
        if (dp_anchor_split(&h->pattern[p->v[i]], text, piece))
            return p->v[i];
    return 0;
}
