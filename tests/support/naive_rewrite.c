/* SPDX-License-Identifier: Apache-2.0 */
#include "support/naive_rewrite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "url/keys.h"

enum { KEYS = 24, TEXT = 48 };

typedef struct cell {
    char key[TEXT]; /* "k03", "p03;name#1", "~?name#1": by bytes they are in the order of places, then names */
    char name[TEXT];
    char c[TEXT], a[TEXT];
} cell;

/* A URL is a rule without a transformation. */
typedef struct rule {
    cell     cell[KEYS];
    size_t   n;
    uint32_t cluster;
    bool     teaches, is_source;
} rule;

typedef struct list {
    rule  *v;
    size_t n, cap;
} list;

static void push(list *l, const rule *r)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        if (!(l->v = realloc(l->v, l->cap * sizeof *l->v)))
            abort();
    }
    l->v[l->n++] = *r;
}

static int by_key(const void *x, const void *y)
{
    return strcmp(((const cell *)x)->key, ((const cell *)y)->key);
}

static bool is_text(const char *v)
{
    return v[0] == '=';
}

static bool is_open(const char *v)
{
    return v[0] == '=' || v[0] == '@';
}

/* ---- URLs ------------------------------------------------------------------------------------ */

static rule map_of(dp_str url)
{
    dp_frame f = {0};
    dp_arena a = {0};
    dp_keys  k;
    rule     r = {.n = 0};
    if (dp_frame_read(&f, url) != DP_FRAME_OK || dp_keys_read(&k, &f, &a) != DP_OK)
        abort();
    for (uint32_t i = 0; i < k.n; i++) {
        const dp_key *key = &k.v[i];
        dp_str        name = dp_key_name(&k, key), value = dp_key_value(&k, key);
        if (key->kind == DP_K_PORT)
            continue;
        if (key->kind == DP_K_HOST && f.port >= 0)
            value.n = f.path - f.host;
        cell *c = &r.cell[r.n++];
        *c = (cell){.key = ""};
        if (key->kind == DP_K_PAIR)
            snprintf(c->key, TEXT, "~?%.*s#%u", DP_FMT(name), key->nth);
        else if (key->kind == DP_K_PARAM)
            snprintf(c->key, TEXT, "p%02u;%.*s#%u", key->x, DP_FMT(name), key->nth);
        else
            snprintf(c->key, TEXT, "k%02u", key->x);
        snprintf(c->name, TEXT, "%.*s", DP_FMT(name));
        if (key->kind >= DP_K_PARAM && !key->has_eq)
            snprintf(c->c, TEXT, "-");
        else
            snprintf(c->c, TEXT, value.n ? "=%.*s" : "e", DP_FMT(value));
    }
    qsort(r.cell, r.n, sizeof *r.cell, by_key);
    dp_frame_done(&f);
    dp_arena_done(&a);
    return r;
}

static const cell *find(const rule *r, const char *key)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->cell[i].key, key) == 0)
            return &r->cell[i];
    return NULL;
}

static bool same_map(const rule *x, const rule *y)
{
    bool same = x->n == y->n;
    for (size_t i = 0; i < x->n && same; i++)
        same = strcmp(x->cell[i].key, y->cell[i].key) == 0 && strcmp(x->cell[i].c, y->cell[i].c) == 0;
    return same;
}

static list read_maps(const dp_site *s, uint32_t folds)
{
    list   l = {0};
    size_t n[1000] = {0};
    for (size_t i = 0; i < s->n; i++) {
        bool seen = s->cluster[i] == DP_NO_CLUSTER;
        rule r = map_of(s->url[i]);
        for (size_t j = 0; j < l.n; j++)
            seen |= same_map(&r, &l.v[j]);
        if (seen)
            continue;
        r.cluster = s->cluster[i];
        r.is_source = folds >> s->fold[r.cluster] & 1;
        n[r.cluster]++;
        push(&l, &r);
    }
    for (size_t i = 0; i < l.n; i++)
        l.v[i].teaches = l.v[i].is_source && n[l.v[i].cluster] > 1;
    return l;
}

/* ---- Algorithm 2: GenerateRule --------------------------------------------------------------- */

