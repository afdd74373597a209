/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/tree.h"

#include "base/room.h"
#include "learn/dust/order.h"

#include <stdlib.h>

#define ALONE UINT32_MAX

/* ---- the order of ends --------------------------------------------------------------------- */

static uint32_t common_end(const dp_dust_site *s, uint32_t x, uint32_t y)
{
    const uint32_t *a = s->unit + s->first[x + 1], *b = s->unit + s->first[y + 1];
    uint32_t        k = 0, n = dp_dust_units(s, x), m = dp_dust_units(s, y);
    n = n < m ? n : m;
    while (k < n && a[-1 - (ptrdiff_t)k] == b[-1 - (ptrdiff_t)k])
        k++;
    return k;
}

/* Unit number `k` of a page from its end, and 1. Before the first one there is 0. */
static uint64_t unit_from_end(const dp_dust_site *s, uint32_t page, uint32_t k)
{
    uint32_t last = s->first[page + 1];
    return last - s->first[page] > k ? s->unit[last - 1 - k] + 1 : 0;
}

/* Two units a piece. */
static void load_ends(const void *self, dp_keyed *v, size_t n, uint32_t piece)
{
    const dp_dust_site *s = self;
    for (size_t i = 0; i < n; i++) {
        if (i + 8 < n)
            __builtin_prefetch(&s->unit[s->first[v[i + 8].item + 1] - 1 - 2 * piece]);
        v[i].key = unit_from_end(s, v[i].item, 2 * piece) << 32 | unit_from_end(s, v[i].item, 2 * piece + 1);
    }
}

