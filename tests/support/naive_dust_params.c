/* Phase 3 as docs/algorithms/dust.md says it, by looking at everything.
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/naive_dust.h"

#include <stdlib.h>

enum { MOST_USES = 4096, PAIRED = 32 };

typedef struct use {
    size_t url;
    dp_str before, name, value, behind; /* before ends with "name=" */
} use;

typedef struct uses {
    use    v[MOST_USES];
    size_t n;
} uses;

static void add_uses(uses *l, dp_str u, size_t number)
{
    bool query = false;
    for (size_t i = 0; i < u.n; i++) {
        query |= u.p[i] == '?';
        bool first = u.p[i] == '?' && !memchr(u.p, '?', i); /* a later '?' is data */
        if (!query || (!first && u.p[i] != '&'))
            continue;
        size_t end = i + 1, eq;
        while (end < u.n && u.p[end] != '&')
            end++;
        for (eq = i + 1; eq < end && u.p[eq] != '='; eq++) {}
        if (eq > i + 1 && eq < end && l->n < MOST_USES)
            l->v[l->n++] = (use){number, dp_str_cut(u, 0, eq + 1), dp_str_cut(u, i + 1, eq), dp_str_cut(u, eq + 1, end),
                                 dp_str_cut(u, end, u.n)};
    }
}

static bool same_bucket(const use *a, const use *b)
{
    return dp_str_eq(a->before, b->before) && dp_str_eq(a->behind, b->behind);
}

/* How many uses of the bucket of `u` have a lesser value. */
static size_t rank(const uses *l, const use *u)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += same_bucket(&l->v[i], u) && dp_str_cmp(l->v[i].value, u->value) < 0;
    return n;
}

/* Whether something is known of both pages. */
static bool is_known(const dp_dust_url *x, const dp_dust_url *y, const dp_dust_options *o)
{
    return (o->shingles && x->has_sketch && y->has_sketch) || (!o->ignore_sizes && x->has_size && y->has_size);
}

/* Whether two of the uses that are paired in the bucket of `u` are so. */
static bool has_known_pair(const uses *l, const dp_dust_url *url, const use *u, const dp_dust_options *o)
{
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < i && same_bucket(&l->v[i], u); k++)
            if (same_bucket(&l->v[k], u) && rank(l, &l->v[i]) < PAIRED && rank(l, &l->v[k]) < PAIRED &&
                is_known(&url[l->v[i].url], &url[l->v[k].url], o))
                return true;
    return false;
}

static void pair_values(const uses *l, const dp_dust_url *url, dp_str name, const dp_dust_options *o, dp_dust_param *p)
{
    for (size_t i = 0; i < l->n; i++) {
        const use *x = &l->v[i];
        bool       fresh = dp_str_eq(x->name, name);
        for (size_t k = 0; k < l->n && dp_str_eq(x->name, name); k++) {
            const use *y = &l->v[k];
            if (k == i || !same_bucket(x, y))
                continue;
            fresh = fresh && k > i;
            if (k > i && rank(l, x) < PAIRED && rank(l, y) < PAIRED && is_known(&url[x->url], &url[y->url], o)) {
                p->pairs++;
                p->similar += naive_dust_similar(&url[x->url], &url[y->url], o);
            }
        }
        p->buckets += fresh && has_known_pair(l, url, x, o);
    }
}

static void pair_without(const uses *l, const dp_dust_url *url, size_t n, dp_str name, const dp_dust_options *o,
                         dp_dust_param *p)
{
    for (size_t i = 0; i < l->n; i++) {
        const use *x = &l->v[i];
        char       text[4096];
        if (!dp_str_eq(x->name, name))
            continue;
        size_t end = x->before.n - name.n - 1; /* behind the separator */
        dp_str rest = x->behind.n ? dp_str_cut(x->behind, 1, x->behind.n) : x->behind;
        end -= x->behind.n == 0;
        memcpy(text, x->before.p, end);
        memcpy(text + end, rest.p, rest.n);
        for (size_t k = 0; k < n; k++) {
            if (dp_str_eq(url[k].url, (dp_str){text, end + rest.n}) && is_known(&url[x->url], &url[k], o)) {
                p->pairs++;
                p->similar += naive_dust_similar(&url[x->url], &url[k], o);
            }
        }
    }
}

static size_t count_value(const uses *l, dp_str name, dp_str value)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += dp_str_eq(l->v[i].name, name) && dp_str_eq(l->v[i].value, value);
    return n;
}

static dp_str choose_value(const uses *l, dp_str name)
{
    dp_str best = {0};
    size_t most = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (!dp_str_eq(l->v[i].name, name))
            continue;
        size_t n = count_value(l, name, l->v[i].value);
        if (n > most || (n == most && dp_str_cmp(l->v[i].value, best) < 0)) {
            most = n;
            best = l->v[i].value;
        }
    }
    return best;
}

static bool is_enough(const dp_dust_param *p, const dp_dust_options *o)
{
    return (double)p->similar >= (1 - o->epsilon) * (double)p->pairs;
}

static bool comes_before(const dp_dust_param *a, const dp_dust_param *b)
{
    if (a->similar != b->similar)
        return a->similar > b->similar;
    int c = dp_str_cmp(a->name, b->name);
    return c ? c < 0 : a->omit && !b->omit;
}

static void add_param(naive_dust_param_list *out, dp_dust_param p)
{
    size_t i = out->n++;
    for (; i > 0 && comes_before(&p, &out->v[i - 1]); i--)
        out->v[i] = out->v[i - 1];
    out->v[i] = p;
}

static void judge_name(naive_dust_param_list *out, const uses *l, const dp_dust_url *url, size_t n, dp_str name,
                       const dp_dust_options *o)
{
    dp_dust_param p = {.name = name};
    for (size_t k = 0; k < n; k++) {
        bool has = false;
        for (size_t i = 0; i < l->n; i++)
            has |= l->v[i].url == k && dp_str_eq(l->v[i].name, name);
        p.urls += has;
    }
    if (p.urls < 10 || p.urls < n / 1000)
        return;
    pair_values(l, url, name, o, &p);
    if (p.buckets < 3 || !is_enough(&p, o))
        return;
    p.value = choose_value(l, name);
    add_param(out, p);
    p.omit = true;
    p.pairs = p.similar = 0;
    pair_without(l, url, n, name, o, &p);
    if (p.pairs >= 3 && is_enough(&p, o))
        add_param(out, p);
}

naive_dust_param_list naive_dust_params(const dp_dust_url *url, size_t n, const dp_dust_options *o)
{
    naive_dust_param_list out = {0};
    uses                 *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    for (size_t k = 0; k < n; k++)
        add_uses(l, url[k].url, k);
    for (size_t i = 0; i < l->n; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= dp_str_eq(l->v[k].name, l->v[i].name);
        if (!again)
            judge_name(&out, l, url, n, l->v[i].name, o);
    }
    free(l);
    return out;
}