static rule generate(const rule *u, const rule *v)
{
    rule r = *u;
    for (size_t j = 0; j < v->n; j++) {
        const cell *t = &v->cell[j], *best = NULL;
        for (size_t i = 0; i < u->n; i++) {
            const cell *x = &u->cell[i];
            if (!is_text(t->c) || strcmp(x->c, t->c) != 0)
                continue;
            bool here = strcmp(x->key, t->key) == 0, named = x->name[0] && strcmp(x->name, t->name) == 0;
            bool best_here = best && strcmp(best->key, t->key) == 0;
            bool best_named = best && best->name[0] && strcmp(best->name, t->name) == 0;
            if (!best || (!best_here && (here || (named && !best_named))))
                best = x;
        }
        cell *c = (cell *)find(&r, t->key);
        if (!c) {
            c = &r.cell[r.n++];
            *c = *t;
            c->c[0] = 0;
        }
        if (best)
            snprintf(c->a, TEXT, "@%.40s", best->key);
        else
            memcpy(c->a, t->c, TEXT);
    }
    qsort(r.cell, r.n, sizeof *r.cell, by_key);
    return r;
}

/* ---- Definitions 4 and 5 --------------------------------------------------------------------- */

static bool fits(const char *pattern, const char *value)
{
    return pattern[0] == '*' ? is_text(value) : strcmp(pattern, value) == 0;
}

static bool matches(const rule *r, const rule *u)
{
    size_t met = 0;
    for (size_t i = 0; i < r->n; i++) {
        const cell *x = find(u, r->cell[i].key);
        if (!fits(r->cell[i].c, x ? x->c : ""))
            return false;
        met += x != NULL;
    }
    return met == u->n;
}

/* v = r(u) */
static bool makes(const rule *r, const rule *u, const rule *v)
{
    size_t met = 0;
    for (size_t i = 0; i < r->n; i++) {
        const cell *x = find(v, r->cell[i].key);
        const char *want = r->cell[i].a;
        if (want[0] == '@')
            want = find(u, want + 1)->c;
        if (!fits(want, x ? x->c : ""))
            return false;
        met += x != NULL;
    }
    return met == v->n;
}

static void count(naive_rule *out, const rule *r, const list *maps)
{
    for (size_t i = 0; i < maps->n; i++) {
        const rule *u = &maps->v[i];
        bool        explained = false;
        if (!u->is_source || !matches(r, u))
            continue;
        out->matched++;
        for (size_t j = 0; j < maps->n; j++) {
            if (i == j || !makes(r, u, &maps->v[j]))
                continue;
            out->support++;
            out->wrong += u->cluster != maps->v[j].cluster;
            explained |= u->cluster == maps->v[j].cluster;
        }
        out->explained += explained;
    }
}

/* ---- Algorithm 3: GeneralizeRules ------------------------------------------------------------ */

/* Whether the rules are equal but at key `k` (of x), and y's cell there. */
static bool differ_at(const rule *x, const rule *y, const char *k, const cell **there)
{
    size_t met = 0;
    *there = find(y, k);
    for (size_t i = 0; i < x->n; i++) {
        const cell *c = find(y, x->cell[i].key);
        met += c != NULL;
        if (strcmp(x->cell[i].key, k) != 0 &&
            (!c || strcmp(c->c, x->cell[i].c) != 0 || strcmp(c->a, x->cell[i].a) != 0))
            return false;
    }
    return met == y->n;
}

typedef struct values {
    char   text[600][TEXT];
    size_t times[600], n;
} values;

static void add_value(values *v, const char *text)
{
    size_t i = 0;
    while (i < v->n && strcmp(v->text[i], text) != 0)
        i++;
    if (i == v->n) {
        if (v->n == DP_COUNT(v->text))
            abort();
        snprintf(v->text[v->n], TEXT, "%s", text);
        v->times[v->n++] = 0;
    }
    v->times[i]++;
}

static double entropy(const values *v)
{
    double sum = 0, h = 0;
    for (size_t i = 0; i < v->n; i++)
        sum += (double)v->times[i];
    for (size_t i = 0; i < v->n; i++)
        h -= (double)v->times[i] / sum * log2((double)v->times[i] / sum);
    return v->n < 2 ? 0 : h / log2((double)v->n);
}

/* The least false-positive rate of a rule and of all that are more general at keys from `first` on, each step as in
 * try_key. */
static double least_fpr(const rule *r, size_t first, const list *maps)
{
    naive_rule c = {0};
    count(&c, r, maps);
    double least = c.support ? (double)c.wrong / (double)c.support : 1;
    for (size_t k = first; k < r->n; k++) {
        rule to = *r;
        cell *x = &to.cell[k];
        if (!is_text(x->c) && !is_open(x->a))
            continue;
        snprintf(is_text(x->c) ? x->c : x->a, TEXT, "*");
        double fpr = least_fpr(&to, k, maps);
        least = fpr < least ? fpr : least;
    }
    return least;
}

