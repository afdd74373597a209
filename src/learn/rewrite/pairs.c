/* The first round: specific rules of all pairs of a cluster, never stored, and the entries that they make.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/order.h"
#include "learn/rewrite/rounds.h"

#include <stdlib.h>

#include "base/hash.h"

/* ---- clusters -------------------------------------------------------------------------------- */

static bool is_taught(const dp_site *s, uint32_t cluster, uint32_t folds)
{
    return (folds >> s->fold[cluster] & 1) && !(s->is_soft && s->is_soft[cluster]);
}

dp_err dp_rw_train_init(dp_rw_train *out, const dp_book *b, const dp_site *s, uint32_t folds, dp_arena *a)
{
    uint32_t *size = calloc((size_t)s->nclusters + 1, sizeof *size); /* then: where its next map goes, + 1 */
    *out = (dp_rw_train){.map = DP_NEWS(a, b->n, uint32_t), .at = DP_NEWS(a, (size_t)s->nclusters + 1, uint32_t),
                         .is_used = DP_NEWS(a, b->n, bool)};
    if (!size || !out->map || !out->at || !out->is_used) {
        free(size);
        return DP_ENOMEM;
    }
    for (uint32_t i = 0; i < b->n; i++)
        size[b->cluster[i]]++;
    uint32_t at = 0;
    for (uint32_t c = 0; c < s->nclusters; c++) {
        uint32_t n = size[c];
        bool     used = n > 1 && is_taught(s, c, folds);
        size[c] = used ? at + 1 : 0;
        if (!used)
            continue;
        out->at[out->n++] = at;
        at += n;
    }
    out->at[out->n] = at;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t *next = &size[b->cluster[i]];
        if (!*next)
            continue;
        out->map[*next - 1] = i;
        out->is_used[i] = true;
        ++*next;
    }
    free(size);
    return DP_OK;
}

/* ---- one cluster at work --------------------------------------------------------------------- */

typedef struct mate {
    uint32_t map;
    uint32_t group;
    uint64_t live; /* bits: cells at which enough URLs differ from it in nothing else, for a source */
    uint64_t near; /* the same for a target: one less, for a reference to the key itself is a value, too */
    uint64_t rest, near_rest; /* the same without the key of groups */
    bool     is_target;
} mate;

/* Mates that are equal but for `key`; one that is alone need not have it. */
typedef struct group {
    uint32_t at, n, ntarget; /* mates [at, at + n), the targets first */
    bool     has_key;
} group;

typedef struct place {
    uint64_t hash; /* of a map without a key */
    uint32_t key, mate;
} place;

typedef struct walk {
    dp_rw_maker  *m;
    dp_rw_sieve   urls, members;
    dp_rw_entries entries;
    bool          counting;
    uint32_t      least;
    mate         *mate; /* of the cluster, by group */
    uint32_t      n;
    place        *place;
    uint32_t      nplace;
    group        *group;
    uint32_t      ngroup;
    uint32_t      key; /* of groups */
    uint32_t     *text; /* [n] of the key in a group, sorted */
} walk;

static uint64_t without(const dp_book *b, uint32_t map, dp_cell c)
{
    return b->hash[map] - dp_cell_hash(c.key, c.val) + dp_rw_gap_hash(c.key);
}

static void count_urls(walk *w, const dp_rw_train *t)
{
    const dp_book *b = w->m->book;
    for (uint32_t i = 0; i < t->at[t->n]; i++) {
        uint32_t       n, map = t->map[i];
        const dp_cell *c = dp_book_cells(b, map, &n);
        for (uint32_t j = 0; j < n; j++)
            if (dp_is_text(c[j].val))
                dp_rw_sieve_add(&w->urls, without(b, map, c[j]), 1);
    }
}

/* Cells without which so many URLs are the same, and those with one less; in one go, as each is a load from memory. */
static void find_live(const walk *w, mate *m)
{
    const dp_book *b = w->m->book;
    uint32_t       n;
    const dp_cell *c = dp_book_cells(b, m->map, &n);
    m->live = m->near = 0;
    for (uint32_t j = 0; j < n; j++) {
        uint32_t times = dp_is_text(c[j].val) ? dp_rw_sieve_count(&w->urls, without(b, m->map, c[j])) : 0;
        m->live |= (uint64_t)(dp_is_text(c[j].val) && times >= w->least) << j;
        m->near |= (uint64_t)(dp_is_text(c[j].val) && times + 1 >= w->least) << j;
    }
}

static int by_mixed_hash(const void *l, const void *r, void *book)
{
    const dp_book *b = book;
    uint32_t       x = ((const mate *)l)->map, y = ((const mate *)r)->map;
    uint64_t       p = dp_hash_mix(b->hash[x]), q = dp_hash_mix(b->hash[y]);
    return p != q ? (p < q ? -1 : 1) : (x > y) - (x < y);
}

