/* Redundant candidates removed: [BKS06] Figure 3, looking at core-mates only.
 *
 *     (".co.il/story?id=", ".co.il/story_")   refines   ("story?id=", "story_")       core:  "?id="  "_"
 *
 * The core of a pair is what is left without common first tokens, then without common last tokens. Context added on
 * both sides is stripped again, so a refinement has the same core, with one exception: when one side ends up empty, the
 * other may come out rotated ("ab" deleted before "ac" is "ba" deleted one place on). We then hash the cyclic
 * neighbours, which no rotation changes. Equal hashes only mean that dp_dust_refines is asked.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/site.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"

/* Whether a token begins or ends at byte `i` of some tokens. */
static bool is_boundary(dp_str s, size_t i)
{
    return i == 0 || i == s.n || !dp_dust_is_word(s.p[i - 1]) || !dp_dust_is_word(s.p[i]);
}

/* ---- Lemma 6 ---------------------------------------------------------------------------- */

static bool is_same(dp_str a, size_t i, dp_str b, size_t j, size_t n)
{
    return n == 0 || memcmp(a.p + i, b.p + j, n) == 0;
}

/* Whether (fa, fb) = (γ a δ, γ b δ) with γ of `at` bytes. */
static bool holds_at(dp_str fa, dp_str fb, dp_str a, dp_str b, size_t at)
{
    size_t rest = fa.n - at - a.n;
    return is_same(fa, at, a, 0, a.n) && is_same(fb, at, b, 0, b.n) && is_same(fa, 0, fb, 0, at) &&
           is_same(fa, at + a.n, fb, at + b.n, rest) && is_boundary(fa, at) && is_boundary(fb, at) &&
           is_boundary(fa, at + a.n) && is_boundary(fb, at + b.n);
}

/* With γ of `low` to `high` bytes. */
static bool refines_so(const dp_dust_rule *fine, const dp_dust_rule *broad, dp_str a, dp_str b, size_t low, size_t high)
{
    dp_str fa = fine->alpha, fb = fine->beta;
    if (fa.n < a.n || fb.n < b.n || fa.n - a.n != fb.n - b.n)
        return false;
    size_t first = broad->at_end ? fa.n - a.n : 0, last = broad->at_start ? 0 : fa.n - a.n;
    first = first > low ? first : low;
    last = last < high ? last : high;
    for (size_t at = first; at <= last; at++)
        if (holds_at(fa, fb, a, b, at))
            return true;
    return false;
}

static bool refines_within(const dp_dust_rule *fine, const dp_dust_rule *broad, size_t low, size_t high)
{
    if ((broad->at_start && !fine->at_start) || (broad->at_end && !fine->at_end))
        return false;
    return refines_so(fine, broad, broad->alpha, broad->beta, low, high) ||
           refines_so(fine, broad, broad->beta, broad->alpha, low, high);
}

bool dp_dust_refines(const dp_dust_rule *fine, const dp_dust_rule *broad)
{
    return refines_within(fine, broad, 0, SIZE_MAX);
}

/* ---- cores ------------------------------------------------------------------------------ */

static size_t common_first(dp_str a, dp_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    while (!is_boundary(a, n) || !is_boundary(b, n))
        n--;
    return n;
}

static size_t common_last(dp_str a, dp_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[a.n - 1 - n] == b.p[b.n - 1 - n])
        n++;
    while (!is_boundary(a, a.n - n) || !is_boundary(b, b.n - n))
        n--;
    return n;
}

static uint64_t hash_pair(uint64_t a, uint64_t b)
{
    uint64_t v[2] = {a, b};
    return dp_hash_bytes(v, sizeof v);
}

/* The sum over tokens of a hash of each and the next, the first being next to the last. */
static uint64_t hash_cycle(dp_str s)
{
    uint64_t sum = 0, first = 0, before = 0;
    for (size_t i = 0, end; i < s.n; i = end) {
        for (end = i + 1; !is_boundary(s, end); end++) {}
        uint64_t h = dp_hash_bytes(s.p + i, end - i);
        if (i)
            sum += hash_pair(before, h);
        else
            first = h;
        before = h;
    }
    return sum + hash_pair(before, first);
}

