/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/support.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"

static uint64_t key_hash(uint32_t key)
{
    return dp_hash_mix(key + 0x2545F4914F6CDD1Du);
}

/* What a star adds to the hash of keys. */
static uint64_t star_hash(uint32_t key)
{
    return dp_hash_mix(key + 0x9FB21C651E98DF25u);
}

dp_err dp_rw_index_init(dp_rw_index *out, const dp_book *b, const dp_site *s, uint32_t folds, dp_arena *a)
{
    dp_keyed *tmp = calloc((size_t)b->n + 1, sizeof *tmp);
    uint8_t  *is_source = DP_NEWS(a, b->n, uint8_t);
    *out = (dp_rw_index){.book = b, .site = s, .is_source = is_source, .by_keys = DP_NEWS(a, b->n, dp_keyed)};
    if (!tmp || !is_source || !out->by_keys || !dp_index_reserve(&out->by_hash, b->n)) {
        free(tmp);
        return DP_ENOMEM;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t keys = 0;
        for (uint32_t j = b->at[i]; j < b->at[i + 1]; j++)
            keys += key_hash(b->cell[j].key);
        out->by_keys[i] = (dp_keyed){keys, i};
        is_source[i] = folds >> s->fold[b->cluster[i]] & 1;
        dp_index_put(&out->by_hash, b->hash[i]);
    }
    dp_keyed_sort(out->by_keys, tmp, b->n, UINT64_MAX);
    free(tmp);
    return DP_OK;
}

void dp_rw_index_done(dp_rw_index *x)
{
    dp_index_done(&x->by_hash);
}

/* The first of `by_keys` with these keys or more. */
static uint32_t first_with(const dp_rw_index *x, uint64_t keys)
{
    uint32_t i;
    DP_BISECT(i, x->book->n, x->by_keys[i].key < keys);
    return i;
}

static uint32_t find_map(const dp_rw_index *x, uint64_t hash)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&x->by_hash, hash); dp_index_next(&w, &i);)
        if (x->book->hash[i] == hash)
            return i;
    return UINT32_MAX;
}

/* ---- rules by their kinds -------------------------------------------------------------------- */

/* A rule with what it looks at: keys of u and v, and which of them are stars. */
typedef struct job {
    uint64_t from_keys, from_kind, to_keys, to_kind;
    uint64_t context; /* hash of the texts of c */
    uint32_t rule, out;
    bool     erases;
    uint32_t next;    /* job + 1 with the same context */
    uint32_t first;   /* of the kind's context number i, in its job number i: job + 1 */
} job;

static job job_of(const dp_rw_rules *s, uint32_t rule, uint32_t out)
{
    const dp_rw_rule *r = &s->v[rule];
    job               j = {.rule = rule, .out = out};
    for (uint32_t i = 0; i < r->n; i++) {
        dp_rw_part p = s->part[r->at + i];
        if (p.c != DP_V_ABSENT) {
            j.from_keys += key_hash(p.key);
            j.from_kind += p.c == DP_V_STAR ? star_hash(p.key) : 0;
            j.context += p.c == DP_V_STAR ? 0 : dp_cell_hash(p.key, p.c);
        }
        if (p.a != DP_V_ABSENT) {
            j.to_keys += key_hash(p.key);
            j.to_kind += p.a == DP_V_STAR ? star_hash(p.key) : 0;
            j.erases |= p.a == DP_V_STAR;
        }
    }
    j.from_kind += j.from_keys;
    j.to_kind = j.erases ? j.to_kind + j.to_keys : 0;
    return j;
}

