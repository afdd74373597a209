/* Pairs of substrings and how many envelopes they share: [BKS06] Figure 2, lines 14-22, for T_low and T_high at once.
 *
 *     http://a.com/ann/index.html   http://a.com/ann/      core: (index.html, ""), with 9 units before, 1 behind
 *                                                          20 pairs of substrings: "/index.html" "/", ...
 *
 * All substrings in which two URLs differ have the same core: what is left without the common first units, then
 * without the common last ones (when one side is empty, up to rotation: dust_refine.c). Most cores are seen once or
 * twice, and nothing that has them can have support MS. So URLs are walked three times: a byte a core counts
 * pairs of URLs; a byte a pair of substrings counts buckets, for the cores that may reach MS; then the pairs of
 * substrings that may reach it get a place in the table. A byte may stand for several: they only let too much through.
 *
 * With `memory` the cores are cut into ranges by their hashes, as many as it takes: a rule belongs to one of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust_tree.h"

#include <stdlib.h>

#define BASE 0x9E3779B97F4A7C15u /* of polynomial hashes */

/* A pair of substrings, by one bucket that has it. */
typedef struct entry {
    uint64_t hash;
    uint32_t x, y, i, k;
    uint32_t low, high; /* high == 0: free */
} entry;

typedef struct table {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_tree           tree;
    uint64_t               range, ranges; /* of cores: number `range` of so many */
    uint8_t               *core;          /* [ncore] pairs of URLs, a power of two */
    uint8_t               *text;          /* [ntext] buckets of a pair of substrings */
    uint8_t               *wanted;        /* [s->n] pages that may matter in the third walk */
    size_t                 ncore, ntext;
    uint64_t              *power;         /* [longest + 1] */
    uint64_t              *hash_x, *hash_y; /* [longest + 1] of the first units of the pair at hand */
    entry                 *v;               /* [cap] a power of two */
    size_t                 n, cap, most;    /* most: entries that memory allows; 0: no limit */
    bool                   full;
    dp_dust_rule          *rule; /* [nrule] */
    size_t                 nrule, rule_cap;
} table;

/* ---- cores --------------------------------------------------------------------------------- */

static uint64_t hash_units(const uint32_t *u, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = h * BASE + u[i] + 1;
    return dp_dust_mix(h);
}

/* The same for all rotations: each unit and the next, the first being next to the last. */
static uint64_t hash_cycle(const uint32_t *u, uint32_t n)
{
    uint64_t sum = n;
    for (uint32_t i = 0; i < n; i++)
        sum += dp_dust_mix((uint64_t)u[i] << 32 | u[i + 1 < n ? i + 1 : 0]);
    return dp_dust_mix(sum);
}

/* In how many places one substring of the pair may be taken out: more than one when it repeats itself. */
static uint32_t core_of(const table *t, const dp_dust_pair *p, uint64_t *hash)
{
    const dp_dust_site *s = t->s;
    uint32_t            a = dp_dust_units(s, p->x), b = dp_dust_units(s, p->y), least = a < b ? a : b;
    const uint32_t     *x = s->unit + s->first[p->x] + p->prefix, *y = s->unit + s->first[p->y] + p->prefix;
    uint32_t            last = p->suffix < least - p->prefix ? p->suffix : least - p->prefix;
    a -= p->prefix + last;
    b -= p->prefix + last;
    if (a && b)
        *hash = dp_dust_mix(hash_units(x, a) + hash_units(y, b));
    else
        *hash = a ? hash_cycle(x, a) : hash_cycle(y, b);
    *hash &= t->o->hash_mask;
    return 1 + p->suffix - last;
}

static bool is_here(const table *t, uint64_t core)
{
    return (uint64_t)((unsigned __int128)core * t->ranges >> 64) == t->range;
}

static uint8_t enough(const table *t)
{
    return (uint8_t)(t->o->MS < 255 ? t->o->MS : 255);
}

static void add_up(uint8_t *cell, uint32_t n)
{
    *cell = (uint8_t)(n > 255u - *cell ? 255 : *cell + n);
}

static dp_err count_core(void *self, const dp_dust_pair *p)
{
    table   *t = self;
    uint64_t hash;
    if (!dp_dust_similar(&t->s->v[p->x], &t->s->v[p->y], t->o))
        return DP_OK;
    uint32_t places = core_of(t, p, &hash);
    if (is_here(t, hash))
        add_up(&t->core[hash & (t->ncore - 1)], places);
    return DP_OK;
}

/* Whether the core of a pair may reach MS. */
static bool is_common(const table *t, const dp_dust_pair *p)
{
    uint64_t hash;
    if (!dp_dust_similar(&t->s->v[p->x], &t->s->v[p->y], t->o))
        return false;
    core_of(t, p, &hash);
    return is_here(t, hash) && t->core[hash & (t->ncore - 1)] >= enough(t);
}

/* ---- substrings ---------------------------------------------------------------------------- */

