/* Parameters whose value does not matter: [BKS06] section 5.3, which leaves the details open.
 *
 *     http://a.com/x?sid=17&p=2         bucket of sid:  http://a.com/x?sid= | &p=2    values 17, 18, 99
 *
 * A name is popular when max(10, N/1000) URLs have it. Its values in one bucket are paired (of a large bucket those of
 * the first 32 values by bytes); in three buckets or more, a share 1 - ε of the pairs must look similar. Then the
 * value may be replaced by the most frequent one. It may be omitted when also three URLs or more are there without it,
 * and a share 1 - ε of those look similar.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/buf.h"
#include "learn/dust_site.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { POPULAR = 10, BUCKETS = 3, WITHOUT = 3, PAIRED = 32 };

typedef struct use {
    const dp_dust_page *page;
    uint32_t            name, value, end; /* bytes where they begin; '&' or the end of the URL */
    uint64_t            name_hash, envelope_hash;
} use;

typedef struct uses {
    use                   *v; /* [n] */
    size_t                 n, cap;
    const dp_dust_site    *s;
    const dp_dust_options *o;
    dp_dust_param         *found; /* [nfound] */
    size_t                 nfound, found_cap;
    use                   *byvalue; /* [n] */
    dp_buf                 text;
} uses;

static dp_str name_of(const use *u)
{
    return (dp_str){u->page->url.p + u->name, u->value - 1 - u->name};
}

static dp_str value_of(const use *u)
{
    return (dp_str){u->page->url.p + u->value, u->end - u->value};
}

static dp_str before(const use *u)
{
    return (dp_str){u->page->url.p, u->value};
}

static dp_str behind(const use *u)
{
    return (dp_str){u->page->url.p + u->end, u->page->url.n - u->end};
}

/* ---- collect ---------------------------------------------------------------------------- */

static dp_err add_use(uses *l, use u)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 256;
        use   *v = realloc(l->v, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = u;
    return DP_OK;
}

/* Where the next `a` or `b` stands from `i` on; the end when there is none. */
static size_t find(dp_str s, size_t i, char a, char b)
{
    while (i < s.n && s.p[i] != a && s.p[i] != b)
        i++;
    return i;
}

static dp_err collect(uses *l, const dp_dust_page *p)
{
    dp_str url = p->url;
    for (size_t i = find(url, 0, '?', '?'), eq, stop; i < url.n; i = stop) {
        size_t name = i + 1;
        eq = find(url, name, '=', '&');
        stop = find(url, eq, '&', '&');
        if (eq == name || eq == stop)
            continue;
        uint64_t of_name = XXH3_64bits(url.p + name, eq - name);
        uint64_t of_envelope = XXH3_64bits_withSeed(url.p + stop, url.n - stop, XXH3_64bits(url.p, eq + 1));
        DP_TRY(add_use(l, (use){p, (uint32_t)name, (uint32_t)eq + 1, (uint32_t)stop, of_name & l->o->hash_mask,
                                of_envelope & l->o->hash_mask}));
    }
    return DP_OK;
}

/* ---- order: hashes first, bytes where they are equal -------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int cmp_name(const use *a, const use *b)
{
    int c = by_number(a->name_hash, b->name_hash);
    return c ? c : dp_str_cmp(name_of(a), name_of(b));
}

static int cmp_envelope(const use *a, const use *b)
{
    int c = by_number(a->envelope_hash, b->envelope_hash);
    if (!c)
        c = dp_str_cmp(before(a), before(b));
    return c ? c : dp_str_cmp(behind(a), behind(b));
}

static int by_bucket(const void *x, const void *y)
{
    int c = cmp_name(x, y);
    if (!c)
        c = cmp_envelope(x, y);
    return c ? c : dp_str_cmp(value_of(x), value_of(y));
}

static int by_value(const void *x, const void *y)
{
    return dp_str_cmp(value_of(x), value_of(y));
}

static int by_page(const void *x, const void *y)
{
    return by_number((uintptr_t)((const use *)x)->page, (uintptr_t)((const use *)y)->page);
}

/* ---- evidence for one name ---------------------------------------------------------------- */

static bool is_enough(const uses *l, size_t similar, size_t pairs)
{
    return (double)similar >= (1 - l->o->epsilon) * (double)pairs;
}

/* How many URLs have it; a name may stand in one URL twice. */
static size_t count_urls(uses *l, const use *v, size_t n)
{
    size_t urls = 0;
    memcpy(l->byvalue, v, n * sizeof *v);
    qsort(l->byvalue, n, sizeof *v, by_page);
    for (size_t i = 0; i < n; i++)
        urls += i == 0 || l->byvalue[i].page != l->byvalue[i - 1].page;
    return urls;
}

