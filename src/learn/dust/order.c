/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/order.h"

#include "url/chars.h"

#include <stdlib.h>

/* ---- quicksort of sequences ---------------------------------------------------------------- */

enum { FEW = 12, MANY = 1000 };

static bool is_last(const dp_dust_pieces *p, uint64_t key)
{
    return (key & p->mask) < p->whole;
}

static void swap(dp_keyed *a, dp_keyed *b)
{
    dp_keyed x = *a;
    *a = *b;
    *b = x;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

static uint64_t middle_of(const dp_keyed *v, size_t n)
{
    return middle(v[0].key, v[n / 2].key, v[n - 1].key);
}

static uint64_t choose_pivot(const dp_keyed *v, size_t n)
{
    size_t third = n / 3;
    if (n < MANY)
        return middle_of(v, n);
    return middle(middle_of(v, third), middle_of(v + third, third), middle_of(v + 2 * third, third));
}

/* Their keys are those of `piece`. */
static bool is_before(const dp_dust_pieces *p, dp_keyed x, dp_keyed y, uint32_t piece)
{
    while (x.key == y.key && !is_last(p, x.key)) {
        piece++;
        p->load(p->self, &x, 1, piece);
        p->load(p->self, &y, 1, piece);
    }
    return x.key < y.key;
}

/* The largest part is sorted in the loop, so that calls are as deep as the logarithm of n. */
static void sort(const dp_dust_pieces *p, dp_keyed *v, size_t n, uint32_t piece)
{
    while (n > FEW) {
        uint64_t pivot = choose_pivot(v, n);
        size_t   low = 0, high = n;
        for (size_t i = 0; i < high;) {
            if (v[i].key < pivot)
                swap(&v[low++], &v[i++]);
            else if (v[i].key > pivot)
                swap(&v[--high], &v[i]);
            else
                i++;
        }
        size_t less = low, more = n - high, equal = is_last(p, pivot) ? 0 : high - low;
        if (equal)
            p->load(p->self, v + low, equal, piece + 1);
        bool by_less = less >= more && less >= equal, by_more = !by_less && more >= equal;
        if (!by_less)
            sort(p, v, less, piece);
        if (!by_more)
            sort(p, v + high, more, piece);
        if (by_less || by_more)
            sort(p, v + low, equal, piece + 1);
        v += by_less ? 0 : by_more ? high : low;
        n = by_less ? less : by_more ? more : equal;
        piece += !by_less && !by_more;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && is_before(p, v[j], v[j - 1], piece); j--)
            swap(&v[j - 1], &v[j]);
}

void dp_dust_order(dp_keyed *v, size_t n, const dp_dust_pieces *p)
{
    p->load(p->self, v, n, 0);
    sort(p, v, n, 0);
}

/* ---- beginnings ---------------------------------------------------------------------------- */

enum { BYTES = 7, AHEAD = 16 }; /* bytes of a piece; the eighth says how many are there */

typedef struct beginnings {
    dp_str *text;      /* [n] the URLs alone: they are asked for here and there, what is known of them is in the way */
    size_t  skip;      /* bytes that all URLs begin with: their origin, as a rule */
    uint8_t rank[256]; /* of bytes: those of words last */
} beginnings;

static uint64_t piece_of(const beginnings *b, dp_str url, size_t at)
{
    size_t   n = at < url.n ? url.n - at : 0;
    uint64_t key = 0;
    n = n < BYTES ? n : BYTES;
    for (size_t i = 0; i < n; i++)
        key |= (uint64_t)b->rank[(unsigned char)url.p[at + i]] << (56 - 8 * i);
    return key | n;
}

static void load_bytes(const void *self, dp_keyed *v, size_t n, uint32_t piece)
{
    const beginnings *b = self;
    size_t            at = b->skip + (size_t)piece * BYTES;
    for (size_t i = 0; i < n; i++) {
        if (i + 2 * AHEAD < n)
            __builtin_prefetch(&b->text[v[i + 2 * AHEAD].item]);
        if (i + AHEAD < n)
            __builtin_prefetch(b->text[v[i + AHEAD].item].p + at);
        v[i].key = piece_of(b, b->text[v[i].item], at);
    }
}

/* The bytes that all begin with. */
static size_t common_bytes(const dp_str *text, size_t n)
{
    size_t same = n ? text[0].n : 0;
    for (size_t i = 1; i < n && same; i++) {
        same = text[i].n < same ? text[i].n : same;
        while (same && memcmp(text[0].p, text[i].p, same) != 0)
            same--;
    }
    return same;
}

dp_err dp_dust_order_urls(dp_keyed *v, const dp_dust_url *url, size_t n)
{
    beginnings b = {.text = calloc(n + 1, sizeof *b.text)};
    uint8_t    rank = 0;
    if (!b.text)
        return DP_ENOMEM;
    for (int word = 0; word < 2; word++)
        for (int c = 0; c < 256; c++)
            if ((dp_is((char)c, DP_CH_ALNUM) || c >= 0x80) == word)
                b.rank[c] = rank++;
    for (size_t i = 0; i < n; i++) {
        b.text[i] = url[i].url;
        v[i].item = (uint32_t)i;
    }
    b.skip = common_bytes(b.text, n);
    dp_dust_order(v, n, &(dp_dust_pieces){&b, load_bytes, 0xFF, BYTES});
    free(b.text);
    return DP_OK;
}
