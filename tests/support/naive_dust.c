/* SPDX-License-Identifier: Apache-2.0 */
#include "support/naive_dust.h"

#include "base/buf.h"
#include "learn/dust/text.h"

#include <stdio.h>
#include <stdlib.h>

static void *need(void *p)
{
    if (!p) {
        fputs("naive_dust: memory is out\n", stderr);
        abort();
    }
    return p;
}

static bool is_word(char c)
{
    return (c & 0x80) || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static dp_str keep(dp_buf *b, dp_arena *a)
{
    dp_str s = dp_arena_str(a, dp_buf_view(b));
    need((void *)(uintptr_t)s.p);
    dp_buf_done(b);
    return s;
}

dp_str naive_dust_spell(dp_str url, dp_arena *a)
{
    dp_buf b = {0};
    dp_buf_c(&b, "^^\n");
    for (size_t i = 0; i < url.n; i++) {
        dp_buf_byte(&b, url.p[i]);
        if (i + 1 == url.n || !is_word(url.p[i]) || !is_word(url.p[i + 1]))
            dp_buf_byte(&b, '\n');
    }
    dp_buf_c(&b, "$$\n");
    return keep(&b, a);
}

static dp_str unspell(dp_str s, dp_arena *a)
{
    dp_buf b = {0};
    for (size_t i = 0, end; i < s.n; i = end + 1) {
        for (end = i; s.p[end] != '\n'; end++) {}
        dp_str token = dp_str_cut(s, i, end);
        if (!dp_str_eq(token, DP_STR("^^")) && !dp_str_eq(token, DP_STR("$$")))
            dp_buf_str(&b, token);
    }
    return keep(&b, a);
}

static uint32_t count_tokens(dp_str s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

static bool is_place(dp_str s, size_t i)
{
    return i == 0 || s.p[i - 1] == '\n';
}

/* ---- Figure 2 --------------------------------------------------------------------------- */

typedef struct tuple {
    dp_str             substring, prefix, suffix;
    const dp_dust_url *url;
} tuple;

typedef struct instance {
    dp_str alpha, beta;
} instance;

static int by_envelope(const void *x, const void *y)
{
    const tuple *a = x, *b = y;
    int          c = dp_str_cmp(a->prefix, b->prefix);
    return c ? c : dp_str_cmp(a->suffix, b->suffix);
}

static int by_sides(const void *x, const void *y)
{
    const instance *a = x, *b = y;
    int             c = dp_str_cmp(a->alpha, b->alpha);
    return c ? c : dp_str_cmp(a->beta, b->beta);
}

bool naive_dust_similar(const dp_dust_url *x, const dp_dust_url *y, const dp_dust_options *o)
{
    if (o->shingles > 0 && x->has_sketch && y->has_sketch) {
        unsigned same = 0;
        for (int i = 0; i < 4; i++)
            if (x->sketch[i] == y->sketch[i])
                same++;
        return same >= o->shingles;
    }
    if (!o->ignore_sizes && x->has_size && y->has_size) {
        int64_t low = x->size_min > y->size_min ? x->size_min : y->size_min;
        int64_t high = x->size_max < y->size_max ? x->size_max : y->size_max;
        return low <= high;
    }
    return true;
}

/* Whether bytes of the URL before this spelled prefix end inside %XX. */
static bool is_inside_escape(dp_str url, dp_str prefix, dp_arena *a)
{
    size_t at = unspell(prefix, a).n;
    return at < url.n && ((at >= 1 && url.p[at - 1] == '%') || (at >= 2 && url.p[at - 2] == '%'));
}

typedef struct tables {
    tuple    *st;
    size_t    nst, st_cap;
    instance *it;
    size_t    nit, it_cap;
} tables;

static void add_tuple(tables *t, tuple x)
{
    if (t->nst == t->st_cap)
        t->st = need(realloc(t->st, (t->st_cap = t->st_cap * 2 + 64) * sizeof *t->st));
    t->st[t->nst++] = x;
}

static void add_instance(tables *t, instance x)
{
    if (t->nit == t->it_cap)
        t->it = need(realloc(t->it, (t->it_cap = t->it_cap * 2 + 64) * sizeof *t->it));
    t->it[t->nit++] = x;
}

/* Lines 6-10. */
static void add_substrings(tables *t, const dp_dust_url *r, const dp_dust_options *o, dp_arena *a)
{
    dp_str   u = naive_dust_spell(r->url, a);
    dp_arena work = {0};
    bool    *bad = need(dp_arena_zero(a, u.n + 1, sizeof *bad));
    for (size_t i = 0; i <= u.n; i++)
        bad[i] = !is_place(u, i) || is_inside_escape(r->url, dp_str_cut(u, 0, i), &work);
    dp_arena_done(&work);
    for (size_t i = 0; i <= u.n; i++) {
        for (size_t j = i; j <= u.n && !bad[i]; j++) {
            if (bad[j])
                continue;
            dp_str x = dp_str_cut(u, i, j);
            if (count_tokens(x) > o->S)
                break;
            if (x.n || (i > 0 && i < u.n))
                add_tuple(t, (tuple){x, dp_str_cut(u, 0, i), dp_str_cut(u, j, u.n), r});
        }
    }
}

/* α > β: more tokens, then more bytes, then by bytes. */
static bool is_greater(dp_str x, dp_str y)
{
    dp_arena a = {0};
    dp_str   p = unspell(x, &a), q = unspell(y, &a);
    uint32_t m = count_tokens(x), n = count_tokens(y);
    bool     greater = m != n ? m > n : p.n != q.n ? p.n > q.n : dp_str_cmp(p, q) > 0;
    dp_arena_done(&a);
    return greater;
}

/* Lines 12-16, and 17: instances of one rule lie together. */
static void fill_instances(tables *t, uint32_t T, const dp_dust_options *o)
{
    t->nit = 0;
    for (size_t i = 0, end; i < t->nst; i = end) {
        for (end = i; end < t->nst && by_envelope(&t->st[i], &t->st[end]) == 0; end++) {}
        if (end - i == 1 || end - i > T)
            continue;
        for (size_t j = i; j < end; j++) {
            for (size_t k = j + 1; k < end; k++) {
                dp_str x = t->st[j].substring, y = t->st[k].substring;
                if (naive_dust_similar(t->st[j].url, t->st[k].url, o))
                    add_instance(t, is_greater(x, y) ? (instance){x, y} : (instance){y, x});
            }
        }
    }
    if (t->nit)
        qsort(t->it, t->nit, sizeof *t->it, by_sides);
}

static dp_dust_rule make_rule(instance x, dp_arena *a)
{
    return (dp_dust_rule){.alpha = unspell(x.alpha, a),
                          .beta = unspell(x.beta, a),
                          .at_start = x.alpha.n >= 2 && memcmp(x.alpha.p, "^^", 2) == 0,
                          .at_end = x.alpha.n >= 3 && memcmp(x.alpha.p + x.alpha.n - 3, "$$", 2) == 0,
                          .alpha_tokens = count_tokens(x.alpha),
                          .beta_tokens = count_tokens(x.beta)};
}

typedef struct row {
    dp_dust_rule r;
    instance     x;
    uint32_t     size; /* what it is sorted by */
} row;

static int by_size(const void *x, const void *y)
{
    const row *a = x, *b = y;
    uint32_t   m = a->r.alpha_tokens + a->r.beta_tokens, n = b->r.alpha_tokens + b->r.beta_tokens;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (m != n)
        return m > n ? -1 : 1;
    int c = dp_str_cmp(a->r.alpha, b->r.alpha);
    if (!c)
        c = dp_str_cmp(a->r.beta, b->r.beta);
    if (!c)
        c = a->r.at_start - b->r.at_start;
    return c ? c : a->r.at_end - b->r.at_end;
}

static naive_dust sorted(row *rows, size_t n, dp_arena *a)
{
    naive_dust out = {need(dp_arena_zero(a, n, sizeof *out.v)), need(dp_arena_zero(a, 2 * n, sizeof *out.spelled)), n};
    if (n)
        qsort(rows, n, sizeof *rows, by_size);
    for (size_t i = 0; i < n; i++) {
        out.v[i] = rows[i].r;
        out.spelled[2 * i] = rows[i].x.alpha;
        out.spelled[2 * i + 1] = rows[i].x.beta;
    }
    return out;
}

/* Figure 2 with T_high, then with T_low; the rules that have MS with T_low. */
naive_dust naive_dust_detect(const dp_dust_url *url, size_t n, const dp_dust_options *o, dp_arena *a)
{
    tables t = {0};
    for (size_t i = 0; i < n; i++)
        add_substrings(&t, &url[i], o, a);
    if (t.nst)
        qsort(t.st, t.nst, sizeof *t.st, by_envelope);
    fill_instances(&t, o->T_low, o);
    row   *rows = need(calloc(t.nit + 1, sizeof *rows));
    size_t nrow = 0;
    for (size_t i = 0, end; i < t.nit; i = end) {
        for (end = i; end < t.nit && by_sides(&t.it[i], &t.it[end]) == 0; end++) {}
        if (end - i >= o->MS) {
            rows[nrow] = (row){.r = make_rule(t.it[i], a), .x = t.it[i]};
            rows[nrow++].r.sup_low = (uint32_t)(end - i);
        }
    }
    fill_instances(&t, o->T_high, o);
    for (size_t i = 0, k = 0, end; i < t.nit; i = end) {
        for (end = i; end < t.nit && by_sides(&t.it[i], &t.it[end]) == 0; end++) {}
        if (k < nrow && by_sides(&rows[k].x, &t.it[i]) == 0)
            rows[k].r.sup_high = rows[k].size = (uint32_t)(end - i), k++;
    }
    naive_dust out = sorted(rows, nrow, a);
    free(rows);
    free(t.st);
    free(t.it);
    return out;
}

/* ---- Figure 3 --------------------------------------------------------------------------- */

/* Whether replacing some occurrence of `alpha` in `x` by `beta` gives `y`. */
static bool leads_to(dp_str x, dp_str alpha, dp_str beta, dp_str y)
{
    for (size_t i = 0; i + alpha.n <= x.n; i++) {
        dp_buf b = {0};
        if (!is_place(x, i) || memcmp(x.p + i, alpha.p, alpha.n) != 0)
            continue;
        dp_buf_str(&b, dp_str_cut(x, 0, i));
        dp_buf_str(&b, beta);
        dp_buf_str(&b, dp_str_cut(x, i + alpha.n, x.n));
        bool same = dp_str_eq(dp_buf_view(&b), y);
        dp_buf_done(&b);
        if (same)
            return true;
    }
    return false;
}

static bool refines(const dp_str *fine, const dp_str *broad)
{
    return leads_to(fine[0], broad[0], broad[1], fine[1]) || leads_to(fine[1], broad[0], broad[1], fine[0]);
}

naive_dust naive_dust_eliminate(naive_dust r, const dp_dust_options *o, dp_arena *a)
{
    bool  *eliminated = need(dp_arena_zero(a, r.n, sizeof *eliminated));
    row   *rows = need(calloc(r.n + 1, sizeof *rows));
    size_t left = 0;
    for (size_t i = 0; i < r.n; i++) {
        if (eliminated[i])
            continue;
        bool to_eliminate_current = false;
        for (size_t j = 1; j <= o->MW && i + j < r.n; j++) {
            double size = r.v[i].sup_high, most = o->MRD * size > o->MAD ? o->MRD * size : o->MAD;
            if (size - r.v[i + j].sup_high > most)
                break;
            if (refines(&r.spelled[2 * i], &r.spelled[2 * (i + j)])) {
                eliminated[i + j] = true;
            } else if (refines(&r.spelled[2 * (i + j)], &r.spelled[2 * i])) {
                to_eliminate_current = true;
                break;
            }
        }
        if (to_eliminate_current)
            eliminated[i] = true;
    }
    for (size_t i = 0; i < r.n; i++)
        if (!eliminated[i])
            rows[left++] = (row){r.v[i], {r.spelled[2 * i], r.spelled[2 * i + 1]}, r.v[i].sup_low};
    naive_dust out = sorted(rows, left, a);
    free(rows);
    return out;
}

/* ---- support by definition -------------------------------------------------------------- */

size_t naive_dust_pairs(const dp_dust_url *url, size_t n, dp_str alpha, dp_str beta, dp_arena *a)
{
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            dp_str u = naive_dust_spell(url[i].url, a), v = naive_dust_spell(url[j].url, a);
            pairs += leads_to(u, alpha, beta, v);
            pairs += leads_to(v, alpha, beta, u);
        }
    }
    return pairs;
}