/* The mates of a cluster; of a large one a sample by hash. */
static void gather(walk *w, const uint32_t *map, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        w->mate[i] = (mate){.map = map[i], .is_target = true};
    w->n = n;
    if (n > DP_RW_LARGE && !w->m->options->exact) {
        qsort_r(w->mate, n, sizeof *w->mate, by_mixed_hash, (void *)w->m->book);
        w->n = n < DP_RW_SOURCES ? n : DP_RW_SOURCES;
        for (uint32_t i = DP_RW_TARGETS; i < w->n; i++)
            w->mate[i].is_target = false;
    }
    for (uint32_t i = 0; i < w->n; i++)
        find_live(w, &w->mate[i]);
}

/* ---- groups of a cluster --------------------------------------------------------------------- */

static int by_key_and_hash(const void *l, const void *r)
{
    const place *x = l, *y = r;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->mate > y->mate) - (x->mate < y->mate);
}

static void list_places(walk *w)
{
    const dp_book *b = w->m->book;
    w->nplace = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t       n, map = w->mate[i].map;
        const dp_cell *c = dp_book_cells(b, map, &n);
        for (uint32_t j = 0; j < n; j++)
            if (w->mate[i].live >> j & 1)
                w->place[w->nplace++] = (place){without(b, map, c[j]), c[j].key, i};
    }
    qsort(w->place, w->nplace, sizeof *w->place, by_key_and_hash);
}

static uint32_t run_end(const walk *w, uint32_t i)
{
    uint32_t j = i + 1;
    while (j < w->nplace && w->place[j].key == w->place[i].key && w->place[j].hash == w->place[i].hash)
        j++;
    return j;
}

/* The key whose groups hold most pairs; UINT32_MAX when no two mates differ in one key alone. */
static uint32_t best_key(const walk *w)
{
    uint32_t best = UINT32_MAX;
    uint64_t most = 0, sum = 0;
    for (uint32_t i = 0, j; i < w->nplace; i = j) {
        j = run_end(w, i);
        sum = (i && w->place[i].key == w->place[i - 1].key ? sum : 0) + (uint64_t)(j - i) * (j - i - 1);
        if (sum > most) {
            most = sum;
            best = w->place[i].key;
        }
    }
    return best;
}

static uint64_t key_bit(const walk *w, const mate *m)
{
    uint32_t       n;
    const dp_cell *c = dp_book_cells(w->m->book, m->map, &n);
    for (uint32_t j = 0; j < n; j++)
        if (c[j].key == w->key)
            return 1ull << j;
    return 0;
}

static int by_group(const void *l, const void *r)
{
    const mate *x = l, *y = r;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->is_target != y->is_target)
        return x->is_target ? -1 : 1;
    return (x->map > y->map) - (x->map < y->map);
}

static void make_groups(walk *w)
{
    enum { FEW = 4 }; /* are compared as they are */
    uint32_t next = 0, with_key = 0;
    for (uint32_t i = 0; i < w->n; i++)
        w->mate[i].group = UINT32_MAX;
    w->key = UINT32_MAX;
    if (w->n > FEW) {
        list_places(w);
        w->key = best_key(w);
    }
    for (uint32_t i = 0, j; w->key != UINT32_MAX && i < w->nplace; i = j) {
        j = run_end(w, i);
        if (w->place[i].key != w->key)
            continue;
        for (uint32_t k = i; k < j; k++)
            w->mate[w->place[k].mate].group = next;
        next++;
    }
    with_key = next;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->mate[i].group == UINT32_MAX)
            w->mate[i].group = next++;
    if (with_key)
        qsort(w->mate, w->n, sizeof *w->mate, by_group);
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t other = ~key_bit(w, &w->mate[i]);
        w->mate[i].rest = w->mate[i].live & other;
        w->mate[i].near_rest = w->mate[i].near & other;
    }
    w->ngroup = next;
    for (uint32_t g = 0; g < next; g++)
        w->group[g] = (group){.has_key = g < with_key};
    for (uint32_t i = w->n; i-- > 0;) {
        group *g = &w->group[w->mate[i].group];
        g->at = i;
        g->n++;
        g->ntarget += w->mate[i].is_target;
    }
}

/* ---- members --------------------------------------------------------------------------------- */

static dp_err put(walk *w, const dp_rw_member *m)
{
    if (w->counting) {
        dp_rw_sieve_add(&w->members, m->hash, m->times);
        return DP_OK;
    }
    return dp_rw_sieve_has(&w->members, m->hash, w->least) ? dp_rw_entries_add(&w->entries, m) : DP_OK;
}