typedef struct core {
    uint64_t hash;
    uint64_t text;        /* hash of the whole rule */
    size_t   n;           /* bytes of the whole rule */
    uint32_t first, last; /* bytes that both sides begin and end with, each as if the other were not */
    uint32_t next;        /* the next rule with that core; the number of rules when there is none */
} core;

static core core_of(const dp_dust_rule *r)
{
    size_t first = common_first(r->alpha, r->beta);
    dp_str a = {r->alpha.p + first, r->alpha.n - first}, b = {r->beta.p + first, r->beta.n - first};
    size_t n = common_last(a, b);
    a.n -= n;
    b.n -= n;
    uint64_t text = dp_hash_str(r->alpha) + dp_hash_str(r->beta);
    return (core){.text = text,
                  .n = r->alpha.n + r->beta.n,
                  .hash = a.n && b.n ? dp_hash_str(a) + dp_hash_str(b) : hash_cycle(a.n ? a : b),
                  .first = (uint32_t)first,
                  .last = (uint32_t)common_last(r->alpha, r->beta)};
}

static dp_err find_cores(core *c, const dp_dust_rules *r, uint64_t mask)
{
    dp_keyed *k = calloc(r->n, sizeof *k), *tmp = calloc(r->n, sizeof *tmp);
    if (k && tmp) {
        for (size_t i = 0; i < r->n; i++) {
            c[i] = core_of(&r->v[i]);
            k[i] = (dp_keyed){c[i].hash & mask, (uint32_t)i};
        }
        dp_keyed_sort(k, tmp, r->n, UINT64_MAX);
        for (size_t i = 0; i < r->n; i++)
            c[k[i].item].next = i + 1 < r->n && k[i + 1].key == k[i].key ? k[i + 1].item : (uint32_t)r->n;
    }
    dp_err e = k && tmp ? DP_OK : DP_ENOMEM;
    free(k);
    free(tmp);
    return e;
}

/* Context of γ and δ adds at least |γ| to what both sides begin with, and |δ| to what they end with: that leaves
 * few places to look at, most often one or none. */
static bool refines(const dp_dust_rules *r, const core *c, size_t fine, size_t broad)
{
    const core *f = &c[fine], *b = &c[broad];
    if (f->n < b->n || (f->n == b->n && f->text != b->text) || f->first < b->first || f->last < b->last)
        return false;
    size_t more = (f->n - b->n) / 2, high = f->first - b->first, behind = f->last - b->last;
    size_t low = more > behind ? more - behind : 0;
    return low <= high && refines_within(&r->v[fine], &r->v[broad], low, high);
}

/* ---- Figure 3 --------------------------------------------------------------------------- */

/* Lines 5-13 for rule `i`. */
static void look_below(const dp_dust_rules *r, size_t i, const core *c, bool *gone, const dp_dust_options *o)
{
    const dp_dust_rule *x = &r->v[i];
    double              most = o->MRD * x->sup_high;
    if (most < o->MAD)
        most = o->MAD;
    for (size_t j = c[i].next; j < r->n && j - i <= o->MW; j = c[j].next) {
        if ((double)(x->sup_high - r->v[j].sup_high) > most)
            return;
        if (refines(r, c, i, j)) {
            gone[j] = true;
        } else if (refines(r, c, j, i)) {
            gone[i] = true;
            return;
        }
    }
}

static int by_low(const void *x, const void *y)
{
    const dp_dust_rule *a = x, *b = y;
    return a->sup_low != b->sup_low ? (a->sup_low < b->sup_low ? 1 : -1) : dp_dust_rule_cmp(a, b);
}

dp_err dp_dust_eliminate(dp_dust_rules *r, const dp_dust_options *o)
{
    if (r->n == 0)
        return DP_OK;
    if (r->n >= UINT32_MAX)
        return DP_ELIMIT;
    core     *c = calloc(r->n, sizeof *c);
    bool     *gone = calloc(r->n, sizeof *gone);
    dp_err    e = c && gone ? find_cores(c, r, o->hash_mask) : DP_ENOMEM;
    if (e == DP_OK) {
        size_t left = 0;
        for (size_t i = 0; i < r->n; i++)
            if (!gone[i])
                look_below(r, i, c, gone, o);
        for (size_t i = 0; i < r->n; i++)
            if (!gone[i])
                r->v[left++] = r->v[i];
        r->n = left;
        qsort(r->v, r->n, sizeof *r->v, by_low);
    }
    free(c);
    free(gone);
    return e;
}
