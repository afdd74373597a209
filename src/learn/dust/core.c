/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/core.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

#define BASE 0x9E3779B97F4A7C15u /* of polynomial hashes */

/* ---- cores --------------------------------------------------------------------------------- */

static uint64_t hash_units(const uint32_t *u, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = h * BASE + u[i] + 1;
    return dp_hash_mix(h);
}

/* The same for all rotations: each unit and the next, the first being next to the last. */
static uint64_t hash_cycle(const uint32_t *u, uint32_t n)
{
    uint64_t sum = n;
    for (uint32_t i = 0; i < n; i++)
        sum += dp_hash_mix((uint64_t)u[i] << 32 | u[i + 1 < n ? i + 1 : 0]);
    return dp_hash_mix(sum);
}

uint32_t dp_dust_core_hash(const dp_dust_core *c, const dp_dust_pair *p, uint64_t *hash)
{
    const dp_dust_site *s = c->tree->s;
    uint32_t            a = dp_dust_units(s, p->x), b = dp_dust_units(s, p->y), least = a < b ? a : b;
    const uint32_t     *x = s->unit + s->first[p->x] + p->prefix, *y = s->unit + s->first[p->y] + p->prefix;
    uint32_t            last = p->suffix < least - p->prefix ? p->suffix : least - p->prefix;
    a -= p->prefix + last;
    b -= p->prefix + last;
    if (a && b)
        *hash = dp_hash_mix(hash_units(x, a) + hash_units(y, b));
    else
        *hash = a ? hash_cycle(x, a) : hash_cycle(y, b);
    *hash &= c->o->hash_mask;
    return 1 + p->suffix - last;
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Of its first i units, for all i above `from`; hash[from] is there. */
static void hash_firsts(const dp_dust_site *s, uint32_t page, uint32_t from, uint64_t *hash)
{
    const uint32_t *u = s->unit + s->first[page];
    uint32_t        n = dp_dust_units(s, page);
    for (uint32_t i = from; i < n; i++)
        hash[i + 1] = hash[i] * BASE + u[i] + 1;
}

/* Many pairs in a row have one x. The first units of x and y are the same. */
static void hash_pair(dp_dust_core *c, const dp_dust_pair *p)
{
    const dp_dust_site *s = c->tree->s;
    if (c->page != p->x)
        hash_firsts(s, p->x, 0, c->hash_x);
    c->page = p->x;
    memcpy(c->hash_y, c->hash_x, (p->prefix + 1) * sizeof *c->hash_y);
    hash_firsts(s, p->y, p->prefix, c->hash_y);
}

/* What the texts of a pair that end before its last k units are hashed with. The first units of both are the same, so
 * are their hashes. */
typedef struct ending {
    const uint64_t *first;  /* of hashes of first units */
    const uint64_t *px, *py; /* of powers: of the ends of x and y */
    uint64_t        x, y;    /* hashes of all units up to there */
    uint64_t        mask;
} ending;

static ending end_at(const dp_dust_core *c, const dp_dust_pair *p, uint32_t k)
{
    uint32_t x = dp_dust_units(c->tree->s, p->x) - k, y = dp_dust_units(c->tree->s, p->y) - k;
    return (ending){c->hash_x, c->power + x, c->power + y, c->hash_x[x], c->hash_y[y], c->o->hash_mask};
}

static uint64_t hash_text(const ending *e, uint32_t i)
{
    ptrdiff_t at = -(ptrdiff_t)i;
    uint64_t  x = e->x - e->first[i] * e->px[at], y = e->y - e->first[i] * e->py[at];
    return dp_hash_mix((x ^ BASE) * (y ^ BASE)) & e->mask;
}

uint64_t dp_dust_core_text(dp_dust_core *c, const dp_dust_pair *p, uint32_t i, uint32_t k)
{
    hash_pair(c, p);
    ending e = end_at(c, p, k);
    return hash_text(&e, i);
}

static bool is_same(const dp_dust_site *s, uint32_t x, uint32_t i, uint32_t k, uint32_t y, uint32_t j, uint32_t l)
{
    uint32_t n = dp_dust_units(s, x) - i - k, m = dp_dust_units(s, y) - j - l;
    return n == m && memcmp(s->unit + s->first[x] + i, s->unit + s->first[y] + j, n * sizeof *s->unit) == 0;
}

static int way_of(const dp_dust_site *s, uint32_t a, uint32_t b, uint32_t i, uint32_t k, const dp_dust_pair *p,
                  const dp_dust_text *text)
{
    uint32_t j = text->i, l = text->k;
    if (is_same(s, a, i, k, p->x, j, l) && is_same(s, b, i, k, p->y, j, l))
        return 1;
    return is_same(s, a, i, k, p->y, j, l) && is_same(s, b, i, k, p->x, j, l) ? 2 : 0;
}

/* How far the units of pages a and x go on alike, before text (i, k) of a, which is text (j, l) of x, and behind it. */
static void stretch(const dp_dust_site *s, uint32_t a, uint32_t i, uint32_t k, uint32_t x, uint32_t *j, uint32_t *l)
{
    const uint32_t *u = s->unit + s->first[a], *v = s->unit + s->first[x];
    for (; i && *j && u[i - 1] == v[*j - 1]; i--)
        --*j;
    u = s->unit + s->first[a + 1];
    v = s->unit + s->first[x + 1];
    for (; k && *l && *(u - k) == *(v - *l); k--)
        --*l;
}

/* Texts that repeat what was compared are the rule: those of two pairs of URLs with more and more of what both have
 * around their cores. What is before and behind is the same in both URLs of a pair. */
int dp_dust_core_same(dp_dust_core *c, uint32_t a, uint32_t b, uint32_t i, uint32_t k, const dp_dust_pair *p,
                      const dp_dust_text *text)
{
    const dp_dust_site *s = c->tree->s;
    dp_dust_match      *m = &c->match[(a + b) % DP_DUST_MATCHES];
    uint32_t            first = i - text->i, last = k - text->k;
    if (m->way && m->a == a && m->b == b && m->first == first && m->last == last && m->i <= text->i && m->k <= text->k)
        return m->way;
    int way = way_of(s, a, b, i, k, p, text);
    if (way) {
        *m = (dp_dust_match){a, b, first, last, text->i, text->k, way};
        stretch(s, a, i, k, way == 1 ? p->x : p->y, &m->i, &m->k);
    }
    return way;
}

/* ---- support ------------------------------------------------------------------------------- */

/* Room for `n` more texts. */
static dp_err make_room(dp_dust_core *c, size_t n)
{
    return DP_ROOM_FOR(c->text, c->ntext + n, c->text_cap) ? DP_OK : DP_ENOMEM;
}

/* Whether a text of the pair is there; of the two buckets the smaller one counts then. */
static bool is_there(dp_dust_core *c, const dp_dust_pair *p, const dp_dust_text *text)
{
    for (size_t n = 0; n < c->ntext; n++) {
        dp_dust_text *t = &c->text[n];
        if (t->hash == text->hash && dp_dust_core_same(c, p->x, p->y, t->i, t->k, p, text) == 1) {
            t->size = text->size < t->size ? text->size : t->size;
            return true;
        }
    }
    return false;
}

/* The texts of buckets; with `once`, the smallest bucket of a text alone. */
static dp_err on_buckets(void *self, const dp_dust_pair *p, const dp_dust_buckets *b)
{
    dp_dust_core *c = self;
    ending        e = end_at(c, p, b->k);
    DP_TRY(make_room(c, b->last - b->first + 1));
    dp_dust_text *to = c->text + c->ntext;
    for (uint32_t i = b->first; i <= b->last; i++) {
        *to = (dp_dust_text){hash_text(&e, i), i, b->k, b->size};
        to += !c->once || !is_there(c, p, to);
    }
    c->ntext = (size_t)(to - c->text);
    return DP_OK;
}

dp_err dp_dust_core_texts(dp_dust_core *c, const dp_dust_pair *p, dp_dust_on_texts *on_texts, void *self)
{
    uint64_t unused;
    hash_pair(c, p);
    c->once = c->o->support == DP_DUST_PAIRS && dp_dust_core_hash(c, p, &unused) > 1;
    c->ntext = 0;
    memset(c->match, 0, sizeof c->match);
    DP_TRY(dp_dust_tree_buckets(c->tree, p, on_buckets, c));
    return on_texts(self, p, c->text, c->ntext);
}

/* ---- memory -------------------------------------------------------------------------------- */

dp_err dp_dust_core_init(dp_dust_core *c, dp_dust_tree *tree)
{
    size_t n = (size_t)tree->s->longest + 1;
    *c = (dp_dust_core){.tree = tree, .o = tree->o, .page = UINT32_MAX};
    c->power = calloc(n, sizeof *c->power);
    c->hash_x = calloc(n, sizeof *c->hash_x);
    c->hash_y = calloc(n, sizeof *c->hash_y);
    if (!c->power || !c->hash_x || !c->hash_y) {
        dp_dust_core_done(c);
        return DP_ENOMEM;
    }
    c->power[0] = 1;
    for (size_t i = 1; i < n; i++)
        c->power[i] = c->power[i - 1] * BASE;
    return DP_OK;
}

void dp_dust_core_done(dp_dust_core *c)
{
    free(c->power);
    free(c->hash_x);
    free(c->hash_y);
    free(c->text);
    *c = (dp_dust_core){0};
}