/* One pair, at the keys of `live` cells of u, and at those of `near` of v that u has not. */
static dp_err put_pair(walk *w, const mate *u, const mate *v, uint64_t live, uint64_t near)
{
    const dp_book *b = w->m->book;
    uint32_t       nu, nv;
    const dp_cell *x = dp_book_cells(b, u->map, &nu), *y = dp_book_cells(b, v->map, &nv);
    uint64_t       added = 0;
    for (uint64_t bits = near; bits; bits &= bits - 1) {
        uint32_t j = (uint32_t)__builtin_ctzll(bits);
        if (!dp_is_text(dp_cells_find(x, nu, y[j].key)))
            added |= 1ull << j;
    }
    if (!live && !added)
        return DP_OK;
    dp_rw_draft r;
    dp_rw_generate(&r, b, u->map, v->map);
    for (uint32_t i = 0, p = 0, q = 0; i < r.n; i++) {
        bool in_u = p < nu && x[p].key == r.part[i].key, in_v = q < nv && y[q].key == r.part[i].key;
        bool wanted = (in_u && live >> p & 1) || (in_v && added >> q & 1);
        p += in_u;
        q += in_v;
        if (!wanted)
            continue;
        dp_rw_member m = {.hash = r.hash - dp_rw_part_hash(r.part[i]) + dp_rw_gap_hash(r.part[i].key),
                          .key = r.part[i].key, .c = r.part[i].c, .a = r.part[i].a, .times = 1,
                          .origin = {u->map, v->map}};
        DP_TRY(put(w, &m));
    }
    return DP_OK;
}

/* ---- pairs of groups ------------------------------------------------------------------------- */

static uint32_t text_of(const walk *w, const mate *m)
{
    uint32_t       n;
    const dp_cell *c = dp_book_cells(w->m->book, m->map, &n);
    return dp_cells_find(c, n, w->key);
}

/* Whether some other part of the target is to be taken from the key of groups, when that has `text`: then the rule is
 * another one. */
static bool is_odd(const walk *w, const mate *u, const mate *v, uint32_t text)
{
    uint32_t       nu, nv;
    const dp_cell *x = dp_book_cells(w->m->book, u->map, &nu), *y = dp_book_cells(w->m->book, v->map, &nv);
    for (uint32_t j = 0; j < nv; j++)
        if (y[j].key != w->key && y[j].val == text && dp_cells_find(x, nu, y[j].key) != text)
            return true;
    return false;
}

/* a(key) of all targets of `B` for all sources of `A` but odd ones; `even` is one of these. */
static dp_err put_targets(walk *w, dp_rw_member *m, const group *A, const group *B, const mate *even, uint32_t neven)
{
    const dp_book *b = w->m->book;
    uint32_t       nu, n = 0;
    const dp_cell *x = dp_book_cells(b, even->map, &nu);
    dp_cell        rest[DP_BOOK_KEYS];
    for (uint32_t i = 0; i < nu; i++)
        if (x[i].key != w->key)
            rest[n++] = x[i];
    for (uint32_t j = 0; j < B->ntarget; j++) {
        uint32_t val = text_of(w, &w->mate[B->at + j]);
        m->c = text_of(w, even);
        m->a = dp_rw_target(b, rest, n, w->key, val);
        bool     shared = A != B && dp_is_text(val) && !is_odd(w, even, &w->mate[B->at], val) &&
                      bsearch(&val, w->text, A->n, sizeof val, dp_by_number);
        uint32_t others = neven - (A == B || shared ? 1 : 0);
        if (others)
            DP_TRY(dp_rw_entries_value(&w->entries, m, true));
        m->a = DP_V_REF | w->key;
        if (shared)
            DP_TRY(dp_rw_entries_value(&w->entries, m, true));
    }
    return DP_OK;
}