bool naive_dust_is_bordered(dp_str s)
{
    for (size_t n = 1; n < s.n; n++)
        if (s.p[n - 1] == '\n' && s.p[s.n - n - 1] == '\n' && memcmp(s.p, s.p + s.n - n, n) == 0)
            return true;
    return false;
}

/* ---- Figure 6 --------------------------------------------------------------------------- */

/* A side of a rule, spelled with its anchors. */
static dp_str spell_side(const dp_dust_rule *r, dp_str side, dp_arena *a)
{
    dp_str s = naive_dust_spell(side, a);
    return dp_str_cut(s, r->at_start ? 0 : 3, s.n - (r->at_end ? 0 : 3));
}

/* `u` with the first `from` replaced; `u` itself when there is none. */
static dp_str replace_first(dp_str u, dp_str from, dp_str to, dp_arena *a)
{
    for (size_t i = 0; i + from.n <= u.n; i++) {
        if (!is_place(u, i) || memcmp(u.p + i, from.p, from.n) != 0)
            continue;
        dp_buf b = {0};
        dp_buf_str(&b, dp_str_cut(u, 0, i));
        dp_buf_str(&b, to);
        dp_buf_str(&b, dp_str_cut(u, i + from.n, u.n));
        return keep(&b, a);
    }
    return u;
}

dp_str naive_dust_canonize(dp_str url, const dp_dust_rule *rule, size_t n, int MA, dp_arena *a)
{
    dp_str u = naive_dust_spell(url, a);
    for (int round = 0; round < MA; round++) {
        dp_str before = u;
        for (size_t i = 0; i < n; i++) {
            dp_str from, to;
            dp_dust_orient(&rule[i], &from, &to);
            from = spell_side(&rule[i], from, a);
            to = spell_side(&rule[i], to, a);
            for (int times = 0; times < MA; times++)
                u = replace_first(u, from, to, a);
        }
        if (dp_str_eq(before, u))
            break;
    }
    return unspell(u, a);
}
