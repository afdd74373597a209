/* What speaks against rules: pairs of URLs with α and β whose pages differ, however many URLs share their envelope.
 *
 *     http://a.com/x/lect1.ps   α at unit 9   ──►   http://a.com/x/lect2.ps   is it there, and does it differ?
 *
 * Support is counted in envelopes of at most T_low URLs; a rule that is wrong may do its harm in larger ones alone.
 * So each place where some α stands is looked up by the hash of its units, and the URL with β there is looked for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/find.h"

#include <stdlib.h>

#include "base/buf.h"

enum { LENGTHS = 64 };

typedef struct searcher {
    const dp_dust_rules   *r;
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_find           find;
    dp_index               index; /* of α */
    uint64_t              *hash;  /* [r->n] of α */
    uint64_t              *begin; /* [s->nunit] bits: which lengths an α that begins with that unit has */
    uint32_t               length[LENGTHS];
    size_t                 nlength;
    uint64_t              *sum; /* [s->longest + 1] hashes of the first units of a page */
    uint64_t              *power; /* [s->longest + 1] */
    dp_buf                 text;
    dp_dust_on_instance   *on_instance;
    void                  *self;
} searcher;

static const uint64_t BASE = 0x9E3779B97F4A7C15u;

static const uint32_t *units_of(const searcher *f, uint32_t page)
{
    return f->s->unit + f->s->first[page];
}

static uint32_t alpha_units(const searcher *f, const dp_dust_rule *r)
{
    return dp_dust_units(f->s, r->x) - r->i - r->k;
}

static uint64_t hash_units(const uint32_t *v, size_t n)
{
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++)
        h = h * BASE + v[i] + 1;
    return h;
}

/* False when there are too many lengths; the longest are not looked for then. */
static bool note_length(searcher *f, uint32_t n, uint64_t *bit)
{
    size_t i = 0;
    while (i < f->nlength && f->length[i] != n)
        i++;
    if (i == LENGTHS)
        return false;
    if (i == f->nlength)
        f->length[f->nlength++] = n;
    *bit = (uint64_t)1 << i;
    return true;
}

static dp_err index_rules(searcher *f)
{
    const dp_dust_site *s = f->s;
    f->hash = calloc(f->r->n + 1, sizeof *f->hash);
    f->begin = calloc(s->nunit + 1, sizeof *f->begin);
    f->sum = calloc((size_t)s->longest + 1, sizeof *f->sum);
    f->power = calloc((size_t)s->longest + 1, sizeof *f->power);
    if (!f->hash || !f->begin || !f->sum || !f->power || !dp_index_reserve(&f->index, f->r->n))
        return DP_ENOMEM;
    f->power[0] = 1;
    for (uint32_t i = 1; i <= s->longest; i++)
        f->power[i] = f->power[i - 1] * BASE;
    for (size_t i = 0; i < f->r->n; i++) {
        const dp_dust_rule *r = &f->r->v[i];
        const uint32_t     *v = units_of(f, r->x) + r->i;
        uint64_t            bit, hash = hash_units(v, alpha_units(f, r));
        f->hash[dp_index_put(&f->index, hash)] = hash;
        if (note_length(f, alpha_units(f, r), &bit))
            f->begin[v[0]] |= bit;
    }
    return DP_OK;
}

/* Whether β is cut out of page `y` by the same units: bytes may be tied to their neighbours there (%XX). */
static bool is_between(const searcher *f, uint32_t y, uint32_t x, uint32_t before, uint32_t behind)
{
    const uint32_t *v = units_of(f, y), *u = units_of(f, x);
    uint32_t        n = dp_dust_units(f->s, y), m = dp_dust_units(f->s, x);
    return n >= before + behind && memcmp(v, u, before * sizeof *v) == 0 &&
           memcmp(v + n - behind, u + m - behind, behind * sizeof *v) == 0;
}

/* α of rule number `rule` stands at unit `at` of a page: is the URL with β there, and another page? */
static dp_err look_for(searcher *f, size_t rule, uint32_t page, uint32_t at)
{
    const dp_dust_rule *r = &f->r->v[rule];
    uint32_t            n = alpha_units(f, r), behind = dp_dust_units(f->s, page) - at - n, other;
    dp_buf_reset(&f->text);
    dp_buf_str(&f->text, dp_dust_cut(f->s, page, 0, behind + n));
    dp_buf_str(&f->text, r->beta);
    dp_buf_str(&f->text, dp_dust_cut(f->s, page, at + n, 0));
    if (f->text.failed)
        return DP_ENOMEM;
    dp_str url = dp_buf_view(&f->text);
    if (!dp_dust_find_page(&f->find, url, dp_dust_find_from(&f->find, url), &other) ||
        !is_between(f, other, page, at, behind) || dp_dust_similar(f->s, page, other, f->o))
        return DP_OK;
    return f->on_instance(f->self, rule, f->s->given[page], f->s->given[other], false);
}

static dp_err look_at(searcher *f, uint32_t page, uint32_t at, uint32_t n)
{
    const uint32_t *v = units_of(f, page);
    uint64_t        hash = f->sum[at + n] - f->sum[at] * f->power[n];
    uint32_t        i;
    for (dp_index_walk w = dp_index_from(&f->index, hash); dp_index_next(&w, &i);) {
        const dp_dust_rule *r = &f->r->v[i];
        if (f->hash[i] == hash && alpha_units(f, r) == n &&
            memcmp(units_of(f, r->x) + r->i, v + at, n * sizeof *v) == 0)
            DP_TRY(look_for(f, i, page, at));
    }
    return DP_OK;
}

static dp_err search_page(searcher *f, uint32_t page)
{
    const uint32_t *v = units_of(f, page);
    uint32_t        n = dp_dust_units(f->s, page);
    for (uint32_t i = 0; i < n; i++)
        f->sum[i + 1] = f->sum[i] * BASE + v[i] + 1;
    for (uint32_t at = 0; at < n; at++) {
        for (uint64_t bits = f->begin[v[at]]; bits; bits &= bits - 1) {
            uint32_t length = f->length[__builtin_ctzll(bits)];
            if (length <= n - at)
                DP_TRY(look_at(f, page, at, length));
        }
    }
    return DP_OK;
}

dp_err dp_dust_contraries(const dp_dust_rules *r, const dp_dust_site *s, const dp_dust_options *o,
                          dp_dust_on_instance *on_instance, void *self)
{
    searcher f = {.r = r, .s = s, .o = o, .on_instance = on_instance, .self = self};
    if (!r->n || !s->content)
        return DP_OK;
    dp_err e = dp_dust_find_init(&f.find, s);
    if (e == DP_OK)
        e = index_rules(&f);
    for (uint32_t i = 0; i < s->n && e == DP_OK; i++)
        e = search_page(&f, i);
    free(f.hash);
    free(f.begin);
    free(f.sum);
    free(f.power);
    dp_index_done(&f.index);
    dp_dust_find_done(&f.find);
    dp_buf_done(&f.text);
    return e;
}