/* The most frequent value; of several the first by bytes. */
static dp_str choose_value(uses *l, const use *v, size_t n)
{
    dp_str best = value_of(v);
    size_t most = 0;
    memcpy(l->byvalue, v, n * sizeof *v);
    qsort(l->byvalue, n, sizeof *v, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_value(&l->byvalue[i], &l->byvalue[end]) == 0; end++) {}
        if (end - i > most) {
            most = end - i;
            best = value_of(&l->byvalue[i]);
        }
    }
    return best;
}

static void pair_values(const uses *l, const use *v, size_t n, dp_dust_param *p)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && cmp_envelope(&v[i], &v[end]) == 0; end++) {}
        size_t last = end - i > PAIRED ? i + PAIRED : end;
        p->buckets += end - i > 1;
        for (size_t j = i; j < last; j++) {
            for (size_t k = j + 1; k < last; k++) {
                p->pairs++;
                p->similar += dp_dust_similar(v[j].page, v[k].page, l->o);
            }
        }
    }
}

/* The URL without the parameter and the separator that it leaves over; NULL when memory is out. */
static const dp_buf *without(uses *l, const use *u)
{
    dp_str rest = behind(u);
    dp_buf_reset(&l->text);
    dp_buf_add(&l->text, u->page->url.p, rest.n ? u->name : u->name - 1);
    if (rest.n)
        dp_buf_add(&l->text, rest.p + 1, rest.n - 1);
    return l->text.failed ? NULL : &l->text;
}

static dp_err pair_without(uses *l, const use *v, size_t n, dp_dust_param *p)
{
    for (size_t i = 0; i < n; i++) {
        const dp_buf *text = without(l, &v[i]);
        if (!text)
            return DP_ENOMEM;
        const dp_dust_page *other = dp_dust_site_find(l->s, dp_buf_view(text));
        p->pairs += other != NULL;
        p->similar += other && dp_dust_similar(v[i].page, other, l->o);
    }
    return DP_OK;
}

static dp_err add_found(uses *l, const dp_dust_param *p)
{
    if (l->nfound == l->found_cap) {
        size_t         cap = l->found_cap ? l->found_cap * 2 : 16;
        dp_dust_param *v = realloc(l->found, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        l->found = v;
        l->found_cap = cap;
    }
    l->found[l->nfound++] = *p;
    return DP_OK;
}

static dp_err judge_name(uses *l, const use *v, size_t n)
{
    if (n < POPULAR)
        return DP_OK;
    dp_dust_param p = {.name = name_of(v), .urls = count_urls(l, v, n)};
    if (p.urls < POPULAR || p.urls < l->s->n / 1000)
        return DP_OK;
    pair_values(l, v, n, &p);
    if (p.buckets < BUCKETS || !is_enough(l, p.similar, p.pairs))
        return DP_OK;
    p.value = choose_value(l, v, n);
    DP_TRY(add_found(l, &p));
    p.omit = true;
    p.pairs = p.similar = 0;
    DP_TRY(pair_without(l, v, n, &p));
    return p.pairs >= WITHOUT && is_enough(l, p.similar, p.pairs) ? add_found(l, &p) : DP_OK;
}

static int by_evidence(const void *x, const void *y)
{
    const dp_dust_param *a = x, *b = y;
    int                  c = by_number(b->similar, a->similar);
    if (!c)
        c = dp_str_cmp(a->name, b->name);
    return c ? c : b->omit - a->omit;
}

static dp_err find_params(uses *l)
{
    for (size_t i = 0; i < l->s->n; i++)
        DP_TRY(collect(l, &l->s->v[i]));
    if (l->n == 0)
        return DP_OK;
    l->byvalue = calloc(l->n, sizeof *l->byvalue);
    if (!l->byvalue)
        return DP_ENOMEM;
    qsort(l->v, l->n, sizeof *l->v, by_bucket);
    for (size_t i = 0, end; i < l->n; i = end) {
        for (end = i + 1; end < l->n && cmp_name(&l->v[i], &l->v[end]) == 0; end++) {}
        DP_TRY(judge_name(l, l->v + i, end - i));
    }
    if (l->nfound)
        qsort(l->found, l->nfound, sizeof *l->found, by_evidence);
    return DP_OK;
}

dp_err dp_dust_params(dp_dust_result *out, const dp_dust_site *s, const dp_dust_options *o, dp_arena *a)
{
    uses   l = {.s = s, .o = o};
    dp_err e = find_params(&l);
    if (e == DP_OK) {
        dp_dust_param *v = DP_NEWS(a, l.nfound, dp_dust_param);
        e = v ? DP_OK : DP_ENOMEM;
        if (v && l.nfound)
            memcpy(v, l.found, l.nfound * sizeof *v);
        if (v) {
            out->param = v;
            out->nparam = l.nfound;
        }
    }
    free(l.v);
    free(l.found);
    free(l.byvalue);
    dp_buf_done(&l.text);
    return e;
}
