/* Pairs of substrings and how many envelopes they share: [BKS06] Figure 2, lines 14-22, for T_low and T_high at once.
 *
 * Most pairs are seen once or twice and never become candidates. So the buckets are walked twice: first one byte a
 * hash counts pairs, then only those that may reach MS get a place in the table.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust_site.h"

#include <stdlib.h>

typedef struct entry {
    uint64_t hash;
    uint32_t alpha_page, alpha_place, beta_page, beta_place;
    uint32_t low, high; /* high == 0: free */
} entry;

typedef struct table {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    uint64_t               power[256];
    uint8_t               *count; /* [ncount] a power of two */
    size_t                 ncount;
    entry                 *v; /* [cap] a power of two */
    size_t                 n, cap;
} table;

static uint64_t cut_hash(const table *t, const dp_dust_cut *c)
{
    const uint64_t *h = t->s->v[c->page].hash;
    return dp_dust_mix(h[dp_dust_to(c->place)] - h[dp_dust_from(c->place)] * t->power[c->place & 255]);
}

static uint64_t pair_hash(const table *t, const dp_dust_cut *x, const dp_dust_cut *y)
{
    return dp_dust_mix(cut_hash(t, x) + cut_hash(t, y)) & t->o->hash_mask;
}

static dp_str text_of(const table *t, uint32_t page, uint32_t place)
{
    return dp_dust_text(&t->s->v[page].t, dp_dust_from(place), dp_dust_to(place));
}

static dp_err count_pair(void *self, const dp_dust_cut *x, const dp_dust_cut *y, uint32_t size)
{
    table *t = self;
    if (size <= t->o->T_low) {
        uint8_t *c = &t->count[pair_hash(t, x, y) & (t->ncount - 1)];
        *c = (uint8_t)(*c + (*c < 255));
    }
    return DP_OK;
}

/* Whether α > β: more tokens, then more bytes, then by bytes. */
static bool is_greater(const table *t, const dp_dust_cut *x, const dp_dust_cut *y)
{
    uint32_t m = x->place & 255, n = y->place & 255;
    if (m != n)
        return m > n;
    dp_str a = text_of(t, x->page, x->place), b = text_of(t, y->page, y->place);
    return a.n != b.n ? a.n > b.n : dp_str_cmp(a, b) > 0;
}

static bool is_start(uint32_t place)
{
    return dp_dust_from(place) == 0;
}

static bool is_end(const table *t, uint32_t page, uint32_t place)
{
    return dp_dust_to(place) == t->s->v[page].t.n;
}

static bool is_pair(const table *t, const entry *e, const dp_dust_cut *x, const dp_dust_cut *y)
{
    return is_start(e->alpha_place) == is_start(x->place) &&
           is_end(t, e->alpha_page, e->alpha_place) == is_end(t, x->page, x->place) &&
           dp_str_eq(text_of(t, e->alpha_page, e->alpha_place), text_of(t, x->page, x->place)) &&
           dp_str_eq(text_of(t, e->beta_page, e->beta_place), text_of(t, y->page, y->place));
}

static dp_err grow(table *t)
{
    size_t cap = t->cap ? t->cap * 2 : 1024;
    entry *v = calloc(cap, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < t->cap; i++) {
        if (t->v[i].high) {
            size_t k = t->v[i].hash & (cap - 1);
            while (v[k].high)
                k = (k + 1) & (cap - 1);
            v[k] = t->v[i];
        }
    }
    free(t->v);
    t->v = v;
    t->cap = cap;
    return DP_OK;
}

static dp_err add_pair(void *self, const dp_dust_cut *x, const dp_dust_cut *y, uint32_t size)
{
    table   *t = self;
    uint64_t hash = pair_hash(t, x, y);
    if (t->count[hash & (t->ncount - 1)] < (t->o->MS < 255 ? t->o->MS : 255))
        return DP_OK;
    if (t->n * 2 >= t->cap)
        DP_TRY(grow(t));
    if (!is_greater(t, x, y)) {
        const dp_dust_cut *swap = x;
        x = y;
        y = swap;
    }
    size_t k = hash & (t->cap - 1);
    while (t->v[k].high && !(t->v[k].hash == hash && is_pair(t, &t->v[k], x, y)))
        k = (k + 1) & (t->cap - 1);
    if (!t->v[k].high) {
        t->v[k] = (entry){hash, x->page, x->place, y->page, y->place, 0, 0};
        t->n++;
    }
    t->v[k].low += size <= t->o->T_low;
    t->v[k].high++;
    return DP_OK;
}

int dp_dust_rule_cmp(const dp_dust_rule *a, const dp_dust_rule *b)
{
    uint32_t m = a->alpha_tokens + a->beta_tokens, n = b->alpha_tokens + b->beta_tokens;
    int      c = (m < n) - (m > n);
    if (!c)
        c = dp_str_cmp(a->alpha, b->alpha);
    if (!c)
        c = dp_str_cmp(a->beta, b->beta);
    return c ? c : (a->at_start * 2 + a->at_end) - (b->at_start * 2 + b->at_end);
}

static int by_high(const void *x, const void *y)
{
    const dp_dust_rule *a = x, *b = y;
    return a->sup_high != b->sup_high ? (a->sup_high < b->sup_high ? 1 : -1) : dp_dust_rule_cmp(a, b);
}

static dp_err list_rules(dp_dust_rules *out, const table *t, dp_arena *a)
{
    size_t n = 0;
    for (size_t i = 0; i < t->cap; i++)
        n += t->v[i].high && t->v[i].low >= t->o->MS;
    dp_dust_rules r = {DP_NEWS(a, n, dp_dust_rule), 0};
    if (!r.v)
        return DP_ENOMEM;
    for (size_t i = 0; i < t->cap; i++) {
        const entry *e = &t->v[i];
        if (e->high && e->low >= t->o->MS)
            r.v[r.n++] = (dp_dust_rule){.alpha = text_of(t, e->alpha_page, e->alpha_place),
                                        .beta = text_of(t, e->beta_page, e->beta_place),
                                        .at_start = is_start(e->alpha_place),
                                        .at_end = is_end(t, e->alpha_page, e->alpha_place),
                                        .alpha_tokens = e->alpha_place & 255,
                                        .beta_tokens = e->beta_place & 255,
                                        .sup_low = e->low,
                                        .sup_high = e->high};
    }
    qsort(r.v, r.n, sizeof *r.v, by_high);
    *out = r;
    return DP_OK;
}

static dp_err count_all(table *t, dp_dust_envelopes *e)
{
    t->power[0] = 1;
    for (int i = 1; i < 256; i++)
        t->power[i] = t->power[i - 1] * DP_DUST_BASE;
    for (t->ncount = 4096; t->ncount / 32 < t->s->n && t->ncount < (size_t)1 << 30;)
        t->ncount *= 2;
    t->count = calloc(t->ncount, 1);
    if (!t->count)
        return DP_ENOMEM;
    DP_TRY(dp_dust_envelopes_walk(e, count_pair, t));
    return dp_dust_envelopes_walk(e, add_pair, t);
}

dp_err dp_dust_detect(dp_dust_rules *out, dp_dust_site *s, const dp_dust_options *o, dp_arena *a)
{
    dp_dust_envelopes e;
    table             t = {.s = s, .o = o};
    DP_TRY(dp_dust_envelopes_init(&e, s, o));
    dp_err err = count_all(&t, &e);
    dp_dust_envelopes_done(&e);
    free(t.count);
    if (err == DP_OK)
        err = list_rules(out, &t, a);
    free(t.v);
    return err;
}
