/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/candidate.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "base/room.h"

typedef struct gathering {
    const dp_duster_lesson *l;
    dp_duster_candidates   *out;
    dp_arena               *a, scratch;
    dp_keyed               *v, *tmp; /* [n] instances by the hashes of their outlines at a level */
    size_t                  n;
    uint32_t                level;
    dp_duster_outline       outline;
    dp_duster_union         sum;
} gathering;

static bool teaches(const dp_duster_lesson *l, const dp_duster_instance *i)
{
    return l->folds >> l->site->fold[i->cluster] & 1;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void sort_instances(gathering *g)
{
    g->n = 0;
    for (uint32_t i = 0; i < g->l->n; i++)
        if (teaches(g->l, g->l->v[i]) && dp_duster_outline_make(&g->outline, g->l->v[i], g->level))
            g->v[g->n++] = (dp_keyed){g->outline.hash, i};
    dp_keyed_sort(g->v, g->tmp, g->n, UINT64_MAX);
}

/* Instances of a group are in the order of their clusters. */
static uint32_t count_pages(const gathering *g, size_t from, size_t to)
{
    uint32_t n = 1;
    for (size_t i = from + 1; i < to; i++)
        n += g->l->v[g->v[i].item]->cluster != g->l->v[g->v[i - 1].item]->cluster;
    return n;
}

/* What the group has in its holes, which hosts, and what its evidence is. */
static void add_up(gathering *g, dp_duster_candidate *c, size_t from, size_t to)
{
    const dp_duster_instance *first = g->l->v[g->v[from].item];
    dp_duster_outline_make(&g->outline, first, g->level);
    dp_duster_union_init(&g->sum, &g->outline, g->l->max_set);
    c->hosts = first->left.host;
    for (size_t i = from; i < to; i++) {
        const dp_duster_instance *one = g->l->v[g->v[i].item];
        dp_duster_outline_make(&g->outline, one, g->level);
        if (!dp_duster_outline_same(&g->sum.outline, &g->outline))
            continue; /* of another outline with the same hash */
        dp_duster_union_add(&g->sum, &g->outline);
        c->by |= 1u << one->by;
        if (!dp_str_eq(one->left.host, c->hosts))
            c->hosts = g->l->hosts;
    }
}

static dp_err add_group(gathering *g, size_t from, size_t to)
{
    dp_phrase           said;
    dp_duster_candidate c = {.key = g->v[from].key, .level = g->level, .instance = g->v[from].item,
                             .pages = count_pages(g, from, to)};
    if (c.pages < 2)
        return DP_OK;
    add_up(g, &c, from, to);
    dp_arena_reset(&g->scratch);
    DP_TRY(dp_duster_say(&said, &g->sum, c.hosts, &g->scratch));
    if (said.why != DP_SAID || !said.falls)
        return DP_OK;
    c.text = dp_arena_str(g->a, said.text);
    if (!c.text.p || !DP_ROOM(g->out->v, g->out->n, g->out->cap))
        return DP_ENOMEM;
    g->out->v[g->out->n++] = c;
    return DP_OK;
}

static dp_err gather(gathering *g)
{
    for (g->level = 0; g->level < DP_DUSTER_LEVELS; g->level++) {
        sort_instances(g);
        for (size_t i = 0, end; i < g->n; i = end) {
            end = dp_keyed_end(g->v, g->n, i);
            DP_TRY(add_group(g, i, end));
        }
    }
    return DP_OK;
}

/* ---- each once ------------------------------------------------------------------------------- */

static int compare_texts(const dp_duster_candidate *x, const dp_duster_candidate *y)
{
    int c = dp_str_cmp(x->text, y->text);
    return c ? c : dp_str_cmp(x->hosts, y->hosts);
}

static int by_text(const void *l, const void *r)
{
    const dp_duster_candidate *x = l, *y = r;
    int                        c = compare_texts(x, y);
    if (c)
        return c;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level) : (x->key > y->key) - (x->key < y->key);
}

