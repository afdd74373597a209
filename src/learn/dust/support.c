/* Pairs of substrings and how many envelopes they share: [BKS06] Figure 2, lines 14-22, for T_low and T_high at once.
 *
 * Most cores (core.h) are seen once or twice, and nothing that has them can have support MS. So pairs of URLs are
 * walked three times: cells of two bits count them a core, and then buckets a pair of substrings, for the cores that
 * may reach MS; then the pairs of substrings that may reach it get a place in the table. A cell counts to three and may
 * stand for several: it only lets too much through. Small cells stay in the cache.
 *
 * With `memory` the cores are cut into ranges by their hashes, as many as it takes: a rule belongs to one of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/core.h"

#include "base/index.h"
#include "base/room.h"

#include <stdlib.h>

/* A pair of substrings, by one bucket that has it. */
typedef struct entry {
    uint64_t hash;
    uint32_t x, y, i, k;
    uint32_t low, high;
} entry;

/* Counts up to 3 by hash. */
typedef struct cells {
    uint64_t *v;    /* [n] 32 in each, a power of two */
    size_t    n;
} cells;

typedef struct table {
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_tree           tree;
    dp_dust_core           in;
    uint64_t               range, ranges; /* of cores: number `range` of so many */
    cells                  core;          /* pairs of URLs */
    cells                  text;          /* buckets of a pair of substrings */
    uint8_t               *wanted;        /* [s->n] pages that may matter in the third walk */
    entry                 *v;             /* [index.n] */
    size_t                 cap, most;     /* most: entries that memory allows; 0: no limit */
    dp_index               index;
    bool                   full;
    entry                 *kept; /* [nkept] of all ranges: candidates */
    size_t                 nkept, kept_cap;
    size_t                 passes; /* ranges begun */
} table;

/* ---- cores --------------------------------------------------------------------------------- */

static bool is_here(const table *t, uint64_t core)
{
    return (uint64_t)((unsigned __int128)core * t->ranges >> 64) == t->range;
}

/* Of the cell in its word: by bits that neither the word nor the range of a core is chosen by. */
static int shift_of(uint64_t hash)
{
    return (int)(hash >> 38) & 62;
}

static void count_cell(cells *c, uint64_t hash, uint32_t n)
{
    uint64_t *v = &c->v[hash & (c->n - 1)];
    int       shift = shift_of(hash);
    uint64_t  now = *v >> shift & 3, more = n > 3 - now ? 3 - now : n;
    *v += more << shift;
}

/* Whether what has that hash may have reached MS. */
static bool is_enough(const table *t, const cells *c, uint64_t hash)
{
    return (c->v[hash & (c->n - 1)] >> shift_of(hash) & 3) >= (t->o->MS < 3 ? t->o->MS : 3);
}

static bool is_similar(const table *t, const dp_dust_pair *p)
{
    return dp_dust_similar(t->s, p->x, p->y, t->o);
}

static dp_err count_core(void *self, const dp_dust_pair *p)
{
    table   *t = self;
    uint64_t hash;
    if (!is_similar(t, p))
        return DP_OK;
    uint32_t places = dp_dust_core_hash(&t->in, p, &hash);
    if (is_here(t, hash))
        count_cell(&t->core, hash, places);
    return DP_OK;
}

/* Whether the core of a pair may reach MS. */
static bool is_common(const table *t, const dp_dust_pair *p)
{
    uint64_t hash;
    dp_dust_core_hash(&t->in, p, &hash);
    return is_here(t, hash) && is_enough(t, &t->core, hash) && is_similar(t, p);
}

/* ---- substrings ---------------------------------------------------------------------------- */

static dp_err count_all(void *self, const dp_dust_pair *p, const dp_dust_text *text, size_t n)
{
    table *t = self;
    (void)p;
    for (size_t i = 0; i < n; i++)
        count_cell(&t->text, text[i].hash, 1);
    return DP_OK;
}

static dp_err count_texts(void *self, const dp_dust_pair *p)
{
    table *t = self;
    if (!is_common(t, p))
        return DP_OK;
    t->wanted[p->x] = t->wanted[p->y] = 1;
    return dp_dust_core_texts(&t->in, p, count_all, t);
}

/* ---- the table ----------------------------------------------------------------------------- */

