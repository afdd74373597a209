/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust_core.h"

#include <stdlib.h>

#define BASE 0x9E3779B97F4A7C15u /* of polynomial hashes */

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

uint32_t dp_dust_core_hash(const dp_dust_core *c, const dp_dust_pair *p, uint64_t *hash)
{
    const dp_dust_site *s = c->tree->s;
    uint32_t            a = dp_dust_units(s, p->x), b = dp_dust_units(s, p->y), least = a < b ? a : b;
    const uint32_t     *x = s->unit + s->first[p->x] + p->prefix, *y = s->unit + s->first[p->y] + p->prefix;
    uint32_t            last = p->suffix < least - p->prefix ? p->suffix : least - p->prefix;
    a -= p->prefix + last;
    b -= p->prefix + last;
    if (a && b)
        *hash = dp_dust_mix(hash_units(x, a) + hash_units(y, b));
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

static uint64_t hash_between(const dp_dust_core *c, const uint64_t *hash, uint32_t i, uint32_t j)
{
    return dp_dust_mix(hash[j] - hash[i] * c->power[j - i]);
}

static uint64_t hash_text(const dp_dust_core *c, const dp_dust_pair *p, uint32_t i, uint32_t k)
{
    uint64_t x = hash_between(c, c->hash_x, i, dp_dust_units(c->tree->s, p->x) - k);
    uint64_t y = hash_between(c, c->hash_y, i, dp_dust_units(c->tree->s, p->y) - k);
    return (x + y) & c->o->hash_mask;
}

uint64_t dp_dust_core_text(dp_dust_core *c, const dp_dust_pair *p, uint32_t i, uint32_t k)
{
    hash_pair(c, p);
    return hash_text(c, p, i, k);
}

static bool is_same(const dp_dust_site *s, uint32_t x, uint32_t i, uint32_t k, uint32_t y, uint32_t j, uint32_t l)
{
    uint32_t n = dp_dust_units(s, x) - i - k, m = dp_dust_units(s, y) - j - l;
    return n == m && memcmp(s->unit + s->first[x] + i, s->unit + s->first[y] + j, n * sizeof *s->unit) == 0;
}

int dp_dust_core_same(const dp_dust_core *c, uint32_t a, uint32_t b, uint32_t i, uint32_t k, const dp_dust_pair *p,
                      const dp_dust_text *text)
{
    const dp_dust_site *s = c->tree->s;
    uint32_t            j = text->i, l = text->k;
    if (is_same(s, a, i, k, p->x, j, l) && is_same(s, b, i, k, p->y, j, l))
        return 1;
    return is_same(s, a, i, k, p->y, j, l) && is_same(s, b, i, k, p->x, j, l) ? 2 : 0;
}

/* ---- support ------------------------------------------------------------------------------- */

/* The text of a bucket; with `once`, the smallest bucket of a text alone. */
static dp_err on_bucket(void *self, const dp_dust_pair *p, uint32_t i, uint32_t k, uint32_t size)
{
    dp_dust_core *c = self;
    dp_dust_text  fresh = {hash_text(c, p, i, k), i, k, size};
    for (size_t n = 0; c->once && n < c->ntext; n++) {
        dp_dust_text *t = &c->text[n];
        if (t->hash == fresh.hash && dp_dust_core_same(c, p->x, p->y, t->i, t->k, p, &fresh) == 1) {
            t->size = size < t->size ? size : t->size;
            return DP_OK;
        }
    }
    if (c->ntext == c->text_cap) {
        size_t        cap = c->text_cap ? c->text_cap * 2 : 64;
        dp_dust_text *v = realloc(c->text, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        c->text = v;
        c->text_cap = cap;
    }
    c->text[c->ntext++] = fresh;
    return DP_OK;
}

dp_err dp_dust_core_texts(dp_dust_core *c, const dp_dust_pair *p, dp_dust_on_texts *on_texts, void *self)
{
    uint64_t unused;
    hash_pair(c, p);
    c->once = c->o->support == DP_DUST_PAIRS && dp_dust_core_hash(c, p, &unused) > 1;
    c->ntext = 0;
    DP_TRY(dp_dust_tree_buckets(c->tree, p, on_bucket, c));
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