static int by_pages(const void *l, const void *r)
{
    const dp_duster_candidate *x = l, *y = r;
    return x->pages != y->pages ? (x->pages < y->pages) - (x->pages > y->pages) : compare_texts(x, y);
}

static int by_level(const void *l, const void *r)
{
    const dp_duster_candidate *x = l, *y = r;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level) : compare_texts(x, y);
}

/* Of equal texts the most general stays. */
static void leave_once(dp_duster_candidates *c)
{
    uint32_t n = 0;
    if (!c->n)
        return;
    qsort(c->v, c->n, sizeof *c->v, by_text);
    for (uint32_t i = 0; i < c->n; i++) {
        if (n && compare_texts(&c->v[n - 1], &c->v[i]) == 0)
            c->v[n - 1].by |= c->v[i].by;
        else
            c->v[n++] = c->v[i];
    }
    qsort(c->v, n, sizeof *c->v, by_pages);
    c->n = n < DP_DUSTER_RULES ? n : DP_DUSTER_RULES;
    qsort(c->v, c->n, sizeof *c->v, by_level);
}

dp_err dp_duster_candidates_make(dp_duster_candidates *out, const dp_duster_lesson *l, dp_arena *a)
{
    dp_err     e = DP_ENOMEM;
    gathering *g = calloc(1, sizeof *g);
    if (!g)
        return e;
    *g = (gathering){.l = l, .out = out, .a = a, .v = malloc((l->n + 1u) * sizeof *g->v),
                     .tmp = malloc((l->n + 1u) * sizeof *g->tmp)};
    if (g->v && g->tmp)
        e = gather(g);
    leave_once(out);
    free(g->v);
    free(g->tmp);
    dp_arena_done(&g->scratch);
    free(g);
    return e;
}

void dp_duster_candidates_done(dp_duster_candidates *c)
{
    free(c->v);
    *c = (dp_duster_candidates){0};
}

/* ---- special cases --------------------------------------------------------------------------- */

/* Whether a good candidate has that key. */
static bool has_good(const dp_duster_candidates *c, const dp_keyed *by_key, uint64_t key)
{
    uint32_t i;
    DP_BISECT(i, c->n, by_key[i].key < key);
    return i < c->n && by_key[i].key == key && c->v[by_key[i].item].is_good;
}

static bool is_special(const dp_duster_candidates *c, uint32_t i, const dp_keyed *by_key, const dp_duster_lesson *l,
                       dp_duster_outline *room)
{
    for (uint32_t level = 0; level < DP_DUSTER_LEVELS; level++)
        if (dp_duster_is_wider(level, c->v[i].level) &&
            dp_duster_outline_make(room, l->v[c->v[i].instance], level) && has_good(c, by_key, room->hash))
            return true;
    return false;
}

dp_err dp_duster_candidates_thin(dp_duster_candidates *c, uint32_t from, uint32_t *to, const dp_duster_lesson *l)
{
    dp_keyed          *by_key = malloc(2 * (c->n + 1u) * sizeof *by_key);
    dp_duster_outline *room = malloc(sizeof *room);
    dp_err             e = by_key && room ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; e == DP_OK && i < c->n; i++)
        by_key[i] = (dp_keyed){c->v[i].key, i};
    if (e == DP_OK) {
        uint32_t n = from;
        dp_keyed_sort(by_key, by_key + c->n + 1, c->n, UINT64_MAX);
        for (uint32_t i = from; i < *to; i++) {
            dp_duster_candidate one = c->v[i];
            if (!is_special(c, i, by_key, l, room))
                c->v[n++] = one;
        }
        memmove(c->v + n, c->v + *to, (c->n - *to) * sizeof *c->v);
        c->n -= *to - n;
        *to = n;
    }
    free(by_key);
    free(room);
    return e;
}