static int by_kind(const void *l, const void *r)
{
    const job *x = l, *y = r;
    if (x->to_kind != y->to_kind)
        return x->to_kind < y->to_kind ? -1 : 1;
    if (x->from_kind != y->from_kind)
        return x->from_kind < y->from_kind ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* ---- how many maps are alike but for stars --------------------------------------------------- */

typedef struct tally {
    uint64_t hash, count;
} tally;

typedef struct tallies {
    tally   *v; /* [index.n] */
    dp_index index;
} tallies;

/* NULL: the walk has ended where it would be. */
static tally *find_tally(const tallies *t, uint64_t hash, dp_index_walk *w)
{
    uint32_t i;
    *w = dp_index_from(&t->index, hash);
    while (dp_index_next(w, &i))
        if (t->v[i].hash == hash)
            return &t->v[i];
    return NULL;
}

static uint64_t tally_of(const tallies *t, uint64_t hash)
{
    dp_index_walk w;
    const tally  *one = find_tally(t, hash, &w);
    return one ? one->count : 0;
}

static void tally_add(tallies *t, uint64_t hash)
{
    dp_index_walk w;
    tally        *one = find_tally(t, hash, &w);
    if (one)
        one->count++;
    else
        t->v[dp_index_end(&t->index, &w)] = (tally){hash, 1};
}

static uint64_t with_cluster(uint64_t hash, uint32_t cluster)
{
    return dp_hash_mix(hash + cluster + 1);
}

/* Hash of map `u` without the cells of `star`; false when one of them is no text. */
static bool blank(uint64_t *hash, const dp_book *b, uint32_t u, const uint32_t *star, uint32_t nstar)
{
    const dp_cell *c = b->cell + b->at[u];
    *hash = b->hash[u];
    for (uint32_t i = 0; i < nstar; i++) {
        if (!dp_is_text(c[star[i]].val))
            return false;
        *hash -= dp_cell_hash(c[star[i]].key, c[star[i]].val);
    }
    return true;
}

/* Where the stars of a rule stand among the cells of the maps it matches (or makes). Maps of one kind have the same
 * keys at the same places. */
static uint32_t star_places(uint32_t *out, const dp_rw_rules *s, const dp_rw_rule *r, bool to)
{
    uint32_t n = 0, place = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        dp_rw_part p = s->part[r->at + i];
        uint32_t   val = to ? p.a : p.c;
        if (val == DP_V_STAR)
            out[n++] = place;
        place += val != DP_V_ABSENT;
    }
    return n;
}

static dp_err count_targets(tallies *t, const dp_rw_index *x, const dp_rw_rules *s, const job *j)
{
    uint32_t from = first_with(x, j->to_keys), to = from, star[DP_RW_PARTS];
    uint32_t nstar = star_places(star, s, &s->v[j->rule], true);
    while (to < x->book->n && x->by_keys[to].key == j->to_keys)
        to++;
    size_t most = 2 * (size_t)(to - from);
    if (!DP_RESIZE(t->v, most) || !dp_index_reserve(&t->index, most))
        return DP_ENOMEM;
    for (uint32_t i = from; i < to; i++) {
        uint32_t u = x->by_keys[i].item;
        uint64_t hash;
        if (!blank(&hash, x->book, u, star, nstar))
            continue;
        tally_add(t, hash);
        tally_add(t, with_cluster(hash, x->book->cluster[u]));
    }
    return DP_OK;
}

/* ---- one rule on one map --------------------------------------------------------------------- */

/* Hash of r(u) at the keys that are no stars. */
static uint64_t target_hash(const dp_rw_rules *s, const dp_rw_rule *r, const dp_cell *u, uint32_t nu)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        dp_rw_part p = s->part[r->at + i];
        if (p.a == DP_V_ABSENT || p.a == DP_V_STAR)
            continue;
        uint32_t val = p.a & DP_V_REF ? dp_cells_find(u, nu, p.a & ~DP_V_REF) : p.a;
        hash += dp_cell_hash(p.key, val);
    }
    return hash;
}

static void count_one(dp_rw_count *out, const dp_rw_index *x, const dp_rw_rules *s, const job *j, const tallies *t,
                      uint32_t u)
{
    const dp_book    *b = x->book;
    const dp_rw_rule *r = &s->v[j->rule];
    uint32_t          nu;
    const dp_cell    *c = dp_book_cells(b, u, &nu);
    uint64_t          hash = target_hash(s, r, c, nu), all = 0, same = 0;
    out->matched++;
    if (j->erases) {
        uint32_t star[DP_RW_PARTS];
        uint64_t own;
        all = tally_of(t, hash);
        same = all ? tally_of(t, with_cluster(hash, b->cluster[u])) : 0;
        /* u itself is no pair */
        if (same && j->to_keys == j->from_keys &&
            blank(&own, b, u, star, star_places(star, s, r, true)) && own == hash) {
            all--;
            same--;
        }
    } else {
        uint32_t v = find_map(x, hash);
        out->unchanged += v == u;
        all = v != UINT32_MAX && v != u;
        same = all && b->cluster[v] == b->cluster[u];
    }
    out->support += all;
    out->wrong += all - same;
    if (same) {
        out->explained++;
        out->by |= 1u << x->site->by[b->url[u]];
    }
}

/* ---- all of one kind ------------------------------------------------------------------------- */