static bool is_entry(table *t, const entry *e, const dp_dust_pair *p, const dp_dust_text *text)
{
    return dp_dust_core_same(&t->in, e->x, e->y, e->i, e->k, p, text) != 0;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const table *)self)->v[number].hash;
}

/* Room for `n` more entries; `full` when memory does not allow that. */
static dp_err make_room(table *t, size_t n)
{
    while (t->index.n + n > t->index.room) {
        t->full = t->most && t->index.n >= t->most;
        if (t->full)
            return DP_OK;
        if (!dp_index_grow(&t->index, hash_of, t))
            return DP_ENOMEM;
    }
    return DP_ROOM_FOR(t->v, t->index.n + n, t->cap) ? DP_OK : DP_ENOMEM;
}

static void add_text(table *t, const dp_dust_pair *p, const dp_dust_text *text, dp_index_walk from)
{
    uint32_t i;
    bool     there = false;
    while (!there && dp_index_next(&from, &i))
        there = t->v[i].hash == text->hash && is_entry(t, &t->v[i], p, text);
    if (!there) {
        i = dp_index_end(&t->index, &from);
        t->v[i] = (entry){text->hash, p->x, p->y, text->i, text->k, 0, 0};
    }
    t->v[i].low += text->size <= t->o->T_low;
    t->v[i].high++;
}

static void drop_entries(table *t)
{
    free(t->v);
    t->v = NULL;
    t->cap = 0;
    dp_index_done(&t->index);
}

/* Some at a time, so that the places of all of them are fetched before the first is looked at. */
static dp_err add_all(void *self, const dp_dust_pair *p, const dp_dust_text *text, size_t n)
{
    enum { BLOCK = 32 };
    table *t = self;
    for (size_t i = 0; i < n && !t->full; i += BLOCK) {
        size_t   some = n - i < BLOCK ? n - i : BLOCK, left = 0;
        uint32_t go[BLOCK];
        dp_index_walk from[BLOCK];
        DP_TRY(make_room(t, some));
        for (size_t k = i; k < i + some; k++) {
            go[left] = (uint32_t)(k - i);
            left += is_enough(t, &t->text, text[k].hash);
        }
        if (t->full)
            break;
        for (size_t k = 0; k < left; k++) {
            from[k] = dp_index_from(&t->index, text[i + go[k]].hash);
            __builtin_prefetch(&from[k].slot[from[k].at]);
        }
        for (size_t k = 0; k < left; k++)
            add_text(t, p, &text[i + go[k]], from[k]);
    }
    return DP_OK;
}

