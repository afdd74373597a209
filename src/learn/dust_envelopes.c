/* Envelopes that several URLs share: the substring table of [BKS06] Figure 2, lines 5-13, without the rest of it.
 *
 *     every (p, s) of every URL      224 a URL
 *       p and s shared                90           bound(): is this prefix some other URL's too?
 *       seen twice                    35           two bits a cell, then a second look
 *       sort by hash                               equal keys side by side, p and s compared
 *       2 to T_high URLs              25           pairs
 *
 * An envelope can be shared only if its prefix and its suffix are. Each filter lets too much through, never too
 * little: cells are shared by hashes, hashes by envelopes, and split() looks at the bytes. With `memory`, the range
 * of hashes is cut into passes; an envelope belongs to one of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust_site.h"

#include "url/percent.h"

#include <stdlib.h>

/* ---- seen never, once, again ------------------------------------------------------------ */

static size_t cells_for(uint64_t items)
{
    size_t n = 1024;
    while (n / 4 < items && n < (size_t)1 << 36)
        n *= 2;
    return n;
}

/* How often before: 0, 1, 2 (or more). */
static unsigned see(dp_dust_envelopes *e, uint64_t key)
{
    size_t   i = key & (e->ncell - 1);
    unsigned shift = (unsigned)(i & 3) * 2, was = e->seen[i >> 2] >> shift & 3;
    if (was < 2)
        e->seen[i >> 2] = (uint8_t)(e->seen[i >> 2] + (1u << shift));
    return was;
}

static bool seen_again(const dp_dust_envelopes *e, uint64_t key)
{
    size_t i = key & (e->ncell - 1);
    return (e->seen[i >> 2] >> (i & 3) * 2 & 3) == 2;
}

static dp_err clear_cells(dp_dust_envelopes *e, uint64_t items)
{
    free(e->seen);
    e->ncell = cells_for(items);
    e->seen = calloc(e->ncell / 4, 1);
    return e->seen ? DP_OK : DP_ENOMEM;
}

/* ---- bounds ----------------------------------------------------------------------------- */

/* suffix[j]: the hash of tokens [j, n). */
static void hash_suffixes(dp_dust_envelopes *e, const dp_dust_page *p)
{
    uint64_t power = 1;
    for (uint32_t j = p->t.n + 1; j-- > 0; power *= DP_DUST_BASE)
        e->suffix[j] = p->hash[p->t.n] - p->hash[j] * power;
}

static uint64_t part_key(const dp_dust_envelopes *e, uint64_t hash)
{
    return dp_dust_mix(hash) & e->o->hash_mask;
}

/* Find `a` and `b` of all pages. Prefixes of shared prefixes are shared, so the first that is not ends the search. */
static dp_err bound(dp_dust_envelopes *e)
{
    dp_dust_site *s = e->s;
    uint64_t      tokens = 0;
    for (size_t k = 0; k < s->n; k++)
        tokens += s->v[k].t.n;
    for (int backward = 0; backward < 2; backward++) {
        DP_TRY(clear_cells(e, tokens));
        for (int look = 0; look < 2; look++) {
            for (size_t k = 0; k < s->n; k++) {
                dp_dust_page *p = &s->v[k];
                uint32_t      i = 1;
                if (backward)
                    hash_suffixes(e, p);
                for (; i < p->t.n; i++) {
                    uint64_t key = part_key(e, backward ? e->suffix[p->t.n - i] : p->hash[i]);
                    if (look == 0)
                        see(e, key);
                    else if (!seen_again(e, key))
                        break;
                }
                if (backward)
                    p->b = i - 1;
                else
                    p->a = i - 1;
            }
        }
    }
    return DP_OK;
}

/* ---- one pass: cuts whose envelopes may be repeated, sorted by key ----------------------- */

static uint64_t envelope_key(uint64_t prefix, uint64_t suffix)
{
    return dp_dust_mix(prefix + (suffix << 23 | suffix >> 41) * 0xD6E8FEB86659FD93u);
}