static bool lets(const values *v, const rule *made, const list *maps, const dp_rewrite_options *o)
{
    naive_rule c = {0};
    if (o->filter == DP_REWRITE_FANOUT)
        return v->n >= o->fan_out;
    if (o->filter == DP_REWRITE_ENTROPY)
        return v->n >= 2 && entropy(v) >= o->min_entropy - 1e-9;
    if (o->filter == DP_REWRITE_IDEAL)
        return v->n >= 2 && least_fpr(made, 0, maps) < o->max_fpr;
    count(&c, made, maps);
    return v->n >= 2 && c.matched && 1 - (double)c.explained / (double)c.matched < o->max_fpr;
}

static bool same_rule(const rule *x, const rule *y)
{
    bool same = same_map(x, y);
    for (size_t i = 0; i < x->n && same; i++)
        same = strcmp(x->cell[i].a, y->cell[i].a) == 0;
    return same;
}

static void add_rule(list *l, const rule *r)
{
    for (size_t i = 0; i < l->n; i++)
        if (same_rule(&l->v[i], r))
            return;
    push(l, r);
}

static void try_key(list *made, const list *rules, size_t i, size_t k, const list *maps, const dp_rewrite_options *o)
{
    static values v; /* large */
    rule          r = rules->v[i];
    cell         *c = &r.cell[k];
    bool          is_c = is_text(c->c);
    if (!is_c && !is_open(c->a))
        return;
    v.n = 0;
    for (size_t j = 0; j < rules->n; j++) {
        const cell *there;
        if (!differ_at(&r, &rules->v[j], c->key, &there))
            continue;
        if (there && is_c && is_text(there->c))
            add_value(&v, there->c);
        if (there && !is_c && !is_text(there->c) && is_open(there->a))
            add_value(&v, there->a);
    }
    snprintf(is_c ? c->c : c->a, TEXT, "*");
    if (lets(&v, &r, maps, o))
        add_rule(made, &r);
}

static list fix_point(const list *maps, const dp_rewrite_options *o)
{
    list rules = {0}, made = {0};
    for (size_t i = 0; i < maps->n; i++)
        for (size_t j = 0; j < maps->n; j++)
            if (i != j && maps->v[i].teaches && maps->v[i].cluster == maps->v[j].cluster) {
                rule r = generate(&maps->v[i], &maps->v[j]);
                push(&rules, &r);
            }
    for (size_t before = 0; before != rules.n;) {
        before = rules.n;
        made.n = 0;
        for (size_t i = 0; i < rules.n; i++)
            for (size_t k = 0; k < rules.v[i].n; k++)
                try_key(&made, &rules, i, k, maps, o);
        for (size_t i = 0; i < made.n; i++)
            add_rule(&rules, &made.v[i]);
    }
    free(made.v);
    return rules;
}

/* ---- whole ----------------------------------------------------------------------------------- */

static int by_text(const void *x, const void *y)
{
    return strcmp(((const naive_rule *)x)->text, ((const naive_rule *)y)->text);
}

static char *spell(const rule *r)
{
    dp_buf b = {0};
    for (size_t i = 0; i < r->n; i++)
        dp_buf_printf(&b, "%s %s %s|", r->cell[i].key, r->cell[i].c, r->cell[i].a);
    dp_buf_byte(&b, 0);
    if (b.failed)
        abort();
    return b.p;
}

naive_rules naive_rewrite(const dp_site *s, const dp_rewrite_options *o, uint32_t folds)
{
    list        maps = read_maps(s, folds), rules = fix_point(&maps, o);
    naive_rules out = {calloc(rules.n + 1, sizeof *out.v), 0};
    if (!out.v)
        abort();
    for (size_t i = 0; i < rules.n; i++) {
        bool star = false;
        for (size_t k = 0; k < rules.v[i].n; k++)
            star |= rules.v[i].cell[k].c[0] == '*' || rules.v[i].cell[k].a[0] == '*';
        if (!star)
            continue;
        naive_rule *r = &out.v[out.n++];
        *r = (naive_rule){.text = spell(&rules.v[i])};
        count(r, &rules.v[i], &maps);
    }
    qsort(out.v, out.n, sizeof *out.v, by_text);
    free(maps.v);
    free(rules.v);
    return out;
}

void naive_rewrite_done(naive_rules *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->v[i].text);
    free(r->v);
}