static dp_err add_texts(void *self, const dp_dust_pair *p)
{
    table *t = self;
    return is_common(t, p) && !t->full ? dp_dust_core_texts(&t->in, p, add_all, t) : DP_OK;
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

void dp_dust_sort(dp_dust_rules *r)
{
    if (r->n)
        qsort(r->v, r->n, sizeof *r->v, by_high);
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
    dp_str   x = dp_dust_cut(t->s, e->x, e->i, e->k), y = dp_dust_cut(t->s, e->y, e->i, e->k);
    uint32_t m = tokens_between(t->s, e->x, e->i, e->k), n = tokens_between(t->s, e->y, e->i, e->k);
    bool     first = is_greater(x, m, y, n);
    return (dp_dust_rule){.alpha = first ? x : y,
                          .beta = first ? y : x,
                          .alpha_tokens = first ? m : n,
                          .beta_tokens = first ? n : m,
                          .at_start = e->i == 0,
                          .at_end = e->k == 0,
                          .x = first ? e->x : e->y,
                          .y = first ? e->y : e->x,
                          .i = e->i,
                          .k = e->k,
                          .sup_low = e->low,
                          .sup_high = e->high};
}

static dp_err keep_candidates(table *t)
{
    for (size_t i = 0; i < t->index.n; i++) {
        if (t->v[i].low < t->o->MS)
            continue;
        if (!DP_ROOM(t->kept, t->nkept, t->kept_cap))
            return DP_ENOMEM;
        t->kept[t->nkept++] = t->v[i];
    }
    return DP_OK;
}

static dp_err list_rules(dp_dust_rules *out, const table *t, dp_arena *a)
{
    dp_dust_rules r = {DP_NEWS(a, t->nkept, dp_dust_rule), t->nkept, t->passes};
    if (!r.v)
        return DP_ENOMEM;
    for (size_t i = 0; i < r.n; i++)
        r.v[i] = rule_of(t, &t->kept[i]);
    dp_dust_sort(&r);
    *out = r;
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
    t->passes++;
    memset(t->core.v, 0, t->core.n * sizeof *t->core.v);
    memset(t->text.v, 0, t->text.n * sizeof *t->text.v);
    memset(t->wanted, 0, t->s->n);
    drop_entries(t);
    t->full = false;
    t->tree.wanted = NULL;
    t->tree.most = t->tree.most_shown = t->o->T_low; /* what MS asks for */
    DP_TRY(walk(t, count_core));
    t->tree.most = t->o->T_high;
    DP_TRY(walk(t, count_texts));
    t->tree.most_shown = t->o->T_high;
    t->tree.wanted = t->wanted;
    DP_TRY(walk(t, add_texts));
    return t->full ? DP_OK : keep_candidates(t);
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

/* Bytes a page for the cells of cores and of pairs of substrings, when there is room; members of nodes a page. */
enum { CORE_BYTES = 1, TEXT_BYTES = 4, MEMBERS = 4 };

/* The least power of two that has `bytes` or more; but half as much, and so on, while it is more than `most`. */
static dp_err make_cells(cells *c, uint64_t bytes, uint64_t most)
{
    c->n = 8;
    while (c->n * sizeof *c->v < bytes && c->n * sizeof *c->v * 2 <= most)
        c->n *= 2;
    c->v = calloc(c->n, sizeof *c->v);
    return c->v ? DP_OK : DP_ENOMEM;
}

/* What counting may take: all but the URLs and the tree, whose memory cannot be divided; a quarter of it when these
 * are too large. */
static uint64_t memory_left(const table *t)
{
    const dp_dust_site *s = t->s;
    uint64_t            page = sizeof *s->v + (s->content ? sizeof *s->content : 0) +
                    (3 + 3 + 4 * MEMBERS) * sizeof(uint32_t); /* columns, lists, nodes */
    uint64_t            fixed = s->n * page + s->first[s->n] * sizeof *s->unit + s->nunit * sizeof(uint32_t);
    uint64_t            memory = t->o->memory;
    return memory / 4 * 3 > fixed ? memory - fixed : memory / 4;
}

static dp_err start(table *t)
{
    uint64_t n = t->s->n, most = UINT64_MAX;
    if (t->o->memory) {
        /* An eighth for each kind of cells, the rest for the table: when it grows, it is there with 4/3 and with 8/3
         * as many places as entries. */
        most = memory_left(t) / 8;
        t->most = 16 + most * 6 / (4 * sizeof(entry));
    }
    DP_TRY(dp_dust_core_init(&t->in, &t->tree));
    DP_TRY(make_cells(&t->core, n * CORE_BYTES, most));
    DP_TRY(make_cells(&t->text, n * TEXT_BYTES, most));
    t->wanted = calloc(n + 1, 1);
    return t->wanted ? DP_OK : DP_ENOMEM;
}

/* So many ranges that cells do not stand for more cores and texts than with all the memory there is. */
static dp_err detect(table *t)
{
    DP_TRY(start(t));
    uint64_t ranges = t->s->n * (CORE_BYTES + TEXT_BYTES) / ((t->core.n + t->text.n) * sizeof *t->core.v) + 1;
    for (uint64_t i = 0; i < ranges; i++)
        DP_TRY(do_ranges(t, i, ranges));
    return DP_OK;
}

dp_err dp_dust_detect(dp_dust_rules *out, dp_dust_site *s, const dp_dust_options *o, dp_arena *a)
{
    table t = {.s = s, .o = o};
    DP_TRY(dp_dust_tree_init(&t.tree, s, o));
    dp_err e = detect(&t);
    free(t.core.v);
    free(t.text.v);
    free(t.wanted);
    drop_entries(&t);
    dp_dust_core_done(&t.in);
    dp_dust_tree_done(&t.tree);
    if (e == DP_OK)
        e = list_rules(out, &t, a);
    free(t.kept);
    return e;
}