/* Places where a substring may begin or end: not inside %XX (RULES.md 3.4). */
static bool is_place(const dp_dust_page *p, uint32_t i)
{
    return !dp_percent_inside(dp_dust_page_text(p), p->t.at[i]);
}

/* First and last end of substrings of `p` that begin at `i`. The empty one stands at inner gaps only: before ^ and
 * behind $ it has no partner. */
static uint32_t first_end(const dp_dust_page *p, uint32_t i)
{
    uint32_t j = p->t.n - p->b;
    return j > i ? j : i ? i : 1;
}

static uint32_t last_end(const dp_dust_page *p, uint32_t i, uint32_t S)
{
    return p->t.n - i < S ? p->t.n : i + S;
}

/* Go through the envelopes of pass `pass`. Counting: see each. Otherwise: put those seen again into `v`. Returns how
 * many they are. */
static size_t enumerate(dp_dust_envelopes *e, uint64_t pass, bool counting)
{
    size_t n = 0;
    for (size_t k = 0; k < e->s->n; k++) {
        const dp_dust_page *p = &e->s->v[k];
        hash_suffixes(e, p);
        for (uint32_t i = 0; i <= p->a; i++) {
            uint32_t end = last_end(p, i, e->o->S);
            if (!is_place(p, i))
                continue;
            for (uint32_t j = first_end(p, i); j <= end; j++) {
                uint64_t key = envelope_key(p->hash[i], e->suffix[j]) & e->o->hash_mask;
                if ((uint64_t)((unsigned __int128)key * e->passes >> 64) != pass || !is_place(p, j))
                    continue;
                if (counting) {
                    unsigned was = see(e, key);
                    n += was ? 3 - was : 0; /* the second brings the first with it */
                } else if (seen_again(e, key)) {
                    e->v[n++] = (dp_dust_cut){key, (uint32_t)k, i << 8 | (j - i)};
                }
            }
        }
    }
    return n;
}

static uint64_t count_envelopes(const dp_dust_envelopes *e)
{
    uint64_t n = 0;
    for (size_t k = 0; k < e->s->n; k++) {
        const dp_dust_page *p = &e->s->v[k];
        for (uint32_t i = 0; i <= p->a; i++) {
            uint32_t first = first_end(p, i), end = last_end(p, i, e->o->S);
            n += first <= end ? end - first + 1 : 0;
        }
    }
    return n;
}

static int by_key(const void *x, const void *y)
{
    uint64_t a = ((const dp_dust_cut *)x)->key, b = ((const dp_dust_cut *)y)->key;
    return (a > b) - (a < b);
}