static void hash_firsts(const table *t, uint32_t page, uint64_t *hash)
{
    const uint32_t *u = t->s->unit + t->s->first[page];
    uint32_t        n = dp_dust_units(t->s, page);
    hash[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        hash[i + 1] = hash[i] * BASE + u[i] + 1;
}

static uint64_t hash_between(const table *t, const uint64_t *hash, uint32_t i, uint32_t j)
{
    return dp_dust_mix(hash[j] - hash[i] * t->power[j - i]);
}

/* Of the substrings in which the pair differs in bucket (i, k). */
static uint64_t hash_text(const table *t, const dp_dust_pair *p, uint32_t i, uint32_t k)
{
    uint64_t x = hash_between(t, t->hash_x, i, dp_dust_units(t->s, p->x) - k);
    uint64_t y = hash_between(t, t->hash_y, i, dp_dust_units(t->s, p->y) - k);
    return dp_dust_mix(x + y) & t->o->hash_mask;
}

static dp_err count_bucket(void *self, const dp_dust_pair *p, uint32_t i, uint32_t k, uint32_t size)
{
    table *t = self;
    if (size <= t->o->T_low)
        add_up(&t->text[hash_text(t, p, i, k) & (t->ntext - 1)], 1);
    return DP_OK;
}

static dp_err walk_buckets(table *t, const dp_dust_pair *p, dp_dust_on_bucket *on_bucket)
{
    hash_firsts(t, p->x, t->hash_x);
    hash_firsts(t, p->y, t->hash_y);
    return dp_dust_tree_buckets(&t->tree, p, on_bucket, t);
}

static dp_err count_buckets(void *self, const dp_dust_pair *p)
{
    table *t = self;
    if (!is_common(t, p))
        return DP_OK;
    t->wanted[p->x] = t->wanted[p->y] = 1;
    return walk_buckets(t, p, count_bucket);
}

/* ---- the table ----------------------------------------------------------------------------- */

static bool is_same(const dp_dust_site *s, uint32_t x, uint32_t i, uint32_t k, uint32_t y, uint32_t j, uint32_t l)
{
    uint32_t n = dp_dust_units(s, x) - i - k, m = dp_dust_units(s, y) - j - l;
    return n == m && memcmp(s->unit + s->first[x] + i, s->unit + s->first[y] + j, n * sizeof *s->unit) == 0;
}

/* Whether the entry has the two substrings, in either order. */
static bool is_entry(const table *t, const entry *e, const dp_dust_pair *p, uint32_t i, uint32_t k)
{
    const dp_dust_site *s = t->s;
    return (is_same(s, e->x, e->i, e->k, p->x, i, k) && is_same(s, e->y, e->i, e->k, p->y, i, k)) ||
           (is_same(s, e->x, e->i, e->k, p->y, i, k) && is_same(s, e->y, e->i, e->k, p->x, i, k));
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

static dp_err add_bucket(void *self, const dp_dust_pair *p, uint32_t i, uint32_t k, uint32_t size)
{
    table   *t = self;
    uint64_t hash = hash_text(t, p, i, k);
    if (t->text[hash & (t->ntext - 1)] < enough(t) || t->full)
        return DP_OK;
    if (t->n * 2 >= t->cap) {
        t->full = t->most && t->n >= t->most;
        if (t->full)
            return DP_OK;
        DP_TRY(grow(t));
    }
    size_t at = hash & (t->cap - 1);
    while (t->v[at].high && !(t->v[at].hash == hash && is_entry(t, &t->v[at], p, i, k)))
        at = (at + 1) & (t->cap - 1);
    if (!t->v[at].high) {
        t->v[at] = (entry){hash, p->x, p->y, i, k, 0, 0};
        t->n++;
    }
    t->v[at].low += size <= t->o->T_low;
    t->v[at].high++;
    return DP_OK;
}

static dp_err add_buckets(void *self, const dp_dust_pair *p)
{
    table *t = self;
    return is_common(t, p) && !t->full ? walk_buckets(t, p, add_bucket) : DP_OK;
}

/* ---- rules --------------------------------------------------------------------------------- */

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

static uint32_t tokens_between(const dp_dust_site *s, uint32_t page, uint32_t i, uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t u = s->first[page] + i; u < s->first[page + 1] - k; u++)
        n += s->weight[s->unit[u]];
    return n;
}

/* α > β: more tokens, then more bytes, then by bytes. */
static bool is_greater(dp_str a, uint32_t m, dp_str b, uint32_t n)
{
    if (m != n)
        return m > n;
    return a.n != b.n ? a.n > b.n : dp_str_cmp(a, b) > 0;
}

static dp_dust_rule rule_of(const table *t, const entry *e)
{
    dp_str       x = dp_dust_cut(t->s, e->x, e->i, e->k), y = dp_dust_cut(t->s, e->y, e->i, e->k);
    uint32_t     m = tokens_between(t->s, e->x, e->i, e->k), n = tokens_between(t->s, e->y, e->i, e->k);
    bool         first = is_greater(x, m, y, n);
    return (dp_dust_rule){.alpha = first ? x : y,
                          .beta = first ? y : x,
                          .alpha_tokens = first ? m : n,
                          .beta_tokens = first ? n : m,
                          .at_start = e->i == 0,
                          .at_end = e->k == 0,
                          .sup_low = e->low,
                          .sup_high = e->high};
}

static dp_err list_rules(table *t)
{
    for (size_t i = 0; i < t->cap; i++) {
        if (!t->v[i].high || t->v[i].low < t->o->MS)
            continue;
        if (t->nrule == t->rule_cap) {
            size_t        cap = t->rule_cap ? t->rule_cap * 2 : 256;
            dp_dust_rule *v = realloc(t->rule, cap * sizeof *v);
            if (!v)
                return DP_ENOMEM;
            t->rule = v;
            t->rule_cap = cap;
        }
        t->rule[t->nrule++] = rule_of(t, &t->v[i]);
    }
    return DP_OK;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static dp_err walk(table *t, dp_dust_on_pair *on_pair)
{
    return dp_dust_tree_walk(&t->tree, on_pair, t);
}

/* The rules of one range of cores; nothing but `full` when the table has no room for them. */
static dp_err do_range(table *t)
{
    memset(t->core, 0, t->ncore);
    memset(t->text, 0, t->ntext);
    memset(t->wanted, 0, t->s->n);
    free(t->v);
    t->v = NULL;
    t->n = t->cap = 0;
    t->full = false;
    t->tree.wanted = NULL;
    DP_TRY(walk(t, count_core));
    DP_TRY(walk(t, count_buckets));
    t->tree.wanted = t->wanted;
    DP_TRY(walk(t, add_buckets));
    return t->full ? DP_OK : list_rules(t);
}

/* All cores whose hashes lie in one range; a range with too many rules is cut in two. One that cannot be cut any more
 * is taken as it is. */
static dp_err do_ranges(table *t, uint64_t range, uint64_t ranges)
{
    size_t most = t->most;
    t->range = range;
    t->ranges = ranges;
    if (ranges >= (uint64_t)1 << 32)
        t->most = 0;
    DP_TRY(do_range(t));
    t->most = most;
    if (!t->full)
        return DP_OK;
    DP_TRY(do_ranges(t, range * 2, ranges * 2));
    return do_ranges(t, range * 2 + 1, ranges * 2);
}

static size_t power_of_two(uint64_t n)
{
    size_t k = 1024;
    while (k < n && k < (size_t)1 << 40)
        k *= 2;
    return k;
}

/* Bytes a page for the cells of cores and of pairs of substrings, when there is room. */
enum { CORE_CELLS = 8, TEXT_CELLS = 16 };

static dp_err start(table *t)
{
    size_t n = (size_t)t->s->longest + 1;
    t->ranges = 1;
    if (t->o->memory) {
        t->ranges = t->s->n * (CORE_CELLS + TEXT_CELLS) / (t->o->memory / 2 + 1) + 1;
        t->most = t->o->memory / 2 / (2 * sizeof(entry)) + 16;
    }
    t->ncore = power_of_two(t->s->n * CORE_CELLS / t->ranges);
    t->ntext = power_of_two(t->s->n * TEXT_CELLS / t->ranges);
    t->core = calloc(t->ncore, 1);
    t->text = calloc(t->ntext, 1);
    t->wanted = calloc(t->s->n + 1, 1);
    t->power = calloc(n, sizeof *t->power);
    t->hash_x = calloc(n, sizeof *t->hash_x);
    t->hash_y = calloc(n, sizeof *t->hash_y);
    if (!t->core || !t->text || !t->wanted || !t->power || !t->hash_x || !t->hash_y)
        return DP_ENOMEM;
    t->power[0] = 1;
    for (size_t i = 1; i < n; i++)
        t->power[i] = t->power[i - 1] * BASE;
    return DP_OK;
}

static dp_err detect(table *t)
{
    DP_TRY(start(t));
    for (uint64_t i = 0, n = t->ranges; i < n; i++)
        DP_TRY(do_ranges(t, i, n));
    return DP_OK;
}

dp_err dp_dust_detect(dp_dust_rules *out, dp_dust_site *s, const dp_dust_options *o, dp_arena *a)
{
    table t = {.s = s, .o = o};
    DP_TRY(dp_dust_tree_init(&t.tree, s, o));
    dp_err e = detect(&t);
    dp_dust_tree_done(&t.tree);
    dp_dust_rule *v = e == DP_OK ? DP_NEWS(a, t.nrule, dp_dust_rule) : NULL;
    if (e == DP_OK && !v)
        e = DP_ENOMEM;
    if (v) {
        if (t.nrule)
            memcpy(v, t.rule, t.nrule * sizeof *v);
        qsort(v, t.nrule, sizeof *v, by_high);
        *out = (dp_dust_rules){v, t.nrule};
    }
    free(t.core);
    free(t.text);
    free(t.wanted);
    free(t.power);
    free(t.hash_x);
    free(t.hash_y);
    free(t.v);
    free(t.rule);
    return e;
}