typedef struct work {
    dp_rw_count       *out;
    const dp_rw_index *x;
    const dp_rw_rules *rules;
    job               *job;
    uint32_t          *start; /* [n + 1] of jobs with one kind of target */
} work;

/* The context that has that hash among those of jobs from `v` on; UINT32_MAX: the walk has ended where it would be. */
static uint32_t find_context(const dp_index *contexts, const job *all, const job *v, uint64_t hash, dp_index_walk *w)
{
    uint32_t i;
    *w = dp_index_from(contexts, hash);
    while (dp_index_next(w, &i))
        if (all[v[i].first - 1].context == hash)
            return i;
    return UINT32_MAX;
}

/* Number the contexts of some jobs, and chain those of each. */
static bool index_contexts(dp_index *contexts, job *all, uint32_t from, uint32_t to)
{
    dp_index_walk w;
    if (!dp_index_reserve(contexts, to - from))
        return false;
    for (uint32_t i = from; i < to; i++) {
        uint32_t at = find_context(contexts, all, all + from, all[i].context, &w);
        bool     is_new = at == UINT32_MAX;
        job     *head = &all[from + (is_new ? dp_index_end(contexts, &w) : at)];
        all[i].next = is_new ? 0 : head->first;
        head->first = i + 1;
    }
    return true;
}

/* Rules of one kind of context: these by their hashes, and one pass over the maps with its keys. */
static dp_err run_contexts(work *w, uint32_t from, uint32_t to, const tallies *t)
{
    const dp_rw_index *x = w->x;
    dp_index           contexts = {0};
    dp_index_walk      walk;
    uint32_t           star[DP_RW_PARTS];
    uint32_t           nstar = star_places(star, w->rules, &w->rules->v[w->job[from].rule], false);
    if (!index_contexts(&contexts, w->job, from, to))
        return DP_ENOMEM;
    for (uint32_t i = first_with(x, w->job[from].from_keys); i < x->book->n; i++) {
        uint32_t u = x->by_keys[i].item;
        uint64_t hash;
        if (x->by_keys[i].key != w->job[from].from_keys)
            break;
        if (!x->is_source[u] || !blank(&hash, x->book, u, star, nstar))
            continue;
        uint32_t at = find_context(&contexts, w->job, w->job + from, hash, &walk);
        for (uint32_t j = at == UINT32_MAX ? 0 : w->job[from + at].first; j; j = w->job[j - 1].next)
            count_one(&w->out[w->job[j - 1].out], x, w->rules, &w->job[j - 1], t, u);
    }
    dp_index_done(&contexts);
    return DP_OK;
}

static dp_err run_targets(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    work    *w = ctx;
    uint32_t from = w->start[i], to = w->start[i + 1];
    tallies  t = {0};
    dp_err   e = w->job[from].erases ? count_targets(&t, w->x, w->rules, &w->job[from]) : DP_OK;
    for (uint32_t j = from, k; j < to && e == DP_OK; j = k) {
        for (k = j + 1; k < to && w->job[k].from_kind == w->job[j].from_kind; k++) {}
        e = run_contexts(w, j, k, &t);
    }
    free(t.v);
    dp_index_done(&t.index);
    return e;
}

dp_err dp_rw_support(dp_rw_count *out, const dp_rw_index *x, const dp_rw_rules *rules, const uint32_t *which,
                     uint32_t n, dp_pool *pool)
{
    work     w = {.out = out, .x = x, .rules = rules, .job = calloc((size_t)n + 1, sizeof *w.job),
                  .start = calloc((size_t)n + 1, sizeof *w.start)};
    uint32_t kinds = 0;
    dp_err   e = w.job && w.start ? DP_OK : DP_ENOMEM;
    if (e == DP_OK) {
        for (uint32_t i = 0; i < n; i++)
            w.job[i] = job_of(rules, which[i], i);
        qsort(w.job, n, sizeof *w.job, by_kind);
        memset(out, 0, n * sizeof *out);
        /* Rules that erase nothing need no table: each kind of context can be a task of its own. */
        for (uint32_t i = 0; i < n; i++)
            if (i == 0 || w.job[i].to_kind != w.job[i - 1].to_kind ||
                (!w.job[i].erases && w.job[i].from_kind != w.job[i - 1].from_kind))
                w.start[kinds++] = i;
        w.start[kinds] = n;
        e = dp_pool_run(pool, kinds, run_targets, &w);
    }
    free(w.job);
    free(w.start);
    return e;
}