/* The entry at the key of groups, for all pairs of A and B at once. Sources that are odd come one by one. */
static dp_err put_groups(walk *w, const group *A, const group *B)
{
    const mate *u = w->mate + A->at, *v = w->mate + B->at, *even = NULL;
    uint32_t    neven = 0;
    uint64_t    bit = key_bit(w, u);
    for (uint32_t i = 0; i < A->n; i++) {
        if (!is_odd(w, &u[i], v, text_of(w, &u[i]))) {
            even = even ? even : &u[i];
            neven++;
            continue;
        }
        for (uint32_t j = 0; j < B->ntarget; j++)
            if (&u[i] != &v[j])
                DP_TRY(put_pair(w, &u[i], &v[j], bit, 0));
    }
    uint64_t pairs = (uint64_t)neven * B->ntarget;
    if (A == B)
        pairs -= B->ntarget;
    if (!even || pairs == 0)
        return DP_OK;
    dp_rw_draft r;
    dp_rw_generate(&r, w->m->book, even->map, v->map);
    dp_rw_part   p = r.part[dp_rw_find(&r, w->key)];
    dp_rw_member m = {.hash = r.hash - dp_rw_part_hash(p) + dp_rw_gap_hash(w->key), .key = w->key,
                      .origin = {even->map, v->map}};
    if (w->counting) {
        dp_rw_sieve_add(&w->members, m.hash, pairs);
        return DP_OK;
    }
    if (!dp_rw_sieve_has(&w->members, m.hash, w->least))
        return DP_OK;
    for (uint32_t i = 0; i < A->n; i++) {
        m.c = text_of(w, &u[i]);
        m.times = B->ntarget - (A == B && u[i].is_target ? 1 : 0);
        if (m.times && !is_odd(w, &u[i], v, m.c))
            DP_TRY(dp_rw_entries_value(&w->entries, &m, false));
    }
    return put_targets(w, &m, A, B, even, neven);
}

/* All pairs of A and B at the other keys. */
static dp_err put_rest(walk *w, const group *A, const group *B)
{
    for (uint32_t i = 0; i < A->n; i++) {
        const mate *u = &w->mate[A->at + i];
        uint64_t    live = A->has_key ? u->rest : u->live;
        for (uint32_t j = 0; j < B->ntarget; j++) {
            const mate *v = &w->mate[B->at + j];
            uint64_t    near = A->has_key ? v->near_rest : v->near;
            if ((live || near) && u != v)
                DP_TRY(put_pair(w, u, v, live, near));
        }
    }
    return DP_OK;
}

static dp_err walk_cluster(walk *w, const uint32_t *map, uint32_t n)
{
    gather(w, map, n);
    make_groups(w);
    for (uint32_t i = 0; i < w->ngroup; i++) {
        const group *A = &w->group[i];
        if (A->has_key && !w->counting) {
            for (uint32_t k = 0; k < A->n; k++)
                w->text[k] = text_of(w, &w->mate[A->at + k]);
            qsort(w->text, A->n, sizeof *w->text, dp_by_number);
        }
        for (uint32_t j = 0; j < w->ngroup; j++) {
            const group *B = &w->group[j];
            if (A->has_key && B->ntarget)
                DP_TRY(put_groups(w, A, B));
            DP_TRY(put_rest(w, A, B));
        }
    }
    return DP_OK;
}

/* ---- all clusters ---------------------------------------------------------------------------- */

static dp_err begin(walk *w, const dp_rw_train *t)
{
    const dp_book *b = w->m->book;
    uint64_t       cells = 0;
    uint32_t       most = 0;
    size_t         places = 0;
    for (uint32_t c = 0; c < t->n; c++) {
        uint32_t n = t->at[c + 1] - t->at[c];
        size_t   sum = 0;
        for (uint32_t i = t->at[c]; i < t->at[c + 1]; i++)
            sum += b->at[t->map[i] + 1] - b->at[t->map[i]];
        cells += sum;
        most = n > most ? n : most;
        places = sum > places ? sum : places;
    }
    w->least = dp_rw_least(w->m->options);
    w->entries.enough = w->m->options->filter == DP_REWRITE_ENTROPY ? UINT32_MAX : w->least;
    w->mate = calloc(most + 1u, sizeof *w->mate);
    w->group = calloc(most + 1u, sizeof *w->group);
    w->text = calloc(most + 1u, sizeof *w->text);
    w->place = calloc(places + 1, sizeof *w->place);
    if (!w->mate || !w->group || !w->text || !w->place)
        return DP_ENOMEM;
    DP_TRY(dp_rw_sieve_init(&w->urls, cells));
    return dp_rw_sieve_init(&w->members, 2 * cells);
}

static dp_err walk_all(walk *w, const dp_rw_train *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        DP_TRY(walk_cluster(w, t->map + t->at[c], t->at[c + 1] - t->at[c]));
    return DP_OK;
}

dp_err dp_rw_first(dp_rw_maker *m, const dp_rw_train *t)
{
    walk   w = {.m = m, .counting = true};
    dp_err e = begin(&w, t);
    m->first = true;
    if (e == DP_OK) {
        count_urls(&w, t);
        e = walk_all(&w, t);
    }
    w.counting = false;
    if (e == DP_OK)
        e = walk_all(&w, t);
    if (e == DP_OK)
        e = dp_rw_generalize(m, &w.entries);
    dp_rw_sieve_done(&w.urls);
    dp_rw_sieve_done(&w.members);
    dp_rw_entries_done(&w.entries);
    free(w.mate);
    free(w.group);
    free(w.text);
    free(w.place);
    return e;
}