static dp_err order_ends(dp_dust_tree *t)
{
    const dp_dust_site *s = t->s;
    dp_keyed           *v = calloc(s->n + 1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++)
        v[i].item = (uint32_t)i;
    dp_dust_order(v, s->n, &(dp_dust_pieces){s, load_ends, UINT32_MAX, 1});
    for (size_t i = 0; i < s->n; i++) {
        if (i + 8 < s->n)
            __builtin_prefetch(&s->unit[s->first[v[i + 8].item + 1] - 1]);
        t->member[i] = v[i].item;
        t->length[i] = s->v[v[i].item].tokens > t->o->S ? s->v[v[i].item].tokens : t->o->S;
        t->lcs[i] = i ? common_end(s, v[i - 1].item, v[i].item) : 0;
    }
    free(v);
    return DP_OK;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static dp_err push_node(dp_dust_tree *t, dp_dust_node node)
{
    if (!DP_ROOM(t->node, t->nnode, t->node_cap))
        return DP_ENOMEM;
    t->node[t->nnode++] = node;
    return DP_OK;
}

static dp_err make_room(dp_dust_tree *t, size_t n)
{
    if (n <= t->cap)
        return DP_OK;
    size_t cap = t->cap + t->cap / 2 > n ? t->cap + t->cap / 2 : n;
    if (!DP_RESIZE(t->member, cap) || !DP_RESIZE(t->lcs, cap) || !DP_RESIZE(t->up, cap) || !DP_RESIZE(t->length, cap))
        return DP_ENOMEM;
    t->cap = cap;
    return DP_OK;
}

/* How many units all pages of a node have in common. */
static uint32_t common_depth(const dp_dust_tree *t, const dp_dust_node *n)
{
    const uint32_t *same = t->s->same + n->page;
    uint32_t        depth = UINT32_MAX;
    for (size_t i = 1; i < n->to - n->from; i++)
        depth = same[i] < depth ? same[i] : depth;
    return depth;
}

/* Number the children of a node in the order of their pages, and push those of two or more; `to` says then where the
 * first member of each child goes, ALONE when it has no other. */
static dp_err push_children(dp_dust_tree *t, size_t parent)
{
    dp_dust_node    n = t->node[parent];
    const uint32_t *same = t->s->same + n.page;
    size_t          size = n.to - n.from, at = n.to;
    uint32_t        children = 0;
    for (size_t i = 0, end; i < size; i = end) {
        for (end = i + 1; end < size && same[end] > n.depth; end++) {}
        for (size_t k = i; k < end; k++)
            t->kid[n.page + k] = children;
        t->to[children++] = end - i > 1 ? (uint32_t)(at - n.to) : ALONE;
        if (end - i == 1)
            continue;
        DP_TRY(push_node(t, (dp_dust_node){.from = at, .to = at + (end - i), .page = n.page + (uint32_t)i,
                                           .parent = parent}));
        at += end - i;
    }
    for (size_t i = 0; i < size; i++)
        t->child[i] = t->kid[t->member[n.from + i]];
    return make_room(t, at);
}

/* Units that members i < j of a node have in common at their ends. */
static uint32_t common_between(const dp_dust_tree *t, size_t i, size_t j)
{
    enum { NEAR = 12 };
    if (j - i > NEAR)
        return common_end(t->s, t->member[i], t->member[j]);
    uint32_t least = t->lcs[i + 1];
    for (size_t k = i + 2; k <= j; k++)
        least = t->lcs[k] < least ? t->lcs[k] : least;
    return least;
}

/* Put the members of all children that have two or more behind those of the node, in their order. */
static void fill_children(dp_dust_tree *t, size_t parent)
{
    const dp_dust_node *n = &t->node[parent];
    for (size_t i = n->from; i < n->to; i++) {
        uint32_t c = t->child[i - n->from];
        if (t->to[c] == ALONE)
            continue;
        size_t to = n->to + t->to[c]++;
        t->member[to] = t->member[i];
        t->length[to] = t->length[i];
        t->up[to] = (uint32_t)(i - n->from);
    }
    for (size_t k = parent + 1; k < t->nnode; k++) {
        t->lcs[t->node[k].from] = 0;
        for (size_t i = t->node[k].from + 1; i < t->node[k].to; i++)
            t->lcs[i] = common_between(t, n->from + t->up[i - 1], n->from + t->up[i]);
    }
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* A run of neighbours in a node's order, as it grows. */
typedef struct window {
    size_t   from, to; /* inclusive */
    uint32_t n, cap;   /* of their least lengths, in order; no more than the cap */
} window;

static void add_length(const dp_dust_tree *t, window *w, uint32_t length)
{
    uint32_t i = w->n;
    if (w->n == w->cap && length >= t->least[w->n - 1])
        return;
    if (w->n < w->cap)
        w->n++;
    else
        i--;
    for (; i > 0 && t->least[i - 1] > length; i--)
        t->least[i] = t->least[i - 1];
    t->least[i] = length;
}

/* Whether more than `most` URLs of the window are of that length or less. */
static bool has_more(const dp_dust_tree *t, const window *w, uint32_t length, uint32_t most)
{
    return w->n > most && t->least[most] <= length;
}

/* Let it grow over all neighbours with `lcs` units at the end in common, or until it is too large for a URL of that
 * length: false then. */
static bool grow_window(const dp_dust_tree *t, window *w, const dp_dust_node *n, uint32_t lcs, uint32_t length,
                        uint32_t most)
{
    while (w->from > n->from && t->lcs[w->from] >= lcs) {
        add_length(t, w, t->length[--w->from]);
        if (has_more(t, w, length, most))
            return false;
    }
    while (w->to + 1 < n->to && t->lcs[w->to + 1] >= lcs) {
        add_length(t, w, t->length[++w->to]);
        if (has_more(t, w, length, most))
            return false;
    }
    return !has_more(t, w, length, most);
}

static bool is_wanted(const dp_dust_tree *t, size_t member)
{
    return !t->wanted || t->wanted[t->member[member]];
}

/* A run of neighbours that is too large: of the last member's, those with `lcs` units at the end in common. It is so
 * for every URL in it that is not shorter than `length`, and so is each run that it is a part of. */
typedef struct crowd {
    uint32_t lcs, length; /* length UINT32_MAX: none is known */
} crowd;

static bool is_crowded(const crowd *c, uint32_t lcs, uint32_t length)
{
    return lcs <= c->lcs && length >= c->length;
}

/* The pairs of different children with member `i` and one behind it.
 *
 * The bucket of a pair with lcs units in common at the end is, in its largest envelope, the window, less those URLs
 * in which prefix and suffix overlap: fewer than both. Smaller envelopes only add to it, unless S stands
 * against a URL: then this URL is longer than both of the pair. So the pair is hopeless when `most` URLs, and some
 * for the overlap, are not longer than S or the longer of the two; and so are all further ones when this is true of
 * member `i` alone. */
static dp_err pairs_with(dp_dust_tree *t, size_t node, size_t i, crowd *c, dp_dust_on_pair *on_pair, void *self)
{
    const dp_dust_node *n = &t->node[node];
    uint32_t            lcs = UINT32_MAX, most = 0, mine = t->length[i];
    window              w = {.from = i, .to = i, .cap = t->most + n->depth + 1};
    add_length(t, &w, mine);
    t->nlevel = 0;
    for (size_t j = i + 1; j < n->to; j++) {
        if (t->lcs[j] < lcs) {
            lcs = t->lcs[j];
            most = t->most + (lcs < n->depth ? lcs : n->depth);
            if (is_crowded(c, lcs, mine))
                return DP_OK;
            if (!grow_window(t, &w, n, lcs, mine, most)) {
                *c = (crowd){lcs, mine};
                return DP_OK;
            }
        }
        if (t->child[i - n->from] == t->child[j - n->from] || !is_wanted(t, j))
            continue;
        uint32_t yours = t->length[j];
        if (yours > mine && has_more(t, &w, yours, most))
            continue;
        DP_TRY(on_pair(self, &(dp_dust_pair){.x = t->member[i], .y = t->member[j], .prefix = n->depth, .suffix = lcs,
                                             .node = node, .at = i}));
    }
    return DP_OK;
}

/* Have the units of a member at hand that will be asked for soon. */
static void fetch_ahead(const dp_dust_tree *t, const dp_dust_node *n, size_t member)
{
    enum { SOON = 16, LATER = 32 };
    if (member + LATER < n->to)
        __builtin_prefetch(&t->s->first[t->member[member + LATER]]);
    if (member + SOON < n->to)
        __builtin_prefetch(t->s->unit + t->s->first[t->member[member + SOON]] + n->depth);
}

static dp_err visit(dp_dust_tree *t, size_t node, dp_dust_on_pair *on_pair, void *self)
{
    t->node[node].open = true;
    t->node[node].depth = common_depth(t, &t->node[node]);
    DP_TRY(push_children(t, node));
    crowd c = {0, UINT32_MAX};
    for (size_t i = t->node[node].from; i + 1 < t->node[node].to; i++) {
        fetch_ahead(t, &t->node[node], i);
        c.lcs = t->lcs[i] < c.lcs ? t->lcs[i] : c.lcs;
        if (is_wanted(t, i))
            DP_TRY(pairs_with(t, node, i, &c, on_pair, self));
    }
    fill_children(t, node);
    return DP_OK;
}

dp_err dp_dust_tree_walk(dp_dust_tree *t, dp_dust_on_pair *on_pair, void *self)
{
    if (t->s->n < 2)
        return DP_OK;
    t->nnode = 0;
    DP_TRY(push_node(t, (dp_dust_node){.to = t->s->n, .parent = SIZE_MAX}));
    while (t->nnode) {
        if (t->node[t->nnode - 1].open)
            t->nnode--;
        else
            DP_TRY(visit(t, t->nnode - 1, on_pair, self));
    }
    return DP_OK;
}

/* ---- buckets ------------------------------------------------------------------------------- */

/* The neighbours of a member in a node's order that have k units at the end in common. */
struct dp_dust_run {
    size_t   from, to; /* inclusive */
    uint32_t fewest;   /* units of one of them */
    uint32_t longest;  /* length of one of them */
};

/* The runs of a page in one node, for k from `top` down to `least`; below that they are too large, here and in every
 * node above. Many pairs in a row have one x: these are found once for all of them. */
struct dp_dust_level {
    size_t   node;
    size_t   first; /* of its runs */
    uint32_t low;   /* units of the shortest prefix that is not of the node above, too */
    uint32_t top, least;
};

/* Take one more member in; whether it is in all buckets of the run, as it is not longer than `length`. */
static bool take(const dp_dust_tree *t, struct dp_dust_run *r, size_t member, uint32_t units, uint32_t length)
{
    uint32_t n = dp_dust_units(t->s, t->member[member]), mine = t->length[member];
    r->fewest = n < r->fewest ? n : r->fewest;
    r->longest = mine > r->longest ? mine : r->longest;
    return n >= units && mine <= length;
}

/* Runs of member `at`, with k from l->top down to l->least, or to where more than `most_shown` are in each. */
static dp_err find_runs(dp_dust_tree *t, struct dp_dust_level *l, size_t at)
{
    const dp_dust_node *n = &t->node[l->node];
    uint32_t            length = t->length[at], sure = 1, least = l->least;
    struct dp_dust_run  r = {.from = at, .to = at, .fewest = UINT32_MAX};
    take(t, &r, at, 0, 0);
    l->first = t->nrun;
    for (uint32_t k = l->top + 1; k-- > least;) {
        while (r.from > n->from && t->lcs[r.from] >= k && sure <= t->most_shown)
            sure += take(t, &r, --r.from, n->depth + k, length);
        while (r.to + 1 < n->to && t->lcs[r.to + 1] >= k && sure <= t->most_shown)
            sure += take(t, &r, ++r.to, n->depth + k, length);
        if (sure > t->most_shown) {
            l->least = k + 1;
            return DP_OK;
        }
        if (!DP_ROOM(t->run, t->nrun, t->run_cap))
            return DP_ENOMEM;
        t->run[t->nrun++] = r;
    }
    return DP_OK;
}

/* The runs of x in the node of the pair and in those above. */
static dp_err find_levels(dp_dust_tree *t, const dp_dust_pair *p)
{
    size_t   at = p->at;
    uint32_t least = 0;
    t->nrun = 0;
    for (size_t node = p->node; node != SIZE_MAX && least <= p->suffix;) {
        size_t               parent = t->node[node].parent;
        struct dp_dust_level l = {.node = node,
                                  .low = parent == SIZE_MAX ? 0 : t->node[parent].depth + 1,
                                  .top = p->suffix,
                                  .least = least};
        if (!DP_ROOM(t->level, t->nlevel, t->level_cap))
            return DP_ENOMEM;
        DP_TRY(find_runs(t, &l, at));
        t->level[t->nlevel++] = l;
        least = l.least;
        if (parent != SIZE_MAX)
            at = t->node[parent].from + t->up[at];
        node = parent;
    }
    return DP_OK;
}

/* URLs of the run that share an envelope of `units` units before and behind, and that S lets have `tokens`. */
static uint32_t bucket_size(const dp_dust_tree *t, const struct dp_dust_run *r, uint32_t units, uint32_t tokens)
{
    uint32_t size = 0;
    for (size_t m = r->from; m <= r->to && size <= t->most_shown; m++)
        size += dp_dust_units(t->s, t->member[m]) >= units && t->length[m] <= tokens;
    return size;
}

/* Of a pair: units of the shorter one, tokens of the longer one. */
typedef struct extent {
    uint32_t shortest, longest;
} extent;

/* Buckets of one run, whose suffix has k units; their prefixes are those of its node. */
static dp_err run_buckets(const dp_dust_tree *t, const dp_dust_pair *p, extent e, const struct dp_dust_level *l,
                          uint32_t k, dp_dust_on_buckets *on_buckets, void *self)
{
    const struct dp_dust_run *r = &t->run[l->first + l->top - k];
    uint32_t units = dp_dust_units(t->s, p->x), depth = t->node[l->node].depth;
    uint32_t i = l->low, high = depth + k < e.shortest ? depth : e.shortest - k;
    uint32_t most = t->before[units] - t->before[units - k] + t->o->S; /* tokens, without those before */
    while (i <= high && e.longest > t->before[i] + most)
        i++;
    if (i > high)
        return DP_OK;
    if (r->fewest >= high + k && r->longest <= t->before[i] + most) {
        size_t run = r->to - r->from + 1;
        return run <= t->most_shown ? on_buckets(self, p, &(dp_dust_buckets){i, high, k, (uint32_t)run}) : DP_OK;
    }
    for (; i <= high; i++) {
        uint32_t size = bucket_size(t, r, i + k, t->before[i] + most);
        if (size <= t->most_shown)
            DP_TRY(on_buckets(self, p, &(dp_dust_buckets){i, i, k, size}));
    }
    return DP_OK;
}

static void count_before(dp_dust_tree *t, uint32_t page)
{
    const dp_dust_site *s = t->s;
    const uint32_t     *u = s->unit + s->first[page];
    uint32_t            n = dp_dust_units(s, page);
    for (uint32_t i = 0; i < n && t->page != page; i++)
        t->before[i + 1] = t->before[i] + s->weight[u[i]];
    t->page = page;
}

dp_err dp_dust_tree_buckets(dp_dust_tree *t, const dp_dust_pair *p, dp_dust_on_buckets *on_buckets, void *self)
{
    const dp_dust_site *s = t->s;
    uint32_t            a = dp_dust_units(s, p->x), b = dp_dust_units(s, p->y);
    uint32_t            m = s->v[p->x].tokens, n = s->v[p->y].tokens;
    extent              e = {a < b ? a : b, m > n ? m : n};
    if (!t->nlevel)
        DP_TRY(find_levels(t, p));
    count_before(t, p->x);
    for (size_t i = 0; i < t->nlevel; i++)
        for (uint32_t k = p->suffix + 1; k-- > t->level[i].least;)
            DP_TRY(run_buckets(t, p, e, &t->level[i], k, on_buckets, self));
    return DP_OK;
}

/* ---- memory -------------------------------------------------------------------------------- */

static dp_err start(dp_dust_tree *t)
{
    size_t n = t->s->n + 1;
    t->child = calloc(n, sizeof *t->child);
    t->kid = calloc(n, sizeof *t->kid);
    t->to = calloc(n, sizeof *t->to);
    t->before = calloc((size_t)t->s->longest + 1, sizeof *t->before);
    t->page = UINT32_MAX;
    t->least = calloc((size_t)t->o->T_high + t->s->longest + 2, sizeof *t->least);
    if (!t->child || !t->kid || !t->to || !t->least || !t->before)
        return DP_ENOMEM;
    DP_TRY(make_room(t, n));
    return order_ends(t);
}

dp_err dp_dust_tree_init(dp_dust_tree *t, const dp_dust_site *s, const dp_dust_options *o)
{
    *t = (dp_dust_tree){.s = s, .o = o, .most = o->T_high, .most_shown = o->T_high};
    dp_err e = start(t);
    if (e != DP_OK)
        dp_dust_tree_done(t);
    return e;
}

void dp_dust_tree_done(dp_dust_tree *t)
{
    free(t->member);
    free(t->lcs);
    free(t->length);
    free(t->up);
    free(t->node);
    free(t->child);
    free(t->kid);
    free(t->to);
    free(t->least);
    free(t->before);
    free(t->run);
    free(t->level);
    *t = (dp_dust_tree){0};
}