/* Bring equal keys together: radix passes over the low bits, then runs that share those. */
static void group(dp_dust_envelopes *e)
{
    enum { DIGIT = 11 };
    int bits = 0;
    for (; bits < 44 && e->n >> bits; bits += DIGIT) {
        size_t at[1 << DIGIT] = {0}, sum = 0;
        for (size_t i = 0; i < e->n; i++)
            at[e->v[i].key >> bits & ((1 << DIGIT) - 1)]++;
        for (size_t d = 0; d < DP_COUNT(at); d++) {
            size_t count = at[d];
            at[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < e->n; i++)
            e->tmp[at[e->v[i].key >> bits & ((1 << DIGIT) - 1)]++] = e->v[i];
        dp_dust_cut *swap = e->v;
        e->v = e->tmp;
        e->tmp = swap;
    }
    uint64_t low = (1ull << bits) - 1;
    for (size_t i = 0, end; i < e->n; i = end) {
        bool same = true;
        for (end = i + 1; end < e->n && ((e->v[end].key ^ e->v[i].key) & low) == 0; end++)
            same &= e->v[end].key == e->v[i].key;
        if (!same)
            qsort(e->v + i, end - i, sizeof *e->v, by_key);
    }
}

static dp_err build(dp_dust_envelopes *e, uint64_t pass)
{
    if (e->built == pass + 1)
        return DP_OK;
    e->built = 0;
    memset(e->seen, 0, e->ncell / 4);
    e->n = enumerate(e, pass, true);
    if (e->n > e->cap) {
        free(e->v);
        free(e->tmp);
        e->cap = 0;
        e->v = calloc(e->n, sizeof *e->v);
        e->tmp = calloc(e->n, sizeof *e->tmp);
        if (!e->v || !e->tmp)
            return DP_ENOMEM;
        e->cap = e->n;
    }
    enumerate(e, pass, false);
    group(e);
    e->built = pass + 1;
    return DP_OK;
}

/* ---- buckets ---------------------------------------------------------------------------- */

/* Whether two cuts have the same envelope: the same bytes before and behind, and ^ and $ on the same side. */
static bool same_envelope(const dp_dust_envelopes *e, const dp_dust_cut *x, const dp_dust_cut *y)
{
    const dp_dust_tokens *a = &e->s->v[x->page].t, *b = &e->s->v[y->page].t;
    uint32_t              i = dp_dust_from(x->place), j = dp_dust_to(x->place);
    uint32_t              k = dp_dust_from(y->place), l = dp_dust_to(y->place);
    return (i == 0) == (k == 0) && (j == a->n) == (l == b->n) &&
           dp_str_eq(dp_dust_text(a, 0, i), dp_dust_text(b, 0, k)) &&
           dp_str_eq(dp_dust_text(a, j, a->n), dp_dust_text(b, l, b->n));
}

/* Bring the cuts that have the envelope of the first to the front; how many. */
static size_t split(const dp_dust_envelopes *e, dp_dust_cut *v, size_t n)
{
    size_t same = 1;
    for (size_t i = 1; i < n; i++) {
        if (!same_envelope(e, &v[0], &v[i]))
            continue;
        dp_dust_cut x = v[i];
        v[i] = v[same];
        v[same++] = x;
    }
    return same;
}

/* Lines 13-16 for one bucket. */
static dp_err pairs_of(const dp_dust_envelopes *e, const dp_dust_cut *v, size_t n, dp_dust_on_pair *on_pair, void *self)
{
    if (n > e->o->T_high)
        return DP_OK;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (dp_dust_similar(&e->s->v[v[i].page], &e->s->v[v[j].page], e->o))
                DP_TRY(on_pair(self, &v[i], &v[j], (uint32_t)n));
    return DP_OK;
}

dp_err dp_dust_envelopes_walk(dp_dust_envelopes *e, dp_dust_on_pair *on_pair, void *self)
{
    for (uint64_t pass = 0; pass < e->passes; pass++) {
        DP_TRY(build(e, pass));
        for (size_t i = 0, end; i < e->n; i = end) {
            for (end = i + 1; end < e->n && e->v[end].key == e->v[i].key; end++) {}
            for (size_t k = i, same; end - k > 1; k += same) {
                same = split(e, e->v + k, end - k);
                DP_TRY(pairs_of(e, e->v + k, same, on_pair, self));
            }
        }
    }
    return DP_OK;
}

static dp_err start(dp_dust_envelopes *e)
{
    e->suffix = calloc((size_t)e->s->longest + 1, sizeof *e->suffix);
    if (!e->suffix)
        return DP_ENOMEM;
    DP_TRY(bound(e));
    uint64_t n = count_envelopes(e);
    /* Half of them may be kept, in two arrays, beside two bytes of cells each. */
    e->passes = e->o->memory ? n / (e->o->memory / (sizeof(dp_dust_cut) + 2) + 1) + 1 : 1;
    return clear_cells(e, n / e->passes);
}

dp_err dp_dust_envelopes_init(dp_dust_envelopes *e, dp_dust_site *s, const dp_dust_options *o)
{
    *e = (dp_dust_envelopes){.s = s, .o = o};
    dp_err err = start(e);
    if (err != DP_OK)
        dp_dust_envelopes_done(e);
    return err;
}

void dp_dust_envelopes_done(dp_dust_envelopes *e)
{
    free(e->seen);
    free(e->suffix);
    free(e->v);
    free(e->tmp);
    *e = (dp_dust_envelopes){0};
}
